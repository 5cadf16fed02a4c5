// What someone signs beside answers and grants, in two steps: the server says what would be signed,
// the page checks that it is what the person sees, the passkey signs it, and the server binds it.
import { canonical, jsonOf, type JsonMap } from '#record/canonical'
import type { SigningAsked } from '#schemas/console/signing'
import { signedByPerson } from '../confirming/deciding.ts'
import { memberMap } from '../signing/members.ts'
import {
  PageProblem,
  prepared,
  submitted,
  type RequestParts,
  type SignedName,
  type SignedPath,
} from '../shell/requests.ts'
import { person, session } from '../shell/session.ts'

interface Signed {
  /** Which kind of fact it is. */
  readonly kind:
    | 'catalog'
    | 'grant'
    | 'graph'
    | 'ruling'
    | 'revocation'
    | 'enrolment'
    | 'handover'
    | 'absence'
    | 'note'
    | 'reinstatement'
    | 'lift'
  /** All of the content but what only the log knows. */
  readonly content: JsonMap
  /** The members that only the log knows: they may say anything. */
  readonly ofLog?: readonly string[]
}

/** What is asked for, and sent once more with the signature. */
interface Act<Name extends SignedName> extends Signed {
  readonly path: SignedPath<Name>
  readonly in?: RequestParts['in']
  readonly body: JsonMap
}

/** Whether this person can sign here at all: by a passkey, or by the key of a page of `dev`. */
export function canSignHere(): boolean {
  if (session.value?.dev === true) return true
  return (session.value?.rpId ?? null) !== null && (person.value?.passkeys.length ?? 0) > 0
}

/** Who would sign it, as a sheet shows it. */
export function signerShown(): string {
  return person.value?.id ?? ''
}

/** What is signed has a note only where something was noted. */
export function withNote(note: string): { readonly note?: string } {
  return note === '' ? {} : { note }
}

/** Who signs. Throws a PageProblem where no one is signed in. */
export function signer(): string {
  const { id } = person.value ?? {}
  if (id === undefined) throw new PageProblem('signed_out')
  return id
}

export async function signAct<Name extends SignedName>(name: Name, act: Act<Name>): Promise<void> {
  const { path, body, in: place = {} } = act
  const { toSign } = await prepared(name, path, { in: place, body })
  const signed = await signedAs(toSign, act)
  await submitted(name, path, { in: place, body: { ...body, signed } })
}

/** What is sent back, if what is to be signed is what the person sees. */
export async function signedAs(toSign: SigningAsked, expected: Signed): Promise<JsonMap> {
  checkSigned(toSign, expected)
  return signedByPerson(toSign)
}

/** Refuses what is not the content that the person sees, and for this log. */
export function checkSigned({ of, data }: SigningAsked, expected: Signed): void {
  const { kind, content, ofLog = [] } = expected
  const [, , named] = of.name.split('.')
  const members = [...memberMap(data)].filter(([key]) => !ofLog.includes(key))
  const isSame = canonical(jsonOf(Object.fromEntries(members))) === canonical(content)
  const isHere = named === kind && of.log === (session.value?.log ?? null)
  if (!isSame || !isHere) throw new PageProblem('other_content')
}
