// The filters of questions, as arguments of a tool: the same as the options of the command line.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { ReasonCode } from '#schemas/reasons'
import { outcomesMeant, type FilterOptions } from '#client/reading/meant'
import { timeMeant, timeSpelling } from '#client/reading/moment'

const names = z.array(z.string().min(1).max(256)).min(1).max(16).optional()
const time = z.string().max(40).optional()

/** Which intents are meant. */
export const MeantFields = {
  since: time.describe(`from then on: ${timeSpelling}`),
  until: time.describe('up to then, spelled alike'),
  agent: names.describe('only about intents of one of these agents'),
  tool: names.describe('only about intents for one of these tools'),
}

/** And which of their facts. */
export const FilterFields = {
  ...MeantFields,
  outcome: z
    .array(z.enum(outcomesMeant))
    .min(1)
    .max(8)
    .optional()
    .describe('only verdicts with it, or what came of the call'),
  reason: z.array(ReasonCode).min(1).max(8).optional().describe('only denials for that reason'),
}

const Filter = z.object(FilterFields)

/** Throws a Fault `usage` for what is no time. */
export function meantIn(given: z.output<typeof Filter>, now: number): FilterOptions {
  const { since, until, agent, tool, outcome, reason } = given
  return {
    ...(since !== undefined && { since: timeIn('since', since, now) }),
    ...(until !== undefined && { until: timeIn('until', until, now) }),
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason }),
  }
}

function timeIn(what: string, text: string, now: number): number {
  const at = timeMeant(text, now)
  if (at !== null) return at
  throw new Fault('usage', `\`${what}\` takes ${timeSpelling}`)
}
