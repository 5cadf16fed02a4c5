// An authenticator in software: it makes passkeys of each algorithm and signs with them, and a test
// says what it gets wrong. It writes its own CBOR, so that the reader is not tried on itself.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { canonicalBytes, type Json } from '#record/canonical'
import type { SignedFor } from '#record/signature'
import type { Console, Passkey, PasskeyAlgorithm } from '#schemas/people/passkey'
import type { PasskeySignature } from '#schemas/values'

/** Where tests sign, if they do not say otherwise. */
export const testConsole: Console = {
  id: 'main',
  rpId: 'console.example.org',
  origins: ['https://console.example.org'],
}

export const otherConsole: Console = {
  id: 'second',
  rpId: 'localhost',
  origins: ['http://localhost:7719'],
}

export interface SoftPasskey {
  readonly passkey: Passkey
  readonly privateKey: KeyObject
}

/** What is signed in a way that none should be; absent means as it should be. */
export interface Ceremony {
  readonly at?: Console
  readonly origin?: string
  readonly rpId?: string
  readonly client?: Readonly<Record<string, unknown>>
  /** Instead of the flags UP and UV with those of the passkey. */
  readonly flags?: number
  readonly counter?: number
  /** After the head of 37 bytes. */
  readonly tail?: Uint8Array
}

export const flags = { up: 1, uv: 4, be: 8, bs: 16, at: 64, ed: 128 } as const

export function softPasskey(
  algorithm: PasskeyAlgorithm = -7,
  { backup = false }: { readonly backup?: boolean } = {},
): SoftPasskey {
  const { privateKey, publicKey } = pairOf(algorithm)
  const key = coseKey(algorithm, publicKey).toString('base64url')
  const id = randomBytes(16).toString('base64url')
  const passkey = { id, key, algorithm, backupEligible: backup, backedUp: backup }
  return { passkey, privateKey }
}

function pairOf(algorithm: PasskeyAlgorithm) {
  switch (algorithm) {
    case -8:
      return generateKeyPairSync('ed25519')
    case -7:
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case -257:
      return generateKeyPairSync('rsa', { modulusLength: 2048 })
  }
}

/** The key as a COSE_Key. */
function coseKey(algorithm: PasskeyAlgorithm, publicKey: KeyObject): Buffer {
  const jwk = publicKey.export({ format: 'jwk' })
  const part = (text = ''): Buffer => cborBytes(Buffer.from(text, 'base64url'))
  switch (algorithm) {
    case -8:
      return cborMap([1, 1], [3, -8], [-1, 6], [-2, part(jwk.x)])
    case -7:
      return cborMap([1, 2], [3, -7], [-1, 1], [-2, part(jwk.x)], [-3, part(jwk.y)])
    case -257:
      return cborMap([1, 3], [3, -257], [-1, part(jwk.n)], [-2, part(jwk.e)])
  }
}

export function cborMap(...pairs: readonly (readonly [number, number | Buffer])[]): Buffer {
  const items = pairs.flatMap(([label, value]) => {
    return [cborNumber(label), typeof value === 'number' ? cborNumber(value) : value]
  })
  return Buffer.concat([cborHead(5, pairs.length), ...items])
}

function cborNumber(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

export function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborHead(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}

/** The challenge that stands for the content, the log and the name. */
function challengeFor({ log, name }: SignedFor, data: Json): Uint8Array {
  return createHash('sha256').update(canonicalBytes({ data, log, name })).digest()
}

/** What the browser gives back for the challenge. */
export function assertionFor(
  { passkey, privateKey }: SoftPasskey,
  challenge: Uint8Array,
  ceremony: Ceremony = {},
): PasskeySignature {
  const clientData = clientDataFor('webauthn.get', challenge, ceremony)
  const authenticatorData = authenticatorDataFor(passkey, ceremony)
  const digest = createHash('sha256').update(clientData).digest()
  const signed = Buffer.concat([authenticatorData, digest])
  const value = sign(passkey.algorithm === -8 ? null : 'sha256', signed, privateKey)
  return {
    format: 'webauthn',
    credential: passkey.id,
    clientData: clientData.toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    value: value.toString('base64url'),
  }
}

export function clientDataFor(
  type: string,
  challenge: Uint8Array,
  { at = testConsole, origin = at.origins[0], client = {} }: Ceremony = {},
): Buffer {
  const text = Buffer.from(challenge).toString('base64url')
  return Buffer.from(
    JSON.stringify({ type, challenge: text, origin, crossOrigin: false, ...client }),
  )
}

export function authenticatorDataFor(
  { backupEligible, backedUp }: Passkey,
  { at = testConsole, rpId = at.rpId, counter = 0, tail, ...ceremony }: Ceremony = {},
): Buffer {
  const backup = (backupEligible ? flags.be : 0) | (backedUp ? flags.bs : 0)
  const head = Buffer.alloc(37)
  createHash('sha256').update(rpId).digest().copy(head)
  head[32] = ceremony.flags ?? flags.up | flags.uv | backup
  head.writeUInt32BE(counter, 33)
  return tail === undefined ? head : Buffer.concat([head, tail])
}

/** What follows the head where a passkey is made. */
export function attestedTail({ id, key }: Pick<Passkey, 'id' | 'key'>): Buffer {
  const bytes = Buffer.from(id, 'base64url')
  const length = Buffer.from([bytes.length >> 8, bytes.length & 255])
  return Buffer.concat([Buffer.alloc(16), length, bytes, Buffer.from(key, 'base64url')])
}

/** Signs what people sign, as a key file does. */
export function passkeySigner(soft: SoftPasskey, ceremony: Ceremony = {}) {
  return (of: SignedFor, data: Json): PasskeySignature =>
    assertionFor(soft, challengeFor(of, data), ceremony)
}
