// What Neo4j holds of the graph, read piece by piece as it is to be compared with a fold. It
// believes nothing of what it reads: whatever a hand has put there shows.
import { canonical, type Json, type JsonMap } from '#core/canonical'
import { heldText, type Census, type Held, type HeldPrimitive } from '#core/projection/held'
import { relationTypes } from '#schemas/graph'
import type { Neo4jLink, Row, Run } from './neo4j-link.ts'

/** The database at one moment. */
export interface HeldGraph {
  readonly reached: number | null
  /** The primitives in stored order. */
  primitives(): AsyncIterable<HeldPrimitive>
  has(key: string): Promise<boolean>
  census(): Promise<Census>
}

const pageMax = 500

/**
 * Lets the caller look, while nobody brings the projection further. May be called more than once,
 * since what is transient is tried again.
 */
export async function whileHeld<T>(
  link: Pick<Neo4jLink, 'write'>,
  look: (held: HeldGraph) => Promise<T>,
): Promise<T> {
  return link.write(async (run) => {
    // Whoever writes rows takes this lock first.
    const [row] = await run('MATCH (p:Projection) SET p.only = true RETURN p.reached AS reached')
    const reached = row?.['reached']
    return look({
      reached: typeof reached === 'number' ? reached : null,
      primitives: () => primitives(run),
      has: async (key) => (await run(having, { key })).length > 0,
      census: () => census(run),
    })
  })
}

const having = 'MATCH (p:Primitive {key: $key}) RETURN p.place AS place'

async function* primitives(run: Run): AsyncGenerator<HeldPrimitive> {
  for (let after = -1; ;) {
    const rows = await run(reading, { after, pageMax })
    for (const row of rows) yield heldOf(row)
    const last = objectOf(rows.at(-1)?.['node'])['place']
    if (rows.length < pageMax || typeof last !== 'number') return
    after = last
  }
}

const types = relationTypes.join('|')

const reading = `MATCH (p:Primitive) WHERE p.place > $after
  WITH p ORDER BY p.place LIMIT $pageMax
  RETURN properties(p) AS node,
    [(p)-[:HAS_LEVEL]->(level) | properties(level)] AS levels,
    [(p)-[r:${types}]->(target) |
      {edge: properties(r), type: type(r), target: target.name}] AS edges,
    [(p)<-[:ON_SOURCE]-(policy) | {policy: properties(policy),
      target: head([(policy)-[:ON_TARGET]->(target) | target.name])}] AS policies,
    [(p)-[:READS_AS]->(word) | word.text] AS words
  ORDER BY p.place`

function heldOf(row: Row): HeldPrimitive {
  const { place, ...node } = objectOf(row['node'])
  const policies = listOf(row['policies']).map(policyOf)
  const edges = inOrder(listOf(row['edges']).map(edgeOf), ({ edge }) => [
    edge['sourceDepth'],
    edge['order'],
  ])
  const orders = new Set(edges.map(({ edge }) => edge['order']))
  const text = heldText({
    node,
    levels: inOrder(listOf(row['levels']), (level) => [level['level']]).map(({ of, ...level }) => ({
      ...level,
      ...(of !== place && { of }),
    })),
    edges: edges.map(({ edge, type, target }) => heldEdge({ edge, type, target }, policies)),
    words: textsOf(row['words']).toSorted(),
    stray: policies.filter(({ edge }) => !orders.has(edge)).map(({ policy }) => policy),
  })
  return { key: textOf(node['key']), name: textOf(node['name']), text }
}

interface ReadEdge {
  readonly edge: JsonMap
  readonly type: string
  readonly target: string
}

interface ReadPolicy {
  readonly edge: Json | undefined
  readonly policy: JsonMap
  readonly target: Json
}

function edgeOf(read: JsonMap): ReadEdge {
  return {
    edge: objectOf(read['edge']),
    type: textOf(read['type']),
    target: textOf(read['target']),
  }
}

function policyOf(read: JsonMap): ReadPolicy {
  const { edge, ...policy } = objectOf(read['policy'])
  return { edge, policy, target: read['target'] ?? null }
}

function heldEdge(
  { edge: read, type, target }: ReadEdge,
  policies: readonly ReadPolicy[],
): Held['edges'][0] {
  const { order, ...edge } = read
  const own = policies.filter(({ edge: of }) => of === order)
  const shown = inOrder(own, ({ policy }) => [policy['nth']])
  return {
    type,
    target,
    edge,
    shown: shown.map(({ policy, target: to }) => ({ policy, target: to })),
  }
}

/** By numbers; what is no number comes first. */
function inOrder<T>(list: readonly T[], by: (each: T) => readonly unknown[]): readonly T[] {
  return list.toSorted((one, other) => {
    const [these, those] = [by(one), by(other)]
    for (const [index, value] of these.entries()) {
      const difference = numberOf(value) - numberOf(those[index])
      if (difference !== 0) return difference
    }
    return 0
  })
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : -1
}

const labels = ['Primitive', 'Level', 'Policy', 'Word'] as const
const ofGraph = [...relationTypes, 'HAS_LEVEL', 'ON_SOURCE', 'ON_TARGET', 'READS_AS'] as const
/** What else a projection has: how much, only the whole log tells. */
const besides = {
  labels: ['Projection', 'Intent', 'Concept'],
  types: ['TOUCHED', 'LACKED'],
} as const

async function census(run: Run): Promise<Census> {
  const counts = new Map<string, number>()
  const nodes = async (of: string) => countIn(await run(`MATCH (n${of}) RETURN count(n) AS count`))
  const edges = async (of: string) =>
    countIn(await run(`MATCH ()-[r${of}]->() RETURN count(r) AS count`))
  let otherNodes = await nodes('')
  for (const label of [...labels, ...besides.labels]) {
    const count = await nodes(`:${label}`)
    otherNodes -= count
    if (labels.some((each) => each === label)) counts.set(label, count)
  }
  let otherEdges = await edges('')
  for (const type of [...ofGraph, ...besides.types]) {
    const count = await edges(`:${type}`)
    otherEdges -= count
    if (ofGraph.some((each) => each === type)) counts.set(type, count)
  }
  counts.set('other nodes', otherNodes)
  counts.set('other relations', otherEdges)
  return Object.fromEntries(counts)
}

function countIn(rows: readonly Row[]): number {
  return numberOf(rows[0]?.['count'])
}

function objectOf(value: unknown): JsonMap {
  const json = plain(value)
  return typeof json === 'object' && json !== null && !isList(json) ? json : {}
}

function listOf(value: unknown): readonly JsonMap[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonical(plain(value))
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** A hand may have put there what JSON has no word for. */
function plain(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
