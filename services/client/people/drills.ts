// Drills: a policy admin plants a test question drawn from an earlier review, those who agreed to
// it are shown it like a review, and their answers are signed under names of their own.
import { altered, allLeaves, wrongValue } from '#core/attention/altered'
import { drillAnswerRefusal, drillRefusal, drillsFor } from '#core/attention/drills'
import { mayBeDrilled } from '#core/catalog/people/attention'
import { jsonOf, type Json } from '#core/kernel/canonical'
import { digestOfJson } from '#core/kernel/digest'
import { readData, writeEvent } from '#core/kernel/event'
import { Fault } from '#core/kernel/fault'
import { token } from '#core/kernel/names'
import { signerOf, type SignsWith } from '#core/kernel/crypto/private-key'
import { digestOfContent } from '#core/stages/review'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
import type { OpenReviewShown } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'
import type { DrillData } from '#schemas/attention/drill'
import { ReviewTerms, type ReviewData } from '#schemas/review'

export interface Drawing {
  /** The name of an earlier review. */
  readonly review: string
  /** The policy admin who plants it. */
  readonly by: string
  /** Other values by JSON pointer; absent means one that is plainly wrong. */
  readonly changes?: ReadonlyMap<string, Json>
  /** Everyone who might answer the review and has agreed to drills, if not given. */
  readonly shownTo?: readonly string[]
  readonly note?: string
}

/** A drill as it is to be signed. */
export interface DrillToSign {
  readonly id: string
  readonly drill: Omit<DrillData, 'signature'>
}

/** Throws a Fault `drill_void` where none can be drawn. */
export async function drawDrill(runtime: Runtime, drawing: Drawing): Promise<DrillToSign> {
  const { log, follower, clock, ids } = runtime
  const { review: drawnFrom, by, note } = drawing
  const fact = await log.get(drawnFrom)
  const review = readData('review', fact)
  if (fact === undefined || review === null) {
    throw new Fault('drill_void', `the log has no review \`${drawnFrom}\``)
  }
  const changes = drawing.changes ?? oneWrong(jsonOf(review.terms.args))
  const args = altered(jsonOf(review.terms.args), changes)
  if (args === null || changes.size === 0) {
    const fix = 'name what differs, by its JSON pointer'
    throw new Fault('drill_void', `its arguments cannot be changed like that: ${fix}`)
  }
  const { catalog } = follower.state
  const willing = review.confirmers.filter((one) => one !== by && mayBeDrilled(catalog, one))
  const shownTo = drawing.shownTo ?? willing
  if (shownTo.length === 0) {
    const fix = 'list them in `attention.drills` of the catalog'
    throw new Fault('drill_void', `no one who might answer it has agreed to drills: ${fix}`)
  }
  const id = ids.next(clock.now())
  const openMs = Date.parse(review.decideBy) - fact.appendedAt
  const asks = asked(review, { id, args, decideBy: clock.now() + openMs })
  const shown = { by, shownTo: [...shownTo], drawnFrom, changed: [...changes.keys()], asks }
  return { id: token(id), drill: { ...shown, ...(note !== undefined && { note }) } }
}

// The first that can be made wrong: the same review always makes the same drill.
function oneWrong(args: Json): ReadonlyMap<string, Json> {
  for (const [pointer, value] of allLeaves(args)) {
    const wrong = wrongValue(value)
    if (wrong !== null) return new Map([[pointer, wrong]])
  }
  return new Map()
}

// What its checks answered is about the call that was, and is left out.
function asked(
  review: ReviewData,
  { id, args, decideBy }: { readonly id: string; readonly args: Json; readonly decideBy: number },
): ReviewData {
  const { executedDigest: _, ...terms } = review.terms
  const { intent } = review
  const address = [...intent.address.split('.').slice(0, -1), token(id)].join('.')
  const content = {
    ...review,
    intent: { ...intent, address },
    terms: { ...terms, args: ReviewTerms.shape.args.parse(args), argsDigest: digestOfJson(args) },
  }
  const digest = digestOfContent({ ...content, agent: intent.agent })
  const own = { number: 1, previous: null, decideBy: new Date(decideBy).toISOString() }
  return { ...content, ...own, digest, callbacks: [] }
}

/** Throws a Fault `drill_void` for one that would count for nothing. */
export async function plantDrill(
  runtime: Runtime,
  { id, drill }: DrillToSign,
  signs: SignsWith,
): Promise<Fact> {
  const { follower, clock } = runtime
  const bytes = (name: string): Uint8Array => {
    const { state } = follower
    const signature = signerOf(signs)({ log: state.log, name }, jsonOf(drill))
    const data = { ...drill, signature }
    const now = clock.now()
    const placed = { name, position: state.position + 1, appendedAt: now, data }
    const refusal = drillRefusal(state, id, placed)
    if (refusal !== null) throw new Fault('drill_void', `nothing is bound: ${refusal}`)
    const stamp = {
      source: `confirmer/${token(drill.by)}`,
      time: new Date(now).toISOString(),
      basis: state.position,
    }
    return writeEvent('drill', name, jsonOf(data), stamp)
  }
  const { fact } = await bindInEra(runtime, { kind: 'drill', tokens: [id], bytes })
  await follower.reached(fact.position)
  return fact
}

/** A drill as it is shown: like a review, under a name that is in no log. */
export interface ShownDrill extends OpenReviewShown {
  readonly drill: string
}

/** What that person is to be shown among the reviews. */
export async function openDrillsOf(
  { log, follower, clock }: Pick<Runtime, 'log' | 'follower' | 'clock'>,
  person: string,
): Promise<readonly ShownDrill[]> {
  const open = drillsFor(follower.state.drills, person, clock.now())
  const shown = await Promise.all(
    open.map(async ({ id, name }) => shownDrill(id, await log.get(name))),
  )
  return shown.filter((one) => one !== null)
}

/** Null for what is no drill, and for one that shows something else than its digest covers. */
export function shownDrill(id: string, fact: Fact | undefined): ShownDrill | null {
  const data = readData('drill', fact)
  if (fact === undefined || data === null) return null
  const { name, position, appendedAt: openedAt } = fact
  const { asks } = data
  if (digestOfContent({ ...asks, agent: asks.intent.agent }) !== asks.digest) return null
  const { address: intent } = asks.intent
  const as = [...name.split('.').slice(0, 2), 'review', intent, '1'].join('.')
  return { drill: id, name: as, intent, position, openedAt, review: asks }
}

export type DrillAnswer = SignsWith & {
  /** The id of the drill. */
  readonly drill: string
  readonly confirmer: string
  /** One for each question in order, or one for all of them. */
  readonly answers: boolean | readonly boolean[]
  readonly note?: string
}

/** Throws a Fault `decision_void` for an answer that would count for nothing. */
export async function answerDrill(runtime: Runtime, answer: DrillAnswer): Promise<Fact> {
  const { follower, clock } = runtime
  const { drill: id, confirmer, answers, note } = answer
  const drill = follower.state.drills.get(id)
  if (drill === undefined) throw new Fault('no_review', `no drill \`${id}\` is open`)
  const each = Array.from({ length: drill.questions }, () => answers)
  const content = {
    drill: drill.name,
    digest: drill.digest,
    confirmer,
    answers: typeof answers === 'boolean' ? each : [...answers],
    ...(note !== undefined && { note }),
  }
  const bytes = (name: string): Uint8Array => {
    const { state } = follower
    const signature = signerOf(answer)({ log: state.log, name }, jsonOf(content))
    const data = { ...content, answers: content.answers.map((yes) => yes === true), signature }
    const now = clock.now()
    const placed = { name, position: state.position + 1, appendedAt: now, data }
    const refusal = drillAnswerRefusal(state, id, placed)
    if (refusal !== null) throw new Fault('decision_void', `nothing is bound: ${refusal}`)
    const time = new Date(now).toISOString()
    const stamp = { source: `confirmer/${token(confirmer)}`, time, basis: state.position }
    return writeEvent('drillanswer', name, jsonOf(data), stamp)
  }
  const tokens = [id, token(confirmer)]
  const { appended, fact } = await bindInEra(runtime, { kind: 'drillanswer', tokens, bytes })
  if (!appended) throw new Fault('decided', `\`${confirmer}\` has answered this already`)
  await follower.reached(fact.position)
  return fact
}
