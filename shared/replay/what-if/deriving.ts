// What an intent would come to in a state that may be another than the log's, by the stages' own
// deciders. Nothing of what it says is ever bound, and it never guesses what a check will answer.
import type { CallbackAnswer, CallbackFault } from '#schemas/callbacks'
import { canonical, jsonOf } from '#record/canonical'
import type { Draft } from '#record/event'
import type { Opening } from '#messages/opening'
import type { Stage } from '#stages/stage'
import { unlessStuck } from '#stages/stuck'
import { viewOf, type Context, type View } from '#stages/view'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Callbacks } from '#ports/callbacks'
import { gatherAnswers, gatherContext, type Reader } from '#runtime/engine/gathering/gather'

export interface WhatIfDeriving {
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** When it is asked: RFC 3339, UTC. */
  readonly time: string
  readonly reader: Reader
  /** Reported why a callback did not answer, and of which intent. */
  readonly faulted: (address: string, fault: CallbackFault) => void
}

/** An intent as it would stand in a state. */
export interface StandingIntent {
  readonly view: View
  readonly context: Context
}

/** Null where nothing can be drawn up about it. */
export async function standingIn(
  { reader }: WhatIfDeriving,
  state: State,
  { intent, opening }: { readonly intent: OpenIntent; readonly opening: Opening },
): Promise<StandingIntent | null> {
  const then = { ...state, intents: new Map([[intent.address, intent]]) }
  const view = unlessStuck(() => viewOf(then, intent.address, opening), null)
  return view === null ? null : { view, context: await gatherContext(reader, view) }
}

/** The same, grounded in its own state. */
export function groundAgain(
  deriving: WhatIfDeriving,
  { view, context }: StandingIntent,
): StandingIntent | null {
  const stage = stageOf(deriving, 'grounding')
  const inputs = { view, context, answers: [], time: deriving.time }
  const draft = unlessStuck(() => stage?.decide(inputs) ?? null, null)
  if (draft?.kind !== 'grounding') return null
  return regrounded({ view, context }, draft)
}

function regrounded(
  { view, context }: StandingIntent,
  { name, data }: Draft<'grounding'>,
): StandingIntent {
  const { attempt } = data
  const grounding = {
    name,
    position: view.basis,
    attempt,
    grounded: data.ground?.grounded ?? true,
  }
  const intent = { ...view.intent, grounding }
  return { view: { ...view, intent }, context: { ...context, grounding: data } }
}

/**
 * Whether the two come to the same, whatever a check says: what is known of the one is known of the
 * other. Where something is missing, who is asked for it may differ all the same.
 */
export function areAlike(one: StandingIntent, other: StandingIntent): boolean {
  if (one.view.catalog !== other.view.catalog) return false
  const [before, after] = [one, other].map(({ context }) => context.grounding?.ground ?? null)
  const isAllKnown = before?.grounded !== false && after?.grounded !== false
  return isAllKnown && canonical(jsonOf(before)) === canonical(jsonOf(after))
}

export interface Decided {
  /** Null where policy has nothing to say now. */
  readonly draft: Draft | null
  /** Whether a check may answer otherwise next time. */
  readonly mayDiffer: boolean
}

// Of what is stopped no one knows what it comes to.
const untold: Decided = { draft: null, mayDiffer: true }

/** What policy makes of it, with the checks that it calls. */
export async function decidedBy(
  deriving: WhatIfDeriving,
  { view, context }: StandingIntent,
): Promise<Decided> {
  const { callbacks, time, faulted } = deriving
  const policy = stageOf(deriving, 'policy')
  if (policy === undefined) return { draft: null, mayDiffer: false }
  const calls = unlessStuck(() => policy.calls?.(view, context, time) ?? [], null)
  if (calls === null) return untold
  const answers = await gatherAnswers(callbacks, view, calls)
  for (const { fault } of answers) if (fault !== undefined) faulted(view.intent.address, fault)
  const draft = unlessStuck(() => policy.decide({ view, context, answers, time }), 'stuck')
  if (draft === 'stuck') return untold
  return { draft, mayDiffer: answers.some(isUncertain) }
}

/** The same where no check is called; null where one is. */
export function decidedAtOnce(
  deriving: WhatIfDeriving,
  { view, context }: StandingIntent,
): Decided | null {
  const { time } = deriving
  const policy = stageOf(deriving, 'policy')
  if (policy === undefined) return { draft: null, mayDiffer: false }
  return unlessStuck(() => {
    if ((policy.calls?.(view, context, time) ?? []).length > 0) return null
    return { draft: policy.decide({ view, context, answers: [], time }), mayDiffer: false }
  }, untold)
}

export function stageOf(
  { stages }: Pick<WhatIfDeriving, 'stages'>,
  wanted: Stage['name'],
): Stage | undefined {
  return stages.find(({ name }) => name === wanted)
}

/** Faults that are of this process or this moment, and not of the callback and what it is given. */
const passing: ReadonlySet<string> = new Set([
  'module_missing',
  'timed_out',
  'thread_failed',
  'not_called',
])

/** Whether it looked outside, or did not run here: next time it may answer otherwise. */
function isUncertain({ recorded, fault }: CallbackAnswer): boolean {
  return recorded === true || (fault !== undefined && passing.has(fault.code))
}
