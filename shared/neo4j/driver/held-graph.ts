// What Neo4j holds of the graph, primitive by primitive, as it is to be compared with a fold.
import type { Json, JsonMap } from '#record/canonical'
import { heldText, type Held, type HeldPrimitive } from '../projection/held.ts'
import { relationTypes } from '#schemas/graph'
import type { CypherRow, RunCypher } from './link.ts'
import { inPages } from './pages.ts'
import {
  inOrder,
  listOf,
  numberValueOf,
  objectOf,
  strangeLabels,
  textOf,
  textsOf,
} from './values.ts'

/** The primitives in stored order. */
export async function* heldPrimitives(run: RunCypher): AsyncGenerator<HeldPrimitive> {
  const keyOf = (row: CypherRow) => objectOf(row['node'])['place']
  for await (const row of inPages(run, reading, { after: -1, keyOf })) yield heldOf(row)
}

export async function hasPrimitive(run: RunCypher, key: string): Promise<boolean> {
  const rows = await run('MATCH (p:Primitive {key: $key}) RETURN p.place AS place', { key })
  return rows.length > 0
}

const types = relationTypes.join('|')

/** The highest numbers that were given; -1 where none was. */
export async function numbered(run: RunCypher): Promise<{ place: number; order: number }> {
  const places = await run('MATCH (p:Primitive) RETURN max(p.place) AS place')
  const orders = await run(`MATCH ()-[r:${types}]->() RETURN max(r.order) AS order`)
  return { place: numberValueOf(places[0]?.['place']), order: numberValueOf(orders[0]?.['order']) }
}

const reading = `MATCH (p:Primitive) WHERE p.place > $after
  WITH p ORDER BY p.place LIMIT $pageMax
  RETURN properties(p) AS node, labels(p) AS labels,
    [(p)-[:HAS_LEVEL]->(level) | properties(level)] AS levels,
    [(p)-[r:${types}]->(target) |
      {edge: properties(r), type: type(r), target: target.name}] AS edges,
    [(p)<-[:ON_SOURCE]-(policy) | {policy: properties(policy),
      target: head([(policy)-[:ON_TARGET]->(target) | target.name])}] AS policies,
    [(p)-[:READS_AS]->(word) | word.text] AS words
  ORDER BY p.place`

function heldOf(row: CypherRow): HeldPrimitive {
  const { place, ...node } = objectOf(row['node'])
  const policies = listOf(row['policies']).map(policyOf)
  const edges = inOrder(listOf(row['edges']).map(edgeOf), ({ edge }) => [
    edge['sourceDepth'],
    edge['order'],
  ])
  const orders = new Set(edges.map(({ edge }) => edge['order']))
  const text = heldText({
    node,
    ...strangeLabels(row['labels'], 'Primitive'),
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
