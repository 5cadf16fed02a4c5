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
import { counted, jsonText } from '#present/wording'
import { refuseUnknownNames } from '#operations/finding/known-names'
import { auditTool, type AuditQuestion, answerBytesMax } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'
import { Fault } from '#record/fault'
import { schemaFault } from '#record/schema-fault'
import { explain } from '#present/explain'
import { requestText } from '#present/schema-text'
import { JsonObject } from '#schemas/catalog'
import { Intent } from '#schemas/intent'
import { explained, explanationOf, type Explanation } from '#client/answers/explained'
import { primitiveToFile } from '#knowledge/graph/graph'
import { nearNames } from '#knowledge/graph/near-names'
import { findId, recordAt, type Graph } from '#knowledge/graph/revision'
import type { PrimitiveRecord } from '#knowledge/graph/record'
import { didYouMean, quoted } from '#record/quote'
import { neighbourhoodOf } from '#present/picture/of-graph'
import { levelText } from '#present/gap'
import { stateAt } from '#replay/eras/state-at'
import { momentMeant, momentSpelling } from '#operations/finding/moment'

// What the graph says of concepts and of what lies around them, as of now or as it was at a moment.

const conceptsMax = 100
const bytesMax = answerBytesMax / 2

const showConcepts = auditTool({
  name: 'show_concepts',
  title: 'Show concepts of the graph',
  description:
    'Show what the graph says of a concept and of what lies around it: levels, properties, ' +
    'relations and the rules on them, as they are or as they were at a moment.',
  input: z.strictObject({
    concept: z.string().min(1).max(512),
    hops: z.int().min(0).max(4).default(1).describe('over how many relations, either way'),
    at: z.string().max(40).optional().describe(`as it was then: ${momentSpelling}`),
    limit: z.int().min(1).max(conceptsMax).default(25),
  }),
  figures: {
    position: z.int().describe('the graph as of that position'),
    revision: z.int(),
    found: z.int().describe('how many concepts there are that near'),
    shown: z.int(),
  },
  async answer(question, { concept, hops, at, limit }) {
    const known = await knownThen(question, at)
    const { graph, graphRevision: revision, position } = known
    const ids = [...neighbourhoodOf(graph, idOf(graph, concept), hops)]
    const concepts: unknown[] = []
    const lines: string[] = []
    let bytes = 0
    for (const id of ids.slice(0, limit)) {
      const record = recordAt(graph, id)
      const file = primitiveToFile(graph, record)
      bytes += Buffer.byteLength(JSON.stringify(file))
      if (bytes > bytesMax && concepts.length > 0) break
      concepts.push(file)
      lines.push(...conceptLines(graph, record))
    }
    const [found, shown] = [ids.length, concepts.length]
    const which = found === shown ? '' : `, ${shown} of them shown, the nearest first`
    return {
      said: [`${counted(found, 'concept')}${which}: revision ${revision}, position ${position}.`],
      lines,
      figures: { position, revision, found, shown },
      recorded: { concepts },
    }
  },
})

async function knownThen({ asked, remaining }: AuditQuestion, at: string | undefined) {
  if (at === undefined) {
    const position = await asked.caughtUp()
    const { graph, graphRevision } = asked.follower.state
    return { graph, graphRevision, position }
  }
  const moment = momentMeant(at)
  if (moment === null) throw new Fault('usage', `\`at\` takes ${momentSpelling}`)
  const { realm } = asked.place()
  const history = { log: withinBounds(asked.log, remaining), realm, rootKey: asked.rootKey }
  return stateAt(history, moment, 'graph')
}

function idOf(graph: Graph, name: string): number {
  const id = findId(graph, name)
  if (id !== undefined) return id
  const near = didYouMean(nearNames(graph, name))
  throw new Fault('name_unknown', `the graph has no ${quoted(name)}${near}`)
}

function conceptLines(graph: Graph, { name, levels }: PrimitiveRecord): readonly string[] {
  return [
    name,
    ...levels.flatMap(({ level, relata }) => [
      `  ${levelText(level)}`,
      ...relata.map(({ type, target, targetDepth, policies }) => {
        const rules = policies.map((policy) => policy.name)
        const ruled = rules.length === 0 ? '' : `, rules: ${rules.join(', ')}`
        return `    ${type} → ${recordAt(graph, target).name} (D${targetDepth})${ruled}`
      }),
    ]),
  ]
}

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

const tools = [explainIntent, showConcepts, whatIfChanged, replayIntent, ...askedTools]

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
