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

export interface BudgetLeft {
  readonly budget: string
  /** Null for all together. */
  readonly key: string | null
  readonly used: string
  readonly limit: string
  /** 0 where more is used than the budget allows by now. */
  readonly left: string
  /** When the oldest use frees: RFC 3339. */
  readonly freesAt: string
}

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
export function budgetsLeft(
  { budgets, catalog }: State,
  texts: ReadonlyMap<string, string | null>,
  now: number,
): readonly BudgetLeft[] {
  const standing = copyOfBudgets(budgets)
  passTime({ budgets: standing, catalog, appendedAt: now })
  const rows = catalog.budgets.flatMap((budget) => {
    const name = token(budget.name)
    const max = maxAmount(budget)
    return [...(standing.get(name)?.keys ?? [])].flatMap(([key, uses]) => {
      const [oldest] = usesOf(uses)
      if (oldest === undefined) return []
      const left = max > uses.total ? max - uses.total : 0n
      const known = texts.get(`${name} ${key}`)
      const of = { budget: budget.name, key: known === undefined ? key : known }
      const amounts = {
        used: amountText(uses.total),
        limit: amountText(max),
        left: amountText(left),
      }
      const freesAt = new Date(oldest.at + budget.windowMs).toISOString()
      return [{ share: Number((uses.total * 1_000n) / max), row: { ...of, ...amounts, freesAt } }]
    })
  })
  return rows.toSorted((one, other) => other.share - one.share).map(({ row }) => row)
}
