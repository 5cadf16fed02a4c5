// The class of calls that a grant is about: whether a call is one of them, and what it takes of the
// grant's budget. What cannot be worked out does not fit.
import type { GrantData } from '#schemas/action/grant'
import { amountFrom } from '../budgets/reading.ts'
import { conditionHolds } from '#conditions/condition'
import type { ConditionInput } from '#conditions/input'
import { valueCharactersMax, valuesMax } from '#knowledge/known/known-value'
import { valuesWanted } from '#knowledge/known/values-wanted'
import { short } from '#record/quote'
import { isAmong } from './question.ts'

/** What a call takes of the budget, in the smallest parts; 0 where it has no budget. */
export interface Fitting {
  readonly amount: bigint
}

/** Null where the call does not belong to the class, or that cannot be known. */
export function fitsClass(grant: GrantData, input: ConditionInput): Fitting | null {
  const { capability, safetyClass, agents, when, budget } = grant
  const { principal } = input
  if (input.capability.id !== capability || input.capability.safetyClass !== safetyClass)
    return null
  if (principal === null || !agents.includes(principal.id)) return null
  if (!haveValues(grant, input)) return null
  if (conditionHolds(when, input) !== true) return null
  if (budget === undefined) return { amount: 0n }
  const amount = amountFrom(budget.of, input)
  return typeof amount === 'string' ? null : { amount }
}

// An argument without any value is not one of those that are listed, and neither is a time: which
// of them is a value of its own only people's words show.
function haveValues({ values = [] }: GrantData, { args }: ConditionInput): boolean {
  return values.every(({ arg, kind, among }) => {
    const wanted = kind === 'time' ? [] : valuesWanted([{ arg, kind }], args)
    if (wanted.length === 0 || wanted.length > valuesMax) return false
    return wanted.every(({ text }) => isAmong(kind, short(text, valueCharactersMax), among))
  })
}
