// The budgets of a line of `decide`: what the call would take, and what the line says was used.
import { amountOfNumber, amountOfText } from '#rules/budgets/decimal'
import { maxAmount } from '#rules/catalog/budget-checks'
import type { Catalog } from '#rules/catalog/catalog'
import { didYouMean, nearest, quoted } from '#record/quote'
import type { BudgetCase } from '#rules/chain/rule-input'
import { readBudgets, type BudgetCall } from '#stages/budgets/asked-budgets'
import { budgetCase } from '#stages/budgets/budget-cases'
import type { DecideLine } from './decide-line.ts'

type Used = DecideLine['used']

/** A name that the catalog does not have, as a problem; null where there is none. */
export function strayBudget(used: Used, { budgets }: Catalog): string | null {
  const names = budgets.map(({ name }) => name)
  const stray = Object.keys(used ?? {}).find((name) => !names.includes(name))
  if (stray === undefined) return null
  return `the catalog has no budget ${quoted(stray)}${didYouMean(nearest(names, stray))}`
}

/** Of what the line does not say, nothing is used. */
export function lineBudgets(call: BudgetCall, used: Used): readonly BudgetCase[] {
  return readBudgets(call).map((one) => {
    const { name } = one.budget
    const said = used !== undefined && Object.hasOwn(used, name) ? (used[name] ?? 0) : 0
    const amount = typeof said === 'string' ? amountOfText(said) : amountOfNumber(said)
    const before = typeof amount === 'string' ? 0n : amount
    if ('fault' in one) return budgetCase(one, before, 0)
    const max = maxAmount(one.budget)
    // A line does not say when something was used.
    const waitMs = one.amount > max ? null : before + one.amount > max ? undefined : 0
    return budgetCase(one, before, waitMs)
  })
}
