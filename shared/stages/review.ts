// A review: what people are asked, what a yes permits, who of them may answer and until when. All
// that matters is digested, and an answer counts for that digest only; nothing in it may differ
// from run to run, and words that only describe are not under it.
import { utf8Length } from '#platform/bytes'
import type { Ground } from '#schemas/facts'
import type { Question, ReviewData, ReviewTerms, Shown, TriggeredPolicy } from '#schemas/review'
import { canonical, jsonOf } from '#record/canonical'
import { confirmationOf } from '#rules/catalog/catalog'
import { eligible, type Confirmers } from '#rules/catalog/confirmers'
import { bothDemands, isSameDemands } from '#rules/catalog/people/demands'
import { asksPeople } from '#rules/catalog/doors/subjects'
import { hasRules } from '#rules/catalog/rules-version'
import { digestOfJson } from '#record/digest'
import type { Draft } from '#record/event'
import { constraintsOf } from '#rules/chain/constraints'
import { coveredBy, type ReviewContent } from '#rules/chain/review-content'
import { mayAskPeople } from '#rules/chain/judged'
import type { Case, NoConfirmerCause } from '#rules/chain/rule-input'
import type { Violation } from '#rules/chain/violation'
import { nameOf } from '#record/names'
import { actingFor, wholeChain, chainTerm } from './chain/acting-for.ts'
import type { Inputs } from './stage.ts'
import { argumentDigests, capabilityOf, type Context, type View } from './view.ts'

/** Arguments with more bytes than these cannot be shown to a person, and so not approved. */
const argsShownBytesMax = 65_536

/** So many reviews an intent may have: a change of what is asked opens the next. */
export const reviewsMax = 8

export interface ReviewRequest {
  readonly questions: readonly Question[]
  readonly ground: Ground | null
  readonly violations: readonly Violation[]
  /** By which the terms are narrowed. */
  readonly of: Case
}

/** The review that the judgement calls for, or why no one can be asked. */
export function reviewDraft(
  inputs: Inputs,
  asked: ReviewRequest,
): Draft<'review'> | { readonly cause: NoConfirmerCause } {
  const { view, context, answers } = inputs
  const { intent, opening } = view
  // No one is asked about a call that is made whatever they say.
  const isObserved = opening.request?.observe === true
  const hasCause = hasRules(view.catalog, 'observedAsksNoOne')
  const panel = panelOf(view, context, asked.questions)
  const hasEnded = intent.reviewNext > reviewsMax
  if (typeof panel === 'string') return { cause: panel }
  if (!mayAskPeople(view.catalog, opening)) return { cause: 'not_asked' }
  if (isObserved && hasCause) return { cause: 'not_asked' }
  if (isObserved || intent.grounding === null || hasEnded) return { cause: 'none_eligible' }
  if (!canBeShown(view)) return { cause: 'arguments_too_large' }
  const { agent: _, ...content } = contentOf({ view, context }, asked, panel)
  const data: ReviewData = {
    ...content,
    callbacks: [...answers],
    confirmation: panel.confirmation,
    confirmers: [...panel.confirmers],
    ...(!isSameDemands(panel.demands) && { demands: panel.demands }),
    ...(panel.demands.deputies === true && { side: [...panel.side] }),
    decideBy: new Date(decideBy(inputs, panel.decideWithinMs)).toISOString(),
    digest: digestOfContent({ ...content, agent: view.ref.agent }),
    excluded: [...panel.excluded],
    grounding: intent.grounding.name,
    intent: view.ref,
    number: intent.reviewNext,
    previous: intent.review?.name ?? null,
    quorum: panel.quorum,
    shown: shownOf(view),
    tier: panel.tier,
  }
  const name = nameOf(view.place, 'review', intent.address, intent.reviewNext)
  return { kind: 'review', name, data }
}

/** What people are asked, and what a yes permits. */
export function contentOf(
  { view, context }: Pick<Inputs, 'view' | 'context'>,
  { questions, ground, violations, of }: ReviewRequest,
  { useWithinMs }: Pick<Panel, 'useWithinMs'>,
): ReviewContent {
  return {
    agent: view.ref.agent,
    log: view.log,
    gaps: [...(ground?.gaps ?? [])],
    policies: violations.map(triggered),
    questions: [...questions],
    terms: { ...termsOf(view, of, useWithinMs), ...chainTerm(view, context), ...subjectTerm(view) },
    ...valuesOf(of),
  }
}

// A call without such values is written, and digested, as if there were no such thing.
function valuesOf({ values = [] }: Case): Pick<ReviewContent, 'values'> {
  return values.length === 0 ? {} : { values: values.map(({ found }) => found) }
}

export function digestOfContent(content: ReviewContent): string {
  return digestOfJson(coveredBy(content))
}

function triggered({ policy, source, target, callback }: Violation): TriggeredPolicy {
  const { name, requiresConfirmation, confirmation } = policy
  const base = { policy: name, source, target, requiresConfirmation }
  return {
    ...base,
    ...(confirmation !== undefined && { confirmation }),
    result: callback === null ? null : resultOf(callback),
  }
}

function resultOf(callback: NonNullable<Violation['callback']>): TriggeredPolicy['result'] {
  if (callback.fault !== undefined) return { fault: callback.fault }
  const { passed, message } = callback
  return { passed, ...(message !== undefined && { message }) }
}

function termsOf(view: View, of: Case, useWithinMs: number): ReviewTerms {
  const { request } = view.opening
  const args = request?.args ?? {}
  return {
    args,
    ...argumentDigests(view),
    capability: request?.tool ?? '',
    constraints: { ...constraintsOf(of) },
    scope: { ...request?.scope },
    useWithinMs,
  }
}

// By whose rights it is judged, where those are not the agent's own.
function subjectTerm({ judged, ref }: View): Pick<ReviewTerms, 'subject'> {
  return judged === ref.agent ? {} : { subject: judged }
}

/** Whether a person can read the arguments: what no one can read, no one approves. */
export function canBeShown({ opening }: View): boolean {
  const bytes = utf8Length(canonical(jsonOf(opening.request?.args ?? {})))
  return bytes <= argsShownBytesMax
}

function shownOf(view: View): Shown {
  const { request } = view.opening
  const capability = capabilityOf(view)
  return {
    description: capability?.description ?? '',
    goal: request?.goal ?? null,
    justification: request?.justification ?? null,
    owner: view.catalog.principals.get(view.ref.agent)?.owner ?? null,
    safetyClass: capability?.safetyClass ?? '',
    sensitivity: capability?.sensitivity ?? '',
  }
}

// After its last moment a delegation permits nothing, so no one is asked beyond it.
function decideBy({ view, context }: Inputs, decideWithinMs: number): number {
  const { until = Infinity } = actingFor(view, context) ?? {}
  const last = Math.min(view.now + decideWithinMs, until)
  const { replyBy } = view.opening.request ?? {}
  return replyBy === undefined ? last : Math.min(last, Date.parse(replyBy))
}

export interface Panel extends Confirmers {
  readonly confirmation: string | null
}

/**
 * Who answers, or why no one may. Where the questions name several confirmations, the answer
 * must satisfy each: the confirmers are those that all of them allow, the quorum is the largest,
 * the deadlines are the shortest. The owner's word never stands in for the group's, nor theirs for
 * the owner's, so questions of both tiers have no one who may answer all of them.
 */
export function panelOf(
  view: View,
  context: Context,
  questions: readonly Question[],
): Panel | NoConfirmerCause {
  const named = new Set(questions.map(({ confirmation }) => confirmation))
  const { judged: agent } = view
  const chain = wholeChain(view, context) ?? []
  // Who asks for another is on that one's side, and so are its owners.
  const asker = asksPeople(view.catalog, view.ref.agent) ? [view.ref.agent] : []
  const delegators = [...delegatorsOf(view, context), ...chain, ...asker]
  let panel: Panel | null = null
  for (const id of named) {
    const confirmation = confirmationOf(view.catalog, id)
    const found = confirmation && eligible(view.catalog, { agent, confirmation, delegators })
    // Who lets it act is no second pair of eyes, and neither is an owner who does.
    const isOfChain = found?.confirmers.some((one) => chain.includes(one)) === true
    if (found === null || isOfChain) return 'none_eligible'
    // Outside of a session no one can know who asked the agent to act.
    const isAlone = view.ref.session === null && confirmation?.tier === 'four_eyes'
    if (isAlone && confirmation.sessionless !== true) return 'session_missing'
    const next = { ...found, confirmation: id ?? null }
    if (panel !== null && panel.tier !== next.tier) return 'none_eligible'
    panel = panel === null ? next : both(panel, next)
  }
  if (panel === null) return 'none_eligible'
  const quorum = Math.max(panel.quorum, ...questions.map((question) => question.quorum ?? 1))
  return panel.confirmers.length < quorum ? 'none_eligible' : { ...panel, quorum }
}

function both(a: Panel, b: Panel): Panel {
  return {
    ...a,
    confirmers: a.confirmers.filter((id) => b.confirmers.includes(id)),
    excluded: [...new Set([...a.excluded, ...b.excluded])],
    quorum: Math.max(a.quorum, b.quorum),
    demands: bothDemands(a.demands, b.demands),
    side: [...new Set([...a.side, ...b.side])],
    decideWithinMs: Math.min(a.decideWithinMs, b.decideWithinMs),
    useWithinMs: Math.min(a.useWithinMs, b.useWithinMs),
  }
}

// On whose behalf the agent acts: everyone who asked something in its session before it acted,
// cited or not, since the agent writes its own citations. Outside of a session only what is cited
// is known.
function delegatorsOf(view: View, context: Context): readonly string[] {
  const { agent } = view.ref
  const delegators = new Set<string>()
  for (const { sender, position, check } of [...context.session, ...context.referred]) {
    if (position >= view.opening.position || check.message?.type !== 'query') continue
    if (sender !== agent) delegators.add(sender)
  }
  return [...delegators]
}
