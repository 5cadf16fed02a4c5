// What has been used of each budget: a sliding window for each key, kept up to date by the time of
// the log. It is bounded: what no window counts is dropped, and one agent holds no more than so
// many uses of a budget.
import { newSequence, take, type Sequence } from '../../sequence.ts'

export interface BudgetUse {
  /** As tokens: which budget it is of is known where it is kept. */
  readonly agent: string
  readonly key: string
  /** The intent that took it; null for what an agent brought along from another cell. */
  readonly address: string | null
  readonly at: number
  /** In the smallest parts. */
  readonly amount: bigint
}

/** What is used for one key: a value that is replaced, and never changed. */
export interface KeyUses {
  readonly sequence: Sequence
  /** Those that the window counts stand from `from` to before `to`; more may be added behind. */
  readonly list: BudgetUse[]
  readonly from: number
  readonly to: number
  /** What they come to. */
  readonly total: bigint
}

/** Of one budget. */
export interface BudgetUses {
  /** The highest number of a key that was dropped: a name is never made twice. */
  floor: number
  readonly keys: Map<string, KeyUses>
  /** How many uses that the window counts are of each agent. */
  readonly byAgent: Map<string, number>
  /** All uses in the order of their times, from `first` on; those given back are among them. */
  order: BudgetUse[]
  first: number
}

/** Of which budget, and for which key, an intent has taken its use; as tokens. */
export interface TakenBudget {
  readonly budget: string
  readonly key: string
}

/** By the token of the budget's name. */
export type AllBudgetUses = Map<string, BudgetUses>

/** So many uses of one budget may be an agent's: one that varies keys ends there. */
export const usesOfAgentMax = 100_000

/** As many may have passed before they are cut off. */
const passedMax = 1_024

export function budgetUsesIn(all: AllBudgetUses, budget: string): BudgetUses {
  const before = all.get(budget)
  if (before !== undefined) return before
  const made = { floor: 0, keys: new Map(), byAgent: new Map(), order: [], first: 0 }
  all.set(budget, made)
  return made
}

/** Of one key, as it is now; also of one that has none. */
export function keyUsesIn(all: AllBudgetUses, { budget, key }: TakenBudget): KeyUses {
  const of = all.get(budget)
  const next = (of?.floor ?? 0) + 1
  const none = { list: [], from: 0, to: 0, total: 0n }
  return of?.keys.get(key) ?? { sequence: { ...newSequence, next }, ...none }
}

/** Oldest first. */
export function usesOf({ list, from, to }: KeyUses): readonly BudgetUse[] {
  return list.slice(from, to)
}

/** After that number was used for the key, whether it counts for anything or not. */
export function takeBudgetNumber(all: AllBudgetUses, taken: TakenBudget, number: number): void {
  const of = budgetUsesIn(all, taken.budget)
  const uses = keyUsesIn(all, taken)
  of.keys.set(taken.key, { ...uses, sequence: take(uses.sequence, number) })
  dropEmpty(of, taken.key)
}

/** Its number is taken before. */
export function addBudgetUse(all: AllBudgetUses, budget: string, use: BudgetUse): void {
  const of = budgetUsesIn(all, budget)
  of.keys.set(use.key, withUse(keyUsesIn(all, { budget, key: use.key }), use))
  of.byAgent.set(use.agent, (of.byAgent.get(use.agent) ?? 0) + 1)
  of.order.push(use)
}

// A value that someone holds is read up to its own end.
function withUse({ sequence, list, from, to, total }: KeyUses, use: BudgetUse): KeyUses {
  const isShared = list.length !== to || from > passedMax
  const uses = isShared ? list.slice(from, to) : list
  uses.push(use)
  const start = isShared ? 0 : from
  return { sequence, list: uses, from: start, to: uses.length, total: total + use.amount }
}

/** Drops what the windows do not count at that time; a budget without a window loses all. */
export function dropPassed(
  all: AllBudgetUses,
  now: number,
  windowMsOf: (budget: string) => number | null,
): void {
  for (const [budget, of] of all) {
    const oldest = of.order[of.first]
    if (oldest === undefined) continue
    const windowMs = windowMsOf(budget) ?? 0
    if (oldest.at + windowMs <= now) dropBefore(of, now - windowMs)
  }
}

function dropBefore(of: BudgetUses, at: number): void {
  for (let use = of.order[of.first]; use !== undefined && use.at <= at;) {
    of.first += 1
    const uses = of.keys.get(use.key)
    // One that was given back is gone from there.
    if (uses !== undefined && uses.list[uses.from] === use && uses.from < uses.to) {
      of.keys.set(use.key, { ...uses, from: uses.from + 1, total: uses.total - use.amount })
      countLess(of, use.agent)
      dropEmpty(of, use.key)
    }
    use = of.order[of.first]
  }
  if (of.first <= passedMax || of.first * 2 < of.order.length) return
  of.order = of.order.slice(of.first)
  of.first = 0
}

function countLess({ byAgent }: BudgetUses, agent: string): void {
  const count = (byAgent.get(agent) ?? 0) - 1
  if (count > 0) byAgent.set(agent, count)
  else byAgent.delete(agent)
}

// Numbers that junk has used are kept in mind: they would be tried again for ever.
function dropEmpty(of: BudgetUses, key: string): void {
  const uses = of.keys.get(key)
  if (uses === undefined || uses.from < uses.to || uses.sequence.used.size > 0) return
  of.keys.delete(key)
  of.floor = Math.max(of.floor, uses.sequence.next - 1)
}

/** What the intent has taken is free again. */
export function giveBack(all: AllBudgetUses, address: string, taken: readonly TakenBudget[]): void {
  for (const { budget, key } of taken) {
    const of = all.get(budget)
    const uses = of?.keys.get(key)
    if (of === undefined || uses === undefined) continue
    const kept = usesOf(uses).filter((use) => use.address !== address)
    for (const use of usesOf(uses)) if (use.address === address) countLess(of, use.agent)
    of.keys.set(key, withAll(uses.sequence, kept))
    dropEmpty(of, key)
  }
}

/** Begins the numbers of an era: of those behind where each has come to, none is used. */
export function beginNumbers(all: AllBudgetUses): void {
  for (const of of all.values()) {
    for (const [key, uses] of of.keys) {
      if (uses.sequence.used.size === 0) continue
      const sequence = { next: uses.sequence.next, used: newSequence.used }
      of.keys.set(key, { ...uses, sequence })
      dropEmpty(of, key)
    }
  }
}

function withAll(sequence: Sequence, uses: readonly BudgetUse[]): KeyUses {
  const total = uses.reduce((sum, { amount }) => sum + amount, 0n)
  return { sequence, list: [...uses], from: 0, to: uses.length, total }
}

/** Puts these in place of what the keys have; each list is in the order of its times. */
export function replaceUses(
  of: BudgetUses,
  replaced: (key: string, uses: readonly BudgetUse[]) => readonly BudgetUse[],
): void {
  for (const [key, uses] of of.keys) {
    of.keys.set(key, withAll(uses.sequence, replaced(key, usesOf(uses))))
  }
  const all = [...of.keys.values()].flatMap(usesOf)
  of.order = all.toSorted((one, other) => one.at - other.at)
  of.first = 0
  of.byAgent.clear()
  for (const { agent } of all) of.byAgent.set(agent, (of.byAgent.get(agent) ?? 0) + 1)
}

/** What an agent brings along takes the place of what it has used here before: that is among it. */
export function takeOverUses(
  all: AllBudgetUses,
  { budget, key }: TakenBudget,
  {
    agent,
    brought,
  }: { readonly agent: string; readonly brought: readonly Pick<BudgetUse, 'at' | 'amount'>[] },
): void {
  const of = budgetUsesIn(all, budget)
  const own = usesOf(keyUsesIn(all, { budget, key })).filter((use) => use.agent !== agent)
  of.keys.set(key, keyUsesIn(all, { budget, key }))
  const uses = [...own, ...brought.map((use) => ({ ...use, agent, key, address: null }))]
  const merged = uses.toSorted((one, other) => one.at - other.at)
  replaceUses(of, (each, kept) => (each === key ? merged : kept))
}

/** For someone who goes on by itself from here. */
export function copyOfBudgets(all: AllBudgetUses): AllBudgetUses {
  return new Map(
    [...all].map(([budget, of]) => {
      const { keys, byAgent, order, first } = of
      const own = { keys: new Map(keys), byAgent: new Map(byAgent), order: order.slice(first) }
      return [budget, { ...of, ...own, first: 0 }]
    }),
  )
}

/**
 * How long until so much of it is free, in milliseconds; 0 where it is now, and null where that is
 * never, since it is more than all of it.
 */
export function waitForAmount(
  { list, from, to, total }: KeyUses,
  {
    asked,
    max,
    windowMs,
  }: {
    readonly asked: bigint
    readonly max: bigint
    readonly windowMs: number
  },
  now: number,
): number | null {
  if (asked > max) return null
  let used = total
  for (let index = from; index < to && used + asked > max; index += 1) {
    const use = list[index]
    if (use === undefined) continue
    used -= use.amount
    if (used + asked <= max) return Math.max(1, use.at + windowMs - now)
  }
  return 0
}

/** How long until one of the agent's uses has passed. */
export function waitForAgent(
  { order, first }: BudgetUses,
  agent: string,
  windowMs: number,
  now: number,
): number {
  for (let index = first; index < order.length; index += 1) {
    const use = order[index]
    if (use?.agent === agent) return Math.max(1, use.at + windowMs - now)
  }
  return 0
}
