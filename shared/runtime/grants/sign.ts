// Draws up the grant that goes with a review, and binds it with its signature. What would count for
// nothing is not bound: its name would be used for it.
import { GrantData } from '#schemas/action/grant'
import type { ReviewData } from '#schemas/review'
import { grantBeside } from '#rules/grants/beside'
import type { DraftedGrant, GrantClass } from '#rules/grants/drafted'
import { firstIssue, readData } from '#record/event'
import { Fault } from '#record/fault'
import { patternsOf, token } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import { grantRefusal } from '#state/slices/grants/granting'
import type { Fact } from '#ports/log'
import { bindSigned, type BindsSigned } from '../engine/binding.ts'
import type { Runtime } from '../engine/runtime.ts'

/** What is shown to the person, and then signed as it is. */
export interface GrantToSign extends DraftedGrant {
  /** The id that it will have. */
  readonly id: string
}

export interface GrantWanted extends GrantClass {
  /** The address of an intent that people were asked about. */
  readonly intent: string
}

/** Throws a Fault `grant_void` for what would count for nothing. */
export async function grantToSign(
  runtime: BindsSigned & Pick<Runtime, 'ids'>,
  wanted: GrantWanted,
): Promise<GrantToSign> {
  const { state } = runtime.follower
  const asked = await reviewOf(runtime, wanted.intent)
  const drafted = grantBeside(state.catalog, asked, wanted)
  if (drafted === null) {
    const why = 'what this review asks is asked each time'
    throw new Fault('grant_void', `nothing is bound: ${why}`)
  }
  if (!asked.review.confirmers.includes(wanted.confirmer)) {
    throw new Fault('grant_void', `nothing is bound: \`${wanted.confirmer}\` may not answer this`)
  }
  const id = runtime.ids.next(runtime.clock.now())
  const refusal = refusalOf(runtime, { ...drafted, id })
  if (refusal !== null) throw new Fault('grant_void', `nothing is bound: ${refusal}`)
  return { ...drafted, id }
}

/** The latest review of the intent, answered or not. */
async function reviewOf(
  { log, follower }: BindsSigned,
  address: string,
): Promise<{ readonly name: string; readonly review: ReviewData }> {
  const names = patternsOf(follower.state.place, 'review', ...address.split('.'), '*')
  let found: { readonly name: string; readonly review: ReviewData } | null = null
  for await (const fact of log.read({}, names)) {
    const review = readData('review', fact)
    if (review !== null) found = { name: fact.name, review }
  }
  if (found === null) throw new Fault('no_review', `no one was asked about \`${address}\``)
  return found
}

/** Signs it as it is, with what the person signs with whom it names. */
export async function signGrant(
  runtime: BindsSigned,
  toSign: Pick<GrantToSign, 'id' | 'grant'>,
  by: SignsWith,
): Promise<Fact> {
  const { id, grant } = toSign
  const { confirmer } = grant
  const { appended, fact } = await bindSigned(
    runtime,
    {
      kind: 'grant',
      tokens: [id, token(confirmer)],
      by: confirmer,
      signs: by,
      content: () => grant,
      refusal: (state, placed) => grantRefusal(state, { id, ...placed }),
    },
    'grant_void',
  )
  if (!appended) throw new Fault('conflict', `\`${id}\` is bound already`)
  return fact
}

/** Why it would count for nothing; its signature is not looked at, and its name not yet its own. */
function refusalOf(
  { follower, clock }: BindsSigned,
  { id, grant }: Pick<GrantToSign, 'id' | 'grant'>,
): string | null {
  const parsed = GrantData.safeParse(grant)
  if (!parsed.success) return firstIssue(parsed.error)
  const name = `-.1.grant.${id}.${token(grant.confirmer)}`
  const of = { id, name, appendedAt: clock.now(), data: parsed.data }
  const refusal = grantRefusal(follower.state, of)
  return refusal === 'it is not signed' ? null : refusal
}
