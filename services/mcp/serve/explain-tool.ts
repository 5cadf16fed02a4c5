// What a request of an agent would come to now. Nothing is asked, and nothing of it is ever bound.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { schemaFault } from '#record/schema-fault'
import { explain } from '#present/explain'
import { requestText } from '#present/schema-text'
import { jsonText } from '#present/wording'
import { JsonObject } from '#schemas/catalog'
import { Intent } from '#schemas/intent'
import { explained, explanationOf, type Explanation } from '#client/answers/explained'
import { refuseUnknownNames } from '#client/reading/known-names'
import { auditTool } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'

const outcomes = ['allow', 'deny', 'ask', 'hold', 'cannot_tell'] as const

export const explainRequest = auditTool({
  name: 'explain_request',
  title: 'Explain a request',
  description:
    'Explain what a request of an agent would come to now, without asking: allowed, denied and ' +
    'why, or whom it would ask. Nothing is asked and nothing is recorded. What counts is the ' +
    'state of now: limits, blocks, graph and catalog.',
  callsCallbacks: true,
  input: z.strictObject({
    agent: z.string().min(1).max(256),
    tool: z.string().min(1).max(256),
    args: JsonObject.optional(),
    justification: z.string().max(4_000).optional(),
    goal: z.string().max(4_000).optional(),
    concepts: z.array(z.string().max(512)).max(64).optional(),
    session: z.string().min(1).max(256).optional(),
  }),
  figures: {
    outcome: z.enum(outcomes),
    basis: z.int().describe('the position up to which all was known'),
  },
  async answer({ asked, remaining }, { agent, session = null, ...given }) {
    const said = Object.entries(given).filter(([, value]) => value !== undefined)
    const whole = Object.fromEntries(said)
    const parsed = Intent.safeParse(whole)
    if (!parsed.success) {
      throw new Fault('usage', requestText(schemaFault(parsed.error.issues, whole)))
    }
    await asked.caughtUp()
    const { log, follower } = asked
    const logs = [{ log: withinBounds(log, remaining), place: asked.place() }]
    await refuseUnknownNames({ agent: [agent] }, follower.state.catalog, logs)
    const intent = parsed.data
    const found = await explained(asked, { agent, session, intent })
    const explanation = explanationOf(found, { agent, tool: intent.tool })
    const { outcome, basis } = explanation
    return {
      said: [`${outcomeTexts[outcome]} As of position ${basis}; nothing was asked or recorded.`],
      lines: explanationLines(explanation),
      figures: { outcome, basis },
      recorded: { ...explanation },
    }
  },
})

const outcomeTexts: Readonly<Record<Explanation['outcome'], string>> = {
  allow: 'It would be allowed.',
  deny: 'It would be denied.',
  ask: 'People would be asked.',
  hold: 'It would wait for learning.',
  cannot_tell: 'It cannot be known: a check may answer otherwise next time.',
}

function explanationLines(explanation: Explanation): readonly string[] {
  const { outcome, reasons, questions, constraints, confirmers, quorum, fixes } = explanation
  const asked = quorum === null ? [] : [`${quorum} of ${confirmers.join(', ')} must approve`]
  const bound = constraints === null ? [] : [`bound to: ${jsonText(constraints)}`]
  const judged = { outcome: 'deny' as const, reasons, questions, constraints: {} }
  return [
    ...(outcome === 'deny' ? explain(judged).slice(1) : asked),
    ...bound,
    ...fixes.map(({ text }) => `fix: ${text}`),
  ]
}
