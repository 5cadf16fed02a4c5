// A use of a budget: what the fold makes of it, and when it is given back or passes.
import type { BudgetData } from '#schemas/facts'
import { amountWritten } from '#rules/budgets/decimal'
import { keyToken } from '#rules/budgets/reading'
import type { Catalog } from '#rules/catalog/catalog'
import { readData, readEvent } from '#record/event'
import { agentIn, token, type NameParts } from '#record/names'
import {
  addBudgetUse,
  dropPassed,
  giveBack,
  keyUsesIn,
  takeBudgetNumber,
  type TakenBudget,
} from '../budgets.ts'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { LoggedFact } from '../folded.ts'
import type { OpenIntent } from '../intent.ts'
import { continues, numberOf } from '../sequence.ts'
import type { State } from '../state.ts'

export function evolveBudget(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): string | null {
  const [budget = '', key = '', last] = parts.tokens
  const number = numberOf(last)
  if (number === null) return 'its number cannot be read'
  const taken = { budget, key }
  const { sequence } = keyUsesIn(state.budgets, taken)
  const why = takeUse(state, fact, { taken, number, isNext: continues(sequence, number) }, caches)
  // For something or not, the number is used. A key that has a use is not dropped for it.
  takeBudgetNumber(state.budgets, taken, number)
  return why
}

interface Numbered {
  readonly taken: TakenBudget
  readonly number: number
  readonly isNext: boolean
}

/** Why it counts for nothing; null where it counts. */
function takeUse(
  state: State,
  fact: LoggedFact,
  { taken, number, isNext }: Numbered,
  caches?: FoldCaches,
): string | null {
  if (!isNext) return `use ${number} is out of turn`
  const data = said(fact, caches)
  if (typeof data === 'string') return data
  const intent = takerOf(state, data, taken, number)
  if (typeof intent === 'string') return intent
  const { address } = intent
  const { budget, key } = taken
  const amount = amountWritten(data.amount)
  const use = { agent: agentIn(address), key, address, at: fact.appendedAt, amount }
  addBudgetUse(state.budgets, budget, use)
  state.intents.set(address, { ...intent, budgets: [...(intent.budgets ?? []), taken] })
  return null
}

function said(fact: LoggedFact, caches?: FoldCaches): BudgetData | string {
  const written = caches?.facts.writtenBudget(fact) ?? null
  if (written !== null) return written
  const reading = readEvent('budget', fact)
  return reading.ok ? reading.event.data : reading.why
}

/** The open intent that takes it, or why it counts for nothing. */
function takerOf(
  { intents, catalog }: State,
  data: BudgetData,
  { budget, key }: TakenBudget,
  number: number,
): OpenIntent | string {
  if (data.use !== number) return `it says use ${data.use}`
  if (token(data.budget) !== budget) return 'it is of another budget'
  if (keyToken(data.key) !== key) return 'it is for another key'
  if (windowOf(catalog, budget) === null) return 'there is no such budget'
  // Of one that is decided nothing would ever be given back.
  const intent = intents.get(data.intent.address)
  if (intent === undefined) return 'no such intent is open'
  const isTaken = intent.budgets?.some((one) => one.budget === budget && one.key === key)
  return isTaken === true ? 'its intent has taken it already' : intent
}

/** What a verdict that denies has taken is free again. */
export function returnBudgets(state: State, fact: LoggedFact, address: string): void {
  const taken = state.intents.get(address)?.budgets
  if (taken === undefined) return
  if (readData('verdict', fact)?.outcome === 'deny') giveBack(state.budgets, address, taken)
}

/** To be called where the time of the log, or the catalog, has changed. */
export function passTime({
  budgets,
  catalog,
  appendedAt,
}: Pick<State, 'budgets' | 'catalog' | 'appendedAt'>): void {
  dropPassed(budgets, appendedAt, (budget) => windowOf(catalog, budget))
}

const windows = new WeakMap<Catalog['budgets'], ReadonlyMap<string, number>>()

function windowOf({ budgets }: Catalog, budget: string): number | null {
  let known = windows.get(budgets)
  if (known === undefined) {
    known = new Map(budgets.map(({ name, windowMs }) => [token(name), windowMs]))
    windows.set(budgets, known)
  }
  return known.get(budget) ?? null
}
