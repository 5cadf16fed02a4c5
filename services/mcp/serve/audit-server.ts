// The server that an auditor's client sees: its tools and resources, all of which only read, and
// how a model has to take what they answer.
import { McpServer } from '@modelcontextprotocol/server'
import type { AskedLog } from './asked-log.ts'
import { askedTools } from './asked-tools.ts'
import { replayIntent } from './intent-tools.ts'
import { addResources } from './resources.ts'
import { untrustedNotice } from './untrusted.ts'
import { whatIfChanged } from './what-if-tool.ts'
import { z } from 'zod'
import { jsonText } from '#present/wording'
import { refuseUnknownNames } from '#operations/finding/known-names'
import { auditTool } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'
import { Fault } from '#record/fault'
import { schemaFault } from '#record/schema-fault'
import { explain } from '#present/explain'
import { requestText } from '#present/schema-text'
import { JsonObject } from '#schemas/catalog'
import { Intent } from '#schemas/intent'
import { explained, explanationOf, type Explanation } from '#client/answers/explained'

// What an intent of an agent would come to now. Nothing is asked, and nothing of it is ever bound.

const outcomes = ['allow', 'deny', 'ask', 'hold', 'cannot_tell'] as const

const explainIntent = auditTool({
  name: 'explain_intent',
  title: 'Explain an intent',
  description:
    'Explain what an intent would come to now, without asking: allowed, denied and why, or ' +
    'whom it would ask. Nothing is asked and nothing is recorded. What counts is the ' +
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

const tools = [explainIntent, whatIfChanged, replayIntent, ...askedTools]

const instructions = [
  'This server reads the log of a Warrant: what agents asked for, what was decided and why, who',
  'approved, and what came of it. It can approve, deny and change nothing.',
  untrustedNotice,
  'What is sensitive stands there as [REDACTED].',
  'Report figures with the position that they are of.',
].join(' ')

/** A server for one client, or for one request. */
export function auditServer(asked: AskedLog, version: string): McpServer {
  const server = new McpServer({ name: 'warrant', version }, { instructions })
  for (const tool of tools) tool.addTo(server, asked)
  addResources(server, asked)
  return server
}
