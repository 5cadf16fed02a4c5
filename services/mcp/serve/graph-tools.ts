// What the graph says of concepts and of what lies around them, as of now or as it was at a moment.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { primitiveToFile } from '#knowledge/graph/graph'
import { nearNames } from '#knowledge/graph/near-names'
import { findId, recordAt, type Graph } from '#knowledge/graph/revision'
import type { PrimitiveRecord } from '#knowledge/graph/record'
import { didYouMean, quoted } from '#record/quote'
import { neighbourhoodOf } from '#present/picture/of-graph'
import { levelText } from '#present/gap'
import { counted } from '#present/wording'
import { stateAt } from '#replay/eras/state-at'
import { momentMeant, momentSpelling } from '#client/reading/moment'
import { answerBytesMax, auditTool, type AuditQuestion } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'

const conceptsMax = 100
const bytesMax = answerBytesMax / 2

export const showConcepts = auditTool({
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
