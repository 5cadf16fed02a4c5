// What a change would have done, summed up: what flips by reason, and how often people are asked.
import type { DerivedOutcome } from '#replay/what-if/outcome'
import type { HistoryReport, PastIntent } from '#replay/what-if/history'

/** All that turns in the same way for the same reason. */
export interface TurnCount {
  readonly from: DerivedOutcome['outcome']
  readonly to: DerivedOutcome['outcome']
  readonly why: string
  count: number
  /** The first of them. */
  readonly example: string
}

/** How often someone is asked. */
export interface Load {
  before: number
  after: number
}

export interface Summary {
  readonly flips: PastIntent[]
  readonly turns: Map<string, TurnCount>
  /** Answers of people that count after the change as they did. */
  kept: number
  readonly asked: Load
  /** By whom that would be asked. */
  readonly confirmers: Map<string, Load>
}

export interface WhatIfSummary extends HistoryReport, Summary {
  /** How long it took. */
  readonly ms: number
}

export function newSummary(): Summary {
  return {
    flips: [],
    turns: new Map(),
    kept: 0,
    asked: { before: 0, after: 0 },
    confirmers: new Map(),
  }
}

export function summarise(summary: Summary, intent: PastIntent): void {
  const { asks, kept, isFlip } = intent
  if (kept) summary.kept += 1
  count(summary, asks.before, 'before')
  count(summary, asks.after, 'after')
  if (!isFlip) return
  summary.flips.push(intent)
  const { before, after } = intent
  const [from, to, why] = [before.outcome, after.outcome, whyOf(before, after)]
  const key = `${from} ${to} ${why}`
  const turn = summary.turns.get(key)
  if (turn !== undefined) turn.count += 1
  else summary.turns.set(key, { from, to, why, count: 1, example: intent.address })
}

function count(summary: Summary, asks: readonly string[] | null, when: keyof Load): void {
  if (asks === null) return
  summary.asked[when] += 1
  for (const id of asks) {
    const load = summary.confirmers.get(id) ?? { before: 0, after: 0 }
    load[when] += 1
    summary.confirmers.set(id, load)
  }
}

/** The codes and rules that make the difference. */
function whyOf(before: DerivedOutcome, after: DerivedOutcome): string {
  if (after.questions.length > 0) return askedText(after)
  if (after.reasons.length > 0) return refusalText(after)
  const was = [refusalText(before), askedText(before)].filter((text) => text !== '').join(', ')
  return was === '' ? '' : `no longer ${was}`
}

function askedText({ questions }: DerivedOutcome): string {
  return questions.map(({ kind, policy, rule }) => policy ?? rule ?? kind).join(', ')
}

/** Such as `policy_blocked (hours)`: the codes, and the rules by name. */
export function refusalText({ reasons, rules = [] }: Pick<DerivedOutcome, 'reasons' | 'rules'>) {
  const codes = reasons.join(', ')
  return rules.length === 0 ? codes : `${codes} (${rules.join(', ')})`
}

/** All of it, as a value for programs. */
export function whatIfJson({ turns, confirmers, ...rest }: WhatIfSummary) {
  const asked = Object.fromEntries(confirmers)
  return { ...rest, turns: [...turns.values()], confirmers: asked }
}
