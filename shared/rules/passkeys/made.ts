// A passkey as it is made at a console (WebAuthn, section 7.1), before anyone signs it into the
// catalog. What made it is not attested: an administrator compares its fingerprint.
import type { Console, Passkey } from '#schemas/people/passkey'
import { base64urlOf, utf8 } from '#platform/bytes'
import { readCoseKey } from '#record/crypto/cose-key'
import { sha256Hex } from '#record/crypto/crypto'
import { isSoundKey } from '#record/crypto/sound-key'
import { authenticatorAt, type AuthenticatorRefusal } from './assertion.ts'
import { clientOrigin, type ClientDataRefusal } from './client-data.ts'

export type MadeRefusal =
  | ClientDataRefusal
  | AuthenticatorRefusal
  | 'credential_missing'
  | 'key_unusable'

export interface MadePasskey {
  readonly passkey: Passkey
  readonly where: Console
  /** To compare: a few characters of the digest of its id and key. */
  readonly fingerprint: string
}

/** The passkey in what a browser gave back for that challenge, or why there is none. */
export function madePasskey(
  {
    clientData,
    authenticatorData,
  }: {
    readonly clientData: Uint8Array
    readonly authenticatorData: Uint8Array
  },
  challenge: Uint8Array,
  consoles: readonly Console[],
): MadePasskey | { readonly refused: MadeRefusal } {
  const text = base64urlOf(challenge)
  const client = clientOrigin(clientData, { type: 'webauthn.create', challenge: text })
  if ('refused' in client) return client
  const seen = authenticatorAt(authenticatorData, client.origin, consoles)
  if ('refused' in seen) return seen
  const { attested, backupEligible, backedUp } = seen.data
  if (attested === null) return { refused: 'credential_missing' }
  const publicKey = readCoseKey(attested.key)
  if (publicKey === null || !isSoundKey(publicKey)) {
    return { refused: 'key_unusable' }
  }
  const passkey = {
    id: base64urlOf(attested.id),
    key: base64urlOf(attested.key),
    algorithm: publicKey.algorithm,
    backupEligible,
    backedUp,
  }
  return { passkey, where: seen.where, fingerprint: fingerprintOf(passkey) }
}

/** Five groups of four characters, to be read out. */
export function fingerprintOf({ id, key }: Pick<Passkey, 'id' | 'key'>): string {
  const digest = sha256Hex(utf8(`${id}.${key}`))
  return (digest.slice(0, 20).match(/.{4}/g) ?? []).join(' ')
}
