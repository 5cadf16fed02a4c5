// The budgets of a call as the rule chain judges them, and the use that is taken next.
import type { CallbackAnswer } from '#schemas/callbacks'
import { amountText } from '#rules/budgets/decimal'
import { keyToken } from '#rules/budgets/reading'
import { maxAmount } from '#rules/catalog/budget-checks'
import type { Draft } from '#record/event'
import { agentIn, nameOf, token } from '#record/names'
import type { BudgetCase } from '#rules/chain/rule-input'
import {
  addBudgetUse,
  keyUsesIn,
  takeBudgetNumber,
  usesOfAgentMax,
  waitForAmount,
  type AllBudgetUses,
} from '#state/slices/budgets/budgets'
import { lookedOutside } from '../policies.ts'
import type { View } from '../view.ts'
import type { AskedBudget, ReadBudgetCall } from './asked-budgets.ts'

/** All that the intent has not taken yet, at the one basis of the view. */
export function budgetCases(view: View): readonly BudgetCase[] {
  return view.budgets.flatMap((asked) => (isTaken(view, asked) ? [] : [caseOf(asked, view.now)]))
}

// A use that the intent holds is its own: it is not counted against it.
function isTaken({ intent }: View, asked: AskedBudget): boolean {
  if ('fault' in asked || intent.budgets === undefined) return false
  const budget = token(asked.budget.name)
  const key = keyToken(asked.key)
  return intent.budgets.some((one) => one.budget === budget && one.key === key)
}

function caseOf(asked: AskedBudget, now: number): BudgetCase {
  if ('fault' in asked) return budgetCase(asked, 0n, 0)
  const { budget, amount: taken, uses, agentWaitMs } = asked
  const { windowMs } = budget
  const waitMs = waitForAmount(uses, { asked: taken, max: maxAmount(budget), windowMs }, now)
  const of = budgetCase(asked, uses.total, waitMs)
  if (of.fault !== undefined || agentWaitMs === 0) return of
  const limit = String(usesOfAgentMax)
  const kept = { limit, used: limit, asked: '1', counts: true, kept: true }
  return { ...of, ...kept, waitMs: agentWaitMs }
}

/** Where so much is used of it. Without a wait it is not known when it frees. */
export function budgetCase(
  asked: ReadBudgetCall,
  used: bigint,
  waitMs: number | null | undefined,
): BudgetCase {
  const { budget } = asked
  const { name, message, windowMs } = budget
  const base = { name, ...(message !== undefined && { message }) }
  if ('fault' in asked) return { ...base, fault: asked.fault }
  const { key, amount } = asked
  const max = maxAmount(budget)
  const counts = budget.of === undefined
  const [tool, ...others] = budget.capabilities ?? []
  const isOne = tool !== undefined && others.length === 0
  const of = { ...base, key, windowMs, counts, ...(isOne && { tool }) }
  const amounts = { limit: amountText(max), used: amountText(used), asked: amountText(amount) }
  return { ...of, ...amounts, ...(waitMs !== undefined && { waitMs }) }
}

/** Counts what a call takes, where no fact says it. */
export function takeAll(
  all: AllBudgetUses,
  takes: readonly AskedBudget[],
  { address, at }: { readonly address: string; readonly at: number },
): void {
  for (const asked of takes) {
    if ('fault' in asked) continue
    const taken = { budget: token(asked.budget.name), key: keyToken(asked.key) }
    const number = keyUsesIn(all, taken).sequence.next
    const use = { agent: agentIn(address), key: taken.key, address, at, amount: asked.amount }
    addBudgetUse(all, taken.budget, use)
    takeBudgetNumber(all, taken, number)
  }
}

/** The next use that the intent must take before it is allowed; null where it has them all. */
export function budgetDraft(
  view: View,
  answers: readonly CallbackAnswer[],
): Draft<'budget'> | null {
  const { place, ref: intent } = view
  for (const asked of view.budgets) {
    if ('fault' in asked || isTaken(view, asked)) continue
    const { budget, key, amount, uses } = asked
    const { name, windowMs } = budget
    const use = uses.sequence.next
    const data = {
      intent,
      budget: name,
      key,
      use,
      amount: amountText(amount),
      max: amountText(maxAmount(budget)),
      windowMs,
      ...lookedOutside(answers),
    }
    return { kind: 'budget', name: nameOf(place, 'budget', token(name), keyToken(key), use), data }
  }
  return null
}
