// The tools that are made from the table of operations. Who reads here may read all of the log.
import { realmOf } from '#client/asked'
import { askRealm, readsWhole } from '#operations/answers'
import { plainTexts } from '#present/lines'
import { LogPositions } from '#schemas/console/positions'
import type { Operation } from '#schemas/operations/operation'
import {
  allOperations,
  operations,
  toolNameOf,
  type OperationName,
} from '#schemas/operations/table'
import { answerBytesMax, auditTool, type AuditQuestion, type AuditTool } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'

/** What is hidden in a text is made visible, which takes more. */
const pageBytesMax = answerBytesMax / 4

/** Up to where the log is now. It runs no code of the log, whatever it is asked. */
export async function askedWithin<Name extends OperationName>(
  { asked, remaining }: AuditQuestion,
  name: Name,
  given: object,
) {
  await asked.caughtUp()
  const { state } = asked.follower
  const log = withinBounds(asked.log, remaining)
  const realm = { ...realmOf([{ log, state }], asked.clock.now()), pageBytesMax }
  return askRealm(name, { realm, by: readsWhole }, given)
}

export const askedTools: readonly AuditTool[] = allOperations.map(toolFor)

function toolFor(name: OperationName): AuditTool {
  const { title, input }: Operation = operations[name]
  return auditTool({
    name: toolNameOf(name),
    title,
    description: `${title}.`,
    input,
    figures: { position: LogPositions.describe('up to where the log was read') },
    async answer(question, given) {
      const { answer, shown } = await askedWithin(question, name, given)
      const { position } = answer
      return {
        said: [`${title}, at position ${position}:`],
        lines: plainTexts(shown()),
        figures: { position },
        recorded: { ...answer },
      }
    },
  })
}
