// Whether a passkey signed something: the checks of a WebAuthn assertion (section 7.2), without a
// server and without any state, so that a fact can be verified years later. Why not is a code.
import type { Console, Passkey } from '#schemas/people/passkey'
import { PasskeySignature } from '#schemas/values'
import { base64urlOf, bytesOfBase64, compareBytes, utf8 } from '#platform/bytes'
import { readCoseKey } from '#record/crypto/cose-key'
import { sha256, verify } from '#record/crypto/crypto'
import type { PublicKey } from '#record/platform/public-key'
import { readAuthenticatorData, type AuthenticatorData } from './authenticator-data.ts'
import { clientOrigin, type ClientDataRefusal } from './client-data.ts'

export type AuthenticatorRefusal =
  | 'authenticator_data_malformed'
  | 'origin_unknown'
  | 'rp_id_mismatch'
  | 'user_absent'
  | 'user_unverified'
  | 'backup_flags'

export type AssertionRefusal =
  | ClientDataRefusal
  | AuthenticatorRefusal
  | 'assertion_malformed'
  | 'credential_unknown'
  | 'key_unusable'
  | 'signature_invalid'

/** What a valid one shows beside that it was signed. */
export interface Asserted {
  /** The credential that signed. */
  readonly passkey: Passkey
  /** The console at which it did. */
  readonly where: Console
  readonly backedUp: boolean
  /** How often the authenticator has signed; 0 where it does not count. */
  readonly counter: number
}

/** Whose passkeys count, and where. */
export interface PasskeyHolder {
  readonly passkeys: readonly Passkey[]
  readonly consoles: readonly Console[]
}

/** What the passkey shows that signed this challenge, 32 bytes; or why none of them did. */
export function asserted(
  signature: PasskeySignature,
  challenge: Uint8Array,
  { passkeys, consoles }: PasskeyHolder,
): Asserted | { readonly refused: AssertionRefusal } {
  // One assertion has one spelling only.
  if (!PasskeySignature.safeParse(signature).success) return { refused: 'assertion_malformed' }
  const passkey = passkeys.find(({ id }) => id === signature.credential)
  if (passkey === undefined) return { refused: 'credential_unknown' }
  const clientData = bytesOfBase64(signature.clientData)
  const client = clientOrigin(clientData, {
    type: 'webauthn.get',
    challenge: base64urlOf(challenge),
  })
  if ('refused' in client) return client
  const authenticatorData = bytesOfBase64(signature.authenticatorData)
  const seen = authenticatorAt(authenticatorData, client.origin, consoles)
  if ('refused' in seen) return seen
  const { where, data } = seen
  // Whether it can be copied is of the passkey for ever; one that cannot never was.
  if (data.backupEligible !== passkey.backupEligible) return { refused: 'backup_flags' }
  const publicKey = keyOf(passkey)
  if (publicKey?.algorithm !== passkey.algorithm) return { refused: 'key_unusable' }
  const signed = new Uint8Array([...authenticatorData, ...sha256(clientData)])
  const isSigned = verify({ publicKey, data: signed, signature: bytesOfBase64(signature.value) })
  if (!isSigned) return { refused: 'signature_invalid' }
  return { passkey, where, backedUp: data.backedUp, counter: data.counter }
}

// The same few passkeys sign nearly everything, and a catalog is never changed.
const keys = new WeakMap<Passkey, PublicKey | null>()

function keyOf(passkey: Passkey): PublicKey | null {
  const known = keys.get(passkey)
  if (known !== undefined) return known
  const key = readCoseKey(bytesOfBase64(passkey.key))
  keys.set(passkey, key)
  return key
}

/** What an authenticator said at a page of one of the consoles, to a person whom it verified. */
export function authenticatorAt(
  bytes: Uint8Array,
  origin: string,
  consoles: readonly Console[],
):
  | { readonly where: Console; readonly data: AuthenticatorData }
  | { readonly refused: AuthenticatorRefusal } {
  const data = readAuthenticatorData(bytes)
  if (data === null) return { refused: 'authenticator_data_malformed' }
  const where = consoles.find(({ origins }) => origins.includes(origin))
  if (where === undefined) return { refused: 'origin_unknown' }
  if (compareBytes(data.rpIdHash, sha256(utf8(where.rpId))) !== 0)
    return { refused: 'rp_id_mismatch' }
  if (!data.userPresent) return { refused: 'user_absent' }
  if (!data.userVerified) return { refused: 'user_unverified' }
  if (data.backedUp && !data.backupEligible) return { refused: 'backup_flags' }
  return { where, data }
}
