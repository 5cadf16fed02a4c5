// What is used of each budget now, and what is left, for each key that has any use. Keys are tokens
// in the state; what they stand for is in the facts.
import { amountText } from '#rules/budgets/decimal'
import { maxAmount } from '#rules/catalog/budget-checks'
import { readData } from '#record/event'
import { token } from '#record/names'
import { copyOfBudgets, usesOf } from '#state/slices/budgets/budgets'
import { passTime } from '#state/slices/budgets/budgets-slice'
import type { Folded } from '#state/folded'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import type { BudgetLeft } from '#schemas/operations/counts'
import { instant, ofLog, type RealmLog } from '../realm.ts'

/** Notes the keys of the uses that are folded. */
export function keysUsed() {
  const texts = new Map<string, string | null>()
  return {
    texts,
    take(fact: Fact, { parts, void: why }: Folded): void {
      if (why !== null || parts?.kind !== 'budget') return
      const data = readData('budget', fact)
      const [budget = '', key = ''] = parts.tokens
      if (data !== null) texts.set(`${budget} ${key}`, data.key)
    },
  }
}

/** As of that moment, the fullest first. */
export function budgetsLeft(logs: readonly BudgetsOf[], now: number): readonly BudgetLeft[] {
  const rows = logs.flatMap((one) => leftIn(one, now))
  return rows.toSorted((one, other) => other.share - one.share).map(({ row }) => row)
}

export interface BudgetsOf {
  readonly at: RealmLog
  readonly state: State
  /** What the keys stand for, as `keysUsed` noted. */
  readonly texts: ReadonlyMap<string, string | null>
}

function leftIn({ at, state, texts }: BudgetsOf, now: number) {
  const { budgets, catalog } = state
  const standing = copyOfBudgets(budgets)
  passTime({ budgets: standing, catalog, appendedAt: now })
  return catalog.budgets.flatMap((budget) => {
    const name = token(budget.name)
    const max = maxAmount(budget)
    return [...(standing.get(name)?.keys ?? [])].flatMap(([key, uses]) => {
      const [oldest] = usesOf(uses)
      if (oldest === undefined) return []
      const left = max > uses.total ? max - uses.total : 0n
      const known = texts.get(`${name} ${key}`)
      const row = {
        budget: budget.name,
        key: known === undefined ? key : known,
        used: amountText(uses.total),
        limit: amountText(max),
        left: amountText(left),
        freesAt: instant(oldest.at + budget.windowMs),
        ...ofLog(at),
      }
      return [{ share: Number((uses.total * 1_000n) / max), row }]
    })
  })
}
