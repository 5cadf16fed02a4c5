// What is asked about one recorded intent: its trace, and whether all that was decided on it
// follows again from the log.
import { z } from 'zod'
import { counted, utc } from '#present/wording'
import { replay } from '#replay/replay'
import { traceOf } from '#client/answers/trace'
import { findIntent } from '#client/reading/intent-named'
import { auditTool, type AuditQuestion } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'

/** What means an intent, in every tool. */
const IntentField = z
  .string()
  .min(1)
  .max(512)
  .describe('its ID, at least the last four characters of that, or a fact about it')

const stepsMax = 200

export const traceIntent = auditTool({
  name: 'trace_intent',
  title: 'Trace an intent',
  description:
    'Show everything that happened to one intent, in order: what was asked and why, what was ' +
    'known, which rules spoke, who was asked and answered, why it was allowed or denied, and ' +
    'what came of it. Begin here to ask why.',
  input: z.strictObject({ intent: IntentField }),
  figures: {
    outcome: z.enum(['allow', 'deny', 'open', 'none']),
    steps: z.int().describe('how many there are'),
  },
  async answer(question, { intent }) {
    const story = await storyMeant(question, intent)
    const shown = story.steps.slice(0, stepsMax)
    const lines = shown.flatMap(({ position, appendedAt, title, details, void: why }) => [
      `${utc(appendedAt)}  ${title}  (fact ${position})`,
      ...(why === null ? [] : [`  counts for nothing: ${why}`]),
      ...details.map((detail) => `  ${detail}`),
    ])
    const facts = new Map(story.facts.map(({ position, name }) => [position, name]))
    const steps = shown.map((step) => ({ ...step, name: facts.get(step.position) ?? null }))
    const { length: count } = story.steps
    const more = shown.length < count ? `, the first ${shown.length} shown` : ''
    return {
      said: [`Outcome: ${story.outcome}. ${counted(count, 'step')}${more}.`],
      lines: [story.summary, story.intent, ...lines],
      figures: { outcome: story.outcome, steps: count },
      recorded: { intent: story.intent, summary: story.summary, steps },
    }
  },
})

/** The same story as `warrant trace`. */
export async function storyMeant({ asked, remaining }: AuditQuestion, meant: string) {
  const { clock, stages } = asked
  const place = asked.place()
  const log = withinBounds(asked.log, remaining)
  // Only a tool that declares it runs code of the log.
  const deciders = { stages, callbacks: null }
  return traceOf({ log, place, clock, deciders }, await findIntent(log, place, meant))
}

export const replayIntent = auditTool({
  name: 'replay_intent',
  title: 'Verify an intent by replay',
  description:
    'Derive all that was decided on one intent again from the log alone, by the deciders of this ' +
    'version, and compare it byte for byte with what was recorded.',
  callsCallbacks: true,
  input: z.strictObject({ intent: IntentField }),
  figures: {
    reproduced: z
      .boolean()
      .describe('whether all that was decided follows again, and all could be checked'),
    derived: z.int().describe('facts that were derived again'),
    differences: z.int(),
    unchecked: z.int().describe('facts that cannot be checked here'),
    head: z.string().describe('the last position and the digest of all up to it'),
  },
  async answer(question, { intent }) {
    const { address, report } = await replayed(question, intent)
    const { derived, differences, unchecked, first, findings, missingModules, head } = report
    const reproduced = differences === 0 && unchecked === 0 && derived > 0
    const said = reproduced
      ? `All that was decided on it was reproduced, byte for byte (${counted(derived, 'fact')}).`
      : `Not reproduced: ${counted(differences, 'difference')}, ${unchecked} unchecked.`
    return {
      said: [said, `The log up to here: ${head}.`],
      lines: [address, ...(first === null ? [] : [`first: ${first.kind} at ${first.position}`])],
      figures: { reproduced, derived, differences, unchecked, head },
      recorded: { intent: address, first, findings, missingModules },
    }
  },
})

async function replayed({ asked, remaining }: AuditQuestion, meant: string) {
  const { rootKey, stages, callbacks, cells } = asked
  const place = asked.place()
  const log = withinBounds(asked.log, remaining)
  const address = await findIntent(log, place, meant)
  const of = { log, place, rootKey, stages, callbacks, address, cells }
  return { address, report: await replay(of) }
}
