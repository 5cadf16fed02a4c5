// Uses of budgets: what the fold makes of one, when it is given back or passes, and how they are
// kept.
import { z } from 'zod'
import type { BudgetData } from '#schemas/facts'
import { DecimalText } from '#schemas/values'
import { amountText, amountWritten } from '#rules/budgets/decimal'
import { keyToken } from '#rules/budgets/reading'
import type { Catalog } from '#rules/catalog/catalog'
import { readData, readEvent } from '#record/event'
import { agentIn, token, type NameParts } from '#record/names'
import type { FoldCaches } from '../../caches/fold-caches.ts'
import {
  Count,
  inNameOrder,
  KeptInstant,
  kept,
  readSequence,
  SequenceLine,
  writtenSequence,
} from '../../part-lines.ts'
import type { LoggedFact } from '../../folded.ts'
import type { OpenIntent } from '../../intent.ts'
import { continues, numberOf } from '../../sequence.ts'
import type { State } from '../../state.ts'
import type { CountedFact, Slice } from '../slice.ts'
import {
  addBudgetUse,
  beginNumbers,
  budgetUsesIn,
  dropPassed,
  giveBack,
  keyUsesIn,
  replaceUses,
  takeBudgetNumber,
  takeOverUses,
  usesOf,
  type TakenBudget,
} from './budgets.ts'

function evolveBudget(
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
function returnBudgets({ budgets }: State, { fact, intent }: CountedFact): void {
  if (intent?.budgets === undefined) return
  const isDenied = readData('verdict', fact)?.outcome === 'deny'
  if (isDenied) giveBack(budgets, intent.address, intent.budgets)
}

/** To be called where the time of the log, or the catalog, has changed. */
export function passTime({
  budgets,
  catalog,
  appendedAt,
}: Pick<State, 'budgets' | 'catalog' | 'appendedAt'>): void {
  if (budgets.size === 0) return
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

const floorLine = kept('budget', 'log', {
  shape: () => ({ budget: z.string(), floor: Count }),
  write: ({ budgets }) => {
    return inNameOrder(budgets).map(([budget, { floor }]) => ({ budget, floor }))
  },
  read: ({ budgets }, lines) => {
    for (const { budget, floor } of lines) budgetUsesIn(budgets, budget).floor = floor
  },
})

const usesLine = kept('budgetUses', 'log', {
  shape: () => ({
    budget: z.string(),
    key: z.string(),
    next: SequenceLine,
    uses: z.array(
      z.strictObject({
        agent: z.string(),
        address: z.string().nullable(),
        at: KeptInstant,
        amount: DecimalText,
      }),
    ),
  }),
  *write({ budgets }) {
    for (const [budget, { keys }] of inNameOrder(budgets)) {
      for (const [key, all] of inNameOrder(keys)) {
        const uses = usesOf(all).map(({ agent, address, at, amount }) => {
          return { agent, address, at, amount: amountText(amount) }
        })
        yield { budget, key, next: writtenSequence(all.sequence), uses }
      }
    }
  },
  read: ({ budgets }, lines) => {
    for (const { budget, key, next, uses } of lines) {
      const { keys } = budgetUsesIn(budgets, budget)
      keys.set(key, { sequence: readSequence(next), list: [], from: 0, to: 0, total: 0n })
      for (const { amount, ...use } of uses) {
        addBudgetUse(budgets, budget, { ...use, key, amount: amountWritten(amount) })
      }
    }
    // In the order of their times, whatever the keys.
    for (const of of budgets.values()) replaceUses(of, (_key, uses) => uses)
  },
})

/** The uses of each budget stand behind it. */
function* keptLines(state: State): Generator<object> {
  for (const [budget, of] of inNameOrder(state.budgets)) {
    const alone = { ...state, budgets: new Map([[budget, of]]) }
    yield* floorLine.lines(alone)
    yield* usesLine.lines(alone)
  }
}

export const budgetsSlice = {
  name: 'budgets',
  folds: { budget: evolveBudget },
  pass: passTime,
  beside: { verdict: returnBudgets },
  arrive: (state, { id, budgets = [] }) => {
    for (const { budget, key, uses } of budgets) {
      const brought = uses.map(({ at, amount }) => ({ at, amount: amountWritten(amount) }))
      takeOverUses(state.budgets, { budget, key }, { agent: token(id), brought })
    }
  },
  kept: [
    { ...floorLine, lines: keptLines },
    { ...usesLine, lines: () => [] },
  ],
  begin: ({ budgets }) => beginNumbers(budgets),
  numbers: {
    budget: ({ budgets }, at, number) => {
      const [budget = '', key = ''] = at.split('.')
      takeBudgetNumber(budgets, { budget, key }, number)
    },
  },
} as const satisfies Slice
