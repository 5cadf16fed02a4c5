// What someone signs beside answers and grants, in two steps: the server says what would be signed,
// the page checks that it is what the person sees, the passkey signs it, and the server binds it.
import { canonical, jsonOf, type JsonMap } from '#record/canonical'
import type { BoundAnswer, SigningAsked } from '#schemas/console/signing'
import { signedByPasskey } from '../confirming/deciding.ts'
import { memberMap } from '../signing/members.ts'
import { PageProblem } from '../shell/requests.ts'
import { person, session } from '../shell/session.ts'

export interface Act<Prepared extends { readonly toSign: SigningAsked }> {
  /** Which kind of fact it is. */
  readonly kind:
    | 'catalog'
    | 'graph'
    | 'ruling'
    | 'revocation'
    | 'enrolment'
    | 'handover'
    | 'absence'
    | 'note'
    | 'reinstatement'
  readonly prepare: () => Promise<Prepared>
  /** All of the content but what only the log knows. */
  readonly content: (prepared: Prepared) => JsonMap
  /** The members that only the log knows: they may say anything. */
  readonly ofLog: readonly string[]
  readonly submit: (signed: JsonMap, prepared: Prepared) => Promise<BoundAnswer>
}

/** Whether this person can sign here at all. */
export function canSignHere(): boolean {
  return (session.value?.rpId ?? null) !== null && (person.value?.passkeys.length ?? 0) > 0
}

/** Who signs. Throws a PageProblem where no one is signed in. */
export function signer(): string {
  const { id } = person.value ?? {}
  if (id === undefined) throw new PageProblem('signed_out')
  return id
}

export async function signAct<Prepared extends { readonly toSign: SigningAsked }>(
  act: Act<Prepared>,
): Promise<BoundAnswer> {
  const prepared = await act.prepare()
  const { toSign } = prepared
  check(toSign, act.kind, { content: act.content(prepared), ofLog: act.ofLog })
  return act.submit(await signedByPasskey(toSign), prepared)
}

function check(
  { of, data }: SigningAsked,
  kind: string,
  { content, ofLog }: { readonly content: JsonMap; readonly ofLog: readonly string[] },
): void {
  const [, , named] = of.name.split('.')
  const members = [...memberMap(data)].filter(([key]) => !ofLog.includes(key))
  const isSame = canonical(jsonOf(Object.fromEntries(members))) === canonical(content)
  const isHere = named === kind && of.log === (session.value?.log ?? null)
  if (!isSame || !isHere) throw new PageProblem('other_content')
}
