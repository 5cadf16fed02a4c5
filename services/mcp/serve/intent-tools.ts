// What is asked of one recorded intent: whether all that was decided on it follows again from the
// log.
import { z } from 'zod'
import { counted } from '#present/wording'
import { replay } from '#replay/replay'
import { findIntent } from '#operations/finding/intent-named'
import { auditTool, type AuditQuestion } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'

const IntentField = z
  .string()
  .min(1)
  .max(512)
  .describe('its ID, at least the last four characters of that, or a fact about it')

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
