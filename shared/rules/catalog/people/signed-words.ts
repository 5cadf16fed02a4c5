// What a person signs with, by the catalog: a key file, or a passkey at one of its consoles. Where
// no rule says otherwise, both count alike.
import type { Principal } from '#schemas/catalog'
import type { AnswerDemands } from '#schemas/people/demands'
import type { Signature } from '#schemas/values'
import { sha256 } from '#record/crypto/crypto'
import { asserted } from '../../passkeys/assertion.ts'
import type { Json } from '#record/canonical'
import { isSignedBy, keyIdOf, signedBytes, type SignedFor } from '#record/signature'
import type { Catalog } from '../catalog.ts'

type Knows = Pick<Catalog, 'consoles'>

/** What it was signed with, and at which console; null where it took none. */
export type SignedHow =
  | { readonly by: 'key_file'; readonly console: null }
  | { readonly by: 'passkey'; readonly console: string }

/** How that person signed exactly this for exactly this fact; null where it did not. */
export function howSigned(
  { consoles }: Knows,
  person: Principal | undefined,
  of: SignedFor,
  data: Json,
  signature: Signature,
): SignedHow | null {
  if (person === undefined) return null
  if (signature.format === 'ed25519') {
    const isSigned = isSignedBy(person.keys, of, data, signature)
    return isSigned ? { by: 'key_file', console: null } : null
  }
  const challenge = challengeOf(of, data)
  if (challenge === null) return null
  const found = asserted(signature, challenge, { passkeys: passkeysOf(person), consoles })
  return 'refused' in found ? null : { by: 'passkey', console: found.where.id }
}

/** What a passkey signs in place of the content; null for what JSON cannot hold. */
export function challengeOf(of: SignedFor, data: Json): Uint8Array | null {
  try {
    return sha256(signedBytes(of, data))
  } catch {
    return null
  }
}

export function isSignedByPerson(
  catalog: Knows,
  person: Principal | undefined,
  of: SignedFor,
  data: Json,
  signature: Signature,
): boolean {
  return howSigned(catalog, person, of, data, signature) !== null
}

/** Whether the catalog still lets that person sign with what made the signature. */
export function holdsKey(person: Principal, signature: Signature | undefined): boolean {
  if (signature === undefined) return false
  return signature.format === 'ed25519'
    ? person.keys.some((key) => keyIdOf(key) === signature.key)
    : passkeysOf(person).some(({ id }) => id === signature.credential)
}

/** Whether anything that this person signs can count, where just that counts. */
export function canSign(
  { consoles }: Knows,
  person: Principal,
  signedWith?: AnswerDemands['signedWith'],
): boolean {
  if (person.suspended) return false
  const hasFile = person.keys.length > 0 && signedWith !== 'passkey'
  return hasFile || (passkeysOf(person).length > 0 && consoles.length > 0)
}

function passkeysOf({ passkeys = [] }: Principal) {
  return passkeys
}
