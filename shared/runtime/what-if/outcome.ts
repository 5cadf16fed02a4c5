// What an intent would have come to under another graph, by the stages' own deciders, at the very
// basis of its recorded verdict. Nothing of what it says is ever bound.
import type { CallbackFault } from '#schemas/callbacks'
import type { Draft } from '#core/event'
import type { Graph } from '#core/graph/graph'
import { groundOf } from '#core/stage/asked'
import type { Stage } from '#core/stage/stage'
import type { Context, View } from '#core/stage/view'
import type { Question } from '#schemas/review'
import type { Gap } from '#schemas/graph'
import type { Callbacks } from '#ports/callbacks'
import type { Fact } from '#ports/log'
import { gatherAnswers } from '../gather.ts'
import { recordedFirst } from '../recorded.ts'

export interface Derived {
  /**
   * `ask` is a review that no one has answered, `hold` a wait for learning, `cannot_tell` up to
   * what a callback answers then.
   */
  readonly outcome: 'allow' | 'deny' | 'ask' | 'hold' | 'cannot_tell'
  /** The codes of a denial, in order of precedence. */
  readonly reasons: readonly string[]
  /** What people would be asked. */
  readonly questions: readonly Question[]
  /** Of `hold`: what it waits for. */
  readonly gaps?: readonly Gap[]
}

export interface Deriving {
  /** The intent right before its verdict, as the log has it. */
  readonly view: View
  readonly context: Context
  /** When the verdict was drawn up. */
  readonly time: string
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** The recorded verdict, whose answers from outside are read back. */
  readonly verdict: () => Promise<Fact | undefined>
  /** Told why a callback did not answer. */
  readonly faulted: (fault: CallbackFault) => void
}

/** Null where the stages have nothing to say of it. */
export async function outcomeUnder(graph: Graph, deriving: Deriving): Promise<Derived | null> {
  const { intent } = deriving.view
  // People are asked as the first time: what their attention was taken for is not asked again.
  const unasked = { ...intent, review: null, reviewNext: 1, asked: true }
  const view = { ...deriving.view, graph, intent: unasked }
  const context = regrounded(view, deriving.context)
  const draft = await drafted('policy', view, { ...deriving, context })
  return draft?.kind === 'review'
    ? reviewed(draft, view, { ...deriving, context })
    : derivedFrom(draft)
}

// Whether anything had to be known is up to the catalog, so where nothing had, nothing has.
function regrounded(view: View, context: Context): Context {
  const { grounding } = context
  if (grounding === null || grounding.ground === null) return context
  return { ...context, grounding: { ...grounding, ground: groundOf(view) } }
}

// People agreed to what they were shown, so where that is the same, their decisions stand.
async function reviewed(
  draft: Draft<'review'>,
  view: View,
  deriving: Deriving,
): Promise<Derived | null> {
  const { questions } = draft.data
  const asks: Derived = { outcome: 'ask', reasons: [], questions }
  const { intent } = deriving.view
  const recorded = deriving.context.review
  if (intent.review === null || recorded === null) return asks
  if (intent.review.digest !== draft.data.digest) return asks
  const review = { ...recorded, callbacks: draft.data.callbacks }
  const answered = { ...view, intent: { ...view.intent, review: intent.review } }
  const context = { ...deriving.context, review }
  return derivedFrom(await drafted('confirmation', answered, { ...deriving, context })) ?? asks
}

async function drafted(name: Stage['name'], view: View, deriving: Deriving): Promise<Draft | null> {
  const { context, time } = deriving
  const stage = deriving.stages.find((one) => one.name === name)
  if (stage === undefined) return null
  const calls = stage.calls(view, context, time)
  const verdict = calls.length === 0 ? undefined : await deriving.verdict()
  const callbacks =
    verdict === undefined
      ? deriving.callbacks
      : recordedFirst(deriving.callbacks, verdict, { readBack: 0 })
  const answers = await gatherAnswers(callbacks, view, calls)
  for (const { fault } of answers) if (fault !== undefined) deriving.faulted(fault)
  return stage.decide({ view, context, answers, time })
}

export function derivedFrom(draft: Draft | null): Derived | null {
  switch (draft?.kind) {
    case 'verdict': {
      const { outcome, reasons } = draft.data
      return { outcome, reasons: reasons.map(({ code }) => code), questions: [] }
    }
    case 'rate':
      // A use is only taken for what is allowed.
      return { outcome: 'allow', reasons: [], questions: [] }
    case 'review':
      return { outcome: 'ask', reasons: [], questions: draft.data.questions }
    case 'hold':
      return { outcome: 'hold', reasons: ['ungrounded'], questions: [] }
    default:
      return null
  }
}
