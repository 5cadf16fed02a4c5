// A budget in words: that it is used up and by how much, or why a call cannot be counted.
import { quoted } from '#record/quote'
import type { BudgetFault } from '#rules/budgets/reading'
import type { BudgetCase } from '#rules/chain/rule-input'
import type { ReasonParams } from '#schemas/reasons'
import { sessionMissing } from './fault-text.ts'
import { duration } from './wording.ts'

/** Of a refusal: what is allowed, what is used, and what this takes. */
export function budgetText(params: ReasonParams): string {
  const text = exceededText(params)
  return params.message === undefined ? text : `${params.message} (${text})`
}

function exceededText(params: ReasonParams): string {
  const { budget = '', limit = '', used = '', asked = '', cause, counts, tool } = params
  if (cause === 'kept') {
    return `no more than ${limit} uses of ${quoted(budget)} are kept for one agent`
  }
  const within = withinText(params)
  if (cause === 'alone') {
    return `this takes ${asked}, and ${quoted(budget)} allows no more than ${limit}${within}`
  }
  if (counts === 'calls') return `limit reached: ${limit} ${tool ?? 'calls'}${within}`
  const state = `${used} used, and this takes ${asked}`
  return `limit reached: ${quoted(budget)} allows ${limit}${within}: ${state}`
}

function withinText({ windowMs, key }: ReasonParams): string {
  const span = windowMs === undefined ? '' : ` per ${spanText(windowMs)}`
  return key === undefined ? span : `${span} for ${key}`
}

const spans: Readonly<Record<number, string>> = {
  1_000: 'second',
  60_000: 'minute',
  3_600_000: 'hour',
  86_400_000: 'day',
  604_800_000: 'week',
}

function spanText(ms: number): string {
  return spans[ms] ?? duration(ms)
}

const faults: Readonly<Record<BudgetFault, string>> = {
  when_failed: 'whether it counts cannot be worked out',
  amount_failed: 'the amount cannot be worked out',
  amount_negative: 'the amount is negative',
  amount_not_decimal: 'the amount is no decimal number',
  amount_beyond: 'the amount has too many digits',
  key_failed: 'whom it counts for cannot be worked out',
  session_missing: `it counts per session, and ${sessionMissing}`,
  tenant_missing: 'it counts per tenant, and the agent has no attribute `tenant`',
  key_empty: 'whom it counts for is empty',
  key_long: 'whom it counts for is too long a text',
  key_many: 'it counts for too many at once',
}

/** Why the call cannot be counted. */
export function uncountedText({ budget = '', cause = '', message }: ReasonParams): string {
  const why = Object.entries(faults).find(([code]) => code === cause)?.[1] ?? 'it cannot be counted'
  const text = `${quoted(budget)} cannot count it: ${why}`
  return message === undefined ? text : `${message} (${text})`
}

/** What is used of a budget, and what the call would take of it. */
export function leftText(of: BudgetCase): string {
  const { name: budget } = of
  if (of.fault !== undefined) return uncountedText({ budget, cause: of.fault })
  const { key, windowMs, used, limit, asked } = of
  const within = withinText({ windowMs, ...(key !== null && { key }) })
  return `budget ${quoted(budget)}: ${used} of ${limit}${within} used, and this takes ${asked}`
}
