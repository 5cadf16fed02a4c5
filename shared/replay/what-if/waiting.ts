// What a change would make of intents that wait: those that are held go on or still wait, and of an
// open review it says what an agreement of those who are asked now would come to.
import type { Opening } from '#messages/opening'
import { groundOf } from '#stages/asked'
import { hasStopped } from '#stages/case'
import { findingOf } from '#stages/finding'
import type { View } from '#stages/view'
import type { OpenIntent, OpenReview } from '#state/intent'
import type { State } from '#state/state'
import type { ReviewData } from '#schemas/review'
import { gatherOpening } from '#runtime/engine/gathering/gather'
import { areAlike, decidedBy, groundAgain, stageOf, standingIn } from './deriving.ts'
import type { WhatIfDeriving, StandingIntent } from './deriving.ts'
import { outcomeOf, type DerivedOutcome } from './outcome.ts'

/** Before the change, and after it. */
export interface States {
  readonly state: State
  readonly after: State
}

export interface NamedIntent {
  readonly address: string
  readonly agent: string
  readonly tool: string | null
}

/** What a held intent would come to; `hold` where something is missing still. */
export interface GoesOn extends NamedIntent {
  readonly after: DerivedOutcome
}

/** What an agreement to an open review would come to; `ask` where people are asked again. */
export interface Agreeing extends NamedIntent {
  readonly before: DerivedOutcome
  readonly after: DerivedOutcome
}

export function namesIn({ intent, ref, opening }: View): NamedIntent {
  return { address: intent.address, agent: ref.agent, tool: opening.request?.tool ?? null }
}

/** Null where it is not open, or its opening is not here. */
export async function heldOn(
  deriving: WhatIfDeriving,
  { state, after }: States,
  held: { readonly intent: string; readonly digest: string | null },
): Promise<GoesOn | null> {
  const open = state.intents.get(held.intent)
  const opening = open === undefined ? null : await gatherOpening(deriving.reader, after, open)
  if (open === undefined || opening === null) return null
  const waits = await standingIn(deriving, after, { intent: open, opening })
  if (waits === null) return null
  const names = namesIn(waits.view)
  if (!goesOn(deriving, waits)) {
    const gaps = groundOf(waits.view)?.gaps ?? []
    const still = { outcome: 'hold' as const, reasons: ['ungrounded'], questions: [], gaps }
    return { ...names, after: still }
  }
  const attempt = open.attempt + 1
  const shown = held.digest ?? open.shown
  const intent = { ...open, attempt, hold: null, grounding: null, shown, asked: true }
  const found = await derivedIn(deriving, after, { intent, opening })
  return found === null ? null : { ...names, after: found }
}

/** Whether it is grounded again, or its agent has been stopped, so that it waits no longer. */
function goesOn(deriving: WhatIfDeriving, { view, context }: StandingIntent): boolean {
  if (hasStopped(view, context)) return true
  const learning = stageOf(deriving, 'learning')
  return learning?.decide({ view, context, answers: [], time: deriving.time })?.kind === 'resume'
}

async function derivedIn(
  deriving: WhatIfDeriving,
  state: State,
  of: { readonly intent: OpenIntent; readonly opening: Opening },
): Promise<DerivedOutcome | null> {
  const asked = await standingIn(deriving, state, of)
  const grounded = asked === null ? null : groundAgain(deriving, asked)
  return grounded === null ? null : outcomeOf(await decidedBy(deriving, grounded))
}

/** Null where it has no open review, or its opening is not here. */
export async function agreedOn(
  deriving: WhatIfDeriving,
  { state, after }: States,
  open: OpenIntent,
): Promise<Agreeing | 'as_before' | null> {
  const { review } = open
  if (review === null) return null
  const now = await releasedIn(deriving, state, open)
  const then = await releasedIn(deriving, after, open)
  if (now === null || then === null) return null
  if (areAlike(now, then)) return 'as_before'
  const before = await onceAgreed(deriving, now, review)
  const found = await onceAgreed(deriving, then, review)
  if (before === null || found === null) return null
  return { ...namesIn(now.view), before, after: found }
}

/**
 * The intent at the release of its review, but as if no one had been asked. It is not held: what
 * is missing by then refuses.
 */
async function releasedIn(
  deriving: WhatIfDeriving,
  state: State,
  open: OpenIntent,
): Promise<StandingIntent | null> {
  const opening = await gatherOpening(deriving.reader, state, open)
  if (opening === null) return null
  const hold = { attempt: 0, until: 0 }
  const intent = { ...open, review: null, decisions: [], asked: true, hold }
  const asked = await standingIn(deriving, state, { intent, opening })
  const grounding = asked?.context.grounding ?? null
  if (asked === null || grounding === null) return null
  const { view, context } = asked
  const again = { ...grounding, message: findingOf(view, context), ground: groundOf(view) }
  return { view, context: { ...context, grounding: again } }
}

async function onceAgreed(
  deriving: WhatIfDeriving,
  standing: StandingIntent,
  review: OpenReview,
): Promise<DerivedOutcome | null> {
  const decided = await decidedBy(deriving, standing)
  const { draft, mayDiffer } = decided
  const isAsked = draft?.kind === 'review' && !mayDiffer
  if (isAsked && stands(review, draft.data)) return { outcome: 'allow', reasons: [], questions: [] }
  return outcomeOf(decided)
}

/** Whether those who are asked now are enough then, and agree to just what would be asked. */
function stands(review: OpenReview, then: ReviewData): boolean {
  if (review.digest !== then.digest || review.tier !== then.tier) return false
  const standing = review.confirmers.filter((id) => then.confirmers.includes(id))
  return standing.length >= then.quorum
}
