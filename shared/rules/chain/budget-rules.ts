// What is found of the budgets of a call: that it cannot be counted, or that there is no room.
import type { ReasonParams } from '#schemas/reasons'
import type { Case } from './rule-input.ts'

export function budgetInvalid({ budgets = [] }: Case): readonly ReasonParams[] {
  return budgets.flatMap(({ name: budget, message, fault }) => {
    if (fault === undefined) return []
    return [{ budget, cause: fault, ...(message !== undefined && { message }) }]
  })
}

export function budgetExceeded({ budgets = [] }: Case): readonly ReasonParams[] {
  return budgets.flatMap((of): readonly ReasonParams[] => {
    if (of.fault !== undefined || of.waitMs === 0) return []
    const { name: budget, key, limit, used, asked, windowMs, counts, waitMs, message } = of
    return [
      {
        budget,
        limit,
        used,
        asked,
        windowMs,
        ...(key !== null && { key }),
        ...(counts && { counts: 'calls' as const }),
        ...(of.tool !== undefined && { tool: of.tool }),
        ...(waitMs === null && { cause: 'alone' }),
        ...(of.kept === true && { cause: 'kept' }),
        ...(typeof waitMs === 'number' && { waitMs: Math.ceil(waitMs) }),
        ...(message !== undefined && { message }),
      },
    ]
  })
}
