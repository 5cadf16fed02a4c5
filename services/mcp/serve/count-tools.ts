// What became of intents, in numbers, counted as the log is folded.
import { z } from 'zod'
import { evolve } from '#state/fold/evolve'
import { counted } from '#present/wording'
import { soundBeginningOf } from '#replay/eras/beginning'
import { budgetsLeft, keysUsed } from '#client/reading/budgets-left'
import { refuseUnknownNames } from '#client/reading/known-names'
import type { MeantOptions } from '#client/reading/meant'
import { statsJson } from '#client/reading/stats-shown'
import { counting, newCounted } from '#client/reading/tallies'
import { auditTool, type AuditQuestion } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'
import { MeantFields, meantIn } from './filter-fields.ts'

/** Of tools, agents and people, the most asked for; of budgets, the fullest. */
const rowsMax = 100

export const countIntents = auditTool({
  name: 'count_intents',
  title: 'Count intents',
  description:
    'Count what became of intents: by tool, by agent, by the first reason of denials, by who ' +
    'confirmed; how long it took to decide; what came of the calls; and what is used of budgets. ' +
    'An intent counts when its message was appended within the time.',
  input: z.strictObject(MeantFields),
  figures: {
    head: z.int().describe('the position up to which was counted'),
    intents: z.int(),
    allowed: z.int(),
    confirmed: z.int().describe('of those allowed: after people agreed'),
    denied: z.int(),
    open: z.int(),
  },
  async answer(question, given) {
    const { asked } = question
    const options = meantIn(given, asked.clock.now())
    const { log, follower } = asked
    const logs = [{ log: withinBounds(log, question.remaining), place: asked.place() }]
    await refuseUnknownNames(options, follower.state.catalog, logs)
    const { of, left, head } = await countedIn(question, options)
    const { intents, allowed, confirmed, denied, open, observed } = of.all
    const stats = statsJson(of, left)
    const noted = observed === 0 ? '' : `, ${observed} of them observed only`
    const agreed = `${confirmed} after people agreed`
    const came = `${allowed} allowed (${agreed}), ${denied} denied, ${open} open${noted}`
    return {
      said: [
        `${counted(intents, 'intent')} up to position ${head}: ${came}.`,
        ...asRecorded(allowed),
      ],
      lines: [
        ...rowLines('tool', of.tools),
        ...rowLines('agent', of.agents),
        ...[...of.all.reasons].map(([code, count]) => `denied for ${code}: ${count}`),
      ],
      figures: { head, intents, allowed, confirmed, denied, open },
      recorded: bounded(stats),
    }
  },
})

/** Counting derives no allow again: that costs a decision each. */
function asRecorded(allowed: number): readonly string[] {
  if (allowed === 0) return []
  return ['Allows are counted as recorded: `trace_intent` derives one again.']
}

async function countedIn({ asked, remaining }: AuditQuestion, options: MeantOptions) {
  const { clock, rootKey } = asked
  const log = withinBounds(asked.log, remaining)
  const { state } = await soundBeginningOf(log, asked.place(), rootKey)
  const of = newCounted()
  const count = counting(of, options)
  const keys = keysUsed()
  for await (const fact of log.read({ from: state.position + 1 })) {
    const folded = evolve(state, fact)
    count.take(fact, folded)
    keys.take(fact, folded)
  }
  count.end((address) => state.intents.has(address))
  return { of, left: budgetsLeft(state, keys.texts, clock.now()), head: state.position }
}

function rowLines(
  what: string,
  rows: ReadonlyMap<
    string,
    { readonly intents: number; readonly allowed: number; readonly denied: number }
  >,
): readonly string[] {
  return [...rows]
    .toSorted(([, one], [, other]) => other.intents - one.intents)
    .slice(0, rowsMax)
    .map(([name, { intents, allowed, denied }]) => {
      return `${what} ${name}: ${intents} asked, ${allowed} allowed, ${denied} denied`
    })
}

function bounded(stats: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const members = Object.entries(stats).map(([key, value]) => {
    const rows: unknown = Array.isArray(value) ? value.slice(0, rowsMax) : value
    return [key, rows] as const
  })
  return Object.fromEntries(members)
}
