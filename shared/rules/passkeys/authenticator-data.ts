// What an authenticator says of itself in what it signs (WebAuthn, section 6.1): for whom, whether
// a person was there, how often it has signed, and the key of a passkey that it makes.
import { itemEnd } from './cbor.ts'

export interface AuthenticatorData {
  /** SHA-256 of the id of the relying party. */
  readonly rpIdHash: Uint8Array
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly backupEligible: boolean
  readonly backedUp: boolean
  /** 0 from an authenticator that does not count, such as one that copies its passkeys. */
  readonly counter: number
  /** Of a passkey that is being made; null otherwise. */
  readonly attested: AttestedCredential | null
}

export interface AttestedCredential {
  /** Which model made it, 16 bytes; zeros where it does not say. */
  readonly aaguid: Uint8Array
  readonly id: Uint8Array
  /** As a COSE_Key. */
  readonly key: Uint8Array
}

const flag = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40, ed: 0x80, reserved: 0x22 } as const

const headBytes = 37
/** As long as WebAuthn lets an id be. */
const idBytesMax = 1_023

/** Null where the bytes are not exactly that. */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData | null {
  if (bytes.length < headBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = view.getUint8(32)
  if ((flags & flag.reserved) !== 0) return null
  const has = (bit: number): boolean => (flags & bit) !== 0
  const found = has(flag.at) ? attestedAt(bytes, view) : { attested: null, end: headBytes }
  const end = found !== null && has(flag.ed) ? extensionsEnd(bytes, found.end) : found?.end
  if (found === null || end !== bytes.length) return null
  return {
    rpIdHash: bytes.slice(0, 32),
    userPresent: has(flag.up),
    userVerified: has(flag.uv),
    backupEligible: has(flag.be),
    backedUp: has(flag.bs),
    counter: view.getUint32(33),
    attested: found.attested,
  }
}

function attestedAt(bytes: Uint8Array, view: DataView) {
  const idAt = headBytes + 18
  if (bytes.length < idAt) return null
  const idLength = view.getUint16(headBytes + 16)
  const keyAt = idAt + idLength
  const end = idLength === 0 || idLength > idBytesMax ? null : itemEnd(bytes, keyAt)
  if (end === null) return null
  const attested = {
    aaguid: bytes.slice(headBytes, headBytes + 16),
    id: bytes.slice(idAt, keyAt),
    key: bytes.slice(keyAt, end),
  }
  return { attested, end }
}

// A map, of which nothing is asked for and nothing is read.
function extensionsEnd(bytes: Uint8Array, at: number): number | null {
  return (bytes[at] ?? 0) >> 5 === 5 ? itemEnd(bytes, at) : null
}
