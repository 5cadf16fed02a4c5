// Counted uses of one capability by one agent: a sliding window that is exact however many workers
// take uses at once, because each use is a name.
import type { UseKind } from '#schemas/kinds'
import { noGrantUses, type GrantUses } from '#rules/grants/book'
import type { CountedUses } from '#schemas/catalog'
import { newSequence, take, type Sequence } from '../../sequence.ts'
import { keyUsesIn, type AllBudgetUses } from '../budgets/budgets.ts'

export interface Uses {
  readonly sequence: Sequence
  /** When the latest uses were appended, oldest first. */
  readonly times: readonly number[]
}

// As many as the limit are enough to judge it. More are kept, so that a limit which the catalog
// widens later is judged by what happened before.
const usesKeptMin = 1_000

export const noUses: Uses = { sequence: newSequence, times: [] }

/** The counted uses of that kind: of capabilities, or of the attention of people for them. */
export function usesIn(
  { uses, asks }: { readonly uses: Map<string, Uses>; readonly asks: Map<string, Uses> },
  kind: 'rate' | 'asked',
): Map<string, Uses> {
  return kind === 'rate' ? uses : asks
}

/** The number of the next use; `sequence`: the tokens before it, as they stand in its name. */
export function nextUse(
  state: {
    readonly uses: Map<string, Uses>
    readonly asks: Map<string, Uses>
    readonly budgets: AllBudgetUses
    readonly grantUses: ReadonlyMap<string, GrantUses>
  },
  kind: UseKind,
  sequence: string,
): number {
  if (kind === 'use') return (state.grantUses.get(sequence) ?? noGrantUses).sequence.next
  if (kind !== 'budget') return (usesIn(state, kind).get(sequence) ?? noUses).sequence.next
  const [budget = '', key = ''] = sequence.split('.')
  return keyUsesIn(state.budgets, { budget, key }).sequence.next
}

/** After use `number` was bound under a limit of that many `uses`. */
export function countUse(uses: Uses, number: number, appendedAt: number, limit: number): Uses {
  const kept = uses.times.slice(1 - Math.max(limit, usesKeptMin))
  return { sequence: take(uses.sequence, number), times: [...kept, appendedAt] }
}

/** After something that is no use has used the number. */
export function takeNumber(uses: Uses, number: number): Uses {
  return { sequence: take(uses.sequence, number), times: uses.times }
}

/** How long until another use is free, in milliseconds; 0 means now. */
export function waitForUse(uses: Uses, limit: { uses: number; windowMs: number }, now: number) {
  const blocking = uses.times.at(-limit.uses)
  if (blocking === undefined) return 0
  return Math.max(0, blocking + limit.windowMs - now)
}

/** What an agent brings along takes the place of what was counted here since: it is among that. */
export function takeOver(
  all: Map<string, Uses>,
  agent: string,
  { capability, times }: CountedUses,
): void {
  const key = `${agent}.${capability}`
  const { sequence, times: own } = all.get(key) ?? noUses
  const brought = times.toSorted((one, other) => one - other)
  const [first = 0] = brought
  all.set(key, { sequence, times: [...own.filter((time) => time < first), ...brought] })
}
