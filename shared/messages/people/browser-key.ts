// The key of a browser, which signs decisions for a person until it ends, or until the passkey that
// enrolled it is not that person's any more.
import type { Principal } from '#schemas/catalog'
import type { Signature } from '#schemas/values'
import type { Json } from '#record/canonical'
import { isSignedBy, keyIdOf, type SignedFor } from '#record/signature'
import { isBefore, type Enrolled, type PeopleSaid } from './people-said.ts'

type Said = Pick<PeopleSaid, 'enrolments'>
type Person = Pick<Principal, 'id' | 'passkeys'>

/** Those that sign for that person at that time. */
export function browserKeysOf(
  { enrolments }: Said,
  person: Person,
  at: number,
): readonly Enrolled[] {
  return enrolments.filter(({ data }) => data.confirmer === person.id).filter(isStanding)

  function isStanding(enrolled: Enrolled): boolean {
    const { signature } = enrolled.data
    const isEnrolled = person.passkeys?.some(({ id }) => id === signature?.credential) === true
    return isEnrolled && isBefore(at, enrolled)
  }
}

interface SignedThat {
  readonly of: SignedFor
  readonly data: Json
  readonly signature: Signature | undefined
}

/** The one that signed exactly this at that time; null where none did. */
export function browserSigned(
  said: Said,
  person: Person,
  { of, data, signature }: SignedThat,
  at: number,
): Enrolled | null {
  if (signature?.format !== 'ed25519') return null
  const enrolled = said.enrolments.find(({ data: { confirmer, key } }) => {
    return confirmer === person.id && keyIdOf(key) === signature.key
  })
  if (enrolled === undefined || !browserKeysOf(said, person, at).includes(enrolled)) return null
  return isSignedBy([enrolled.data.key], of, data, signature) ? enrolled : null
}
