// What a made-up request came to, read from the facts that followed from it.
import { readData } from '#record/event'
import type { Fact } from '#ports/log'
import type { CallbackAnswer } from '#schemas/callbacks'
import type { JsonObject } from '#schemas/catalog'
import type { GroundingData } from '#schemas/facts'
import type { Reason } from '#schemas/reasons'
import type { Question } from '#schemas/review'
import type { TrialMessage } from './trial.ts'

export interface CameTo {
  readonly outcome: 'allow' | 'deny' | 'ask' | 'hold' | 'nothing'
  readonly reasons: readonly Reason[]
  readonly questions: readonly Question[]
  readonly confirmers: readonly string[]
  readonly constraints: JsonObject
  readonly grounding: GroundingData | null
  /** What callbacks answered. */
  readonly callbacks: readonly CallbackAnswer[]
}

export function asking(sender: string, { ...intent }: object): TrialMessage['fields'] {
  return {
    type: 'query',
    sender,
    content: 'an intent of a test',
    confidence: 0.5,
    payload: { intent },
  }
}

export function cameTo(facts: readonly Fact[]): CameTo {
  const last = facts.at(-1)
  const grounding = lastOf(facts, 'grounding')
  const verdict = lastOf(facts, 'verdict')
  const review = lastOf(facts, 'review')
  const base = { grounding, confirmers: [], questions: [], reasons: [], constraints: {} }
  if (verdict !== null) {
    const { outcome, reasons, callbacks, terms } = verdict
    return { ...base, outcome, reasons, callbacks, constraints: terms?.constraints ?? {} }
  }
  if (review !== null) {
    const { questions, confirmers, callbacks, terms } = review
    const { constraints } = terms
    return { ...base, outcome: 'ask', questions, confirmers, callbacks, constraints }
  }
  const isHeld = readData('hold', last) !== null
  return { ...base, outcome: isHeld ? 'hold' : 'nothing', callbacks: [] }
}

function lastOf<K extends 'grounding' | 'verdict' | 'review'>(facts: readonly Fact[], kind: K) {
  return readData(
    kind,
    facts.findLast(({ name }) => name.split('.')[2] === kind),
  )
}
