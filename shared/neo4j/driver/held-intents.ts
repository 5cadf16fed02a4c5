// What Neo4j holds of intents and of the concepts that they lacked, piece by piece, as it is to be
// compared with what the log says.
import { canonical, type JsonMap } from '#record/canonical'
import { intentText, type HeldIntent } from '../projection/held-intents.ts'
import type { CypherRow, RunCypher } from './link.ts'
import { inPages } from './pages.ts'
import {
  listOf,
  momentIn,
  numberValueOf,
  objectOf,
  strangeLabels,
  textOf,
  textsOf,
} from './values.ts'

const reading = (whose: string) => `MATCH (i:Intent) WHERE ${whose}i.position > $after
  WITH i ORDER BY i.position LIMIT $pageMax
  RETURN properties(i) AS node, labels(i) AS labels,
    [(i)-[r:TOUCHED]->(to) | {key: to.key, labels: labels(to), tie: properties(r)}] AS touched,
    [(i)-[r:LACKED]->(to) | {key: to.key, labels: labels(to), tie: properties(r)}] AS lacked,
    [(i)-[r:STOPPED_BY]->(policy) | {nth: policy.nth, tie: properties(r),
      source: head([(policy)-[:ON_SOURCE]->(end) | end.key]),
      target: head([(policy)-[:ON_TARGET]->(end) | end.key]),
      edge: head([(policy)-[:ON_SOURCE]->()-[edge]->() WHERE edge.order = policy.edge |
        {type: type(edge), level: edge.sourceDepth}])}] AS stopped
  ORDER BY i.position`

/** Those whose verdicts stand after a position, in log order. */
export async function* heldIntents(run: RunCypher, from: number): AsyncGenerator<HeldIntent> {
  const keyOf = (row: CypherRow) => objectOf(row['node'])['position']
  for await (const row of inPages(run, reading(''), { after: from, keyOf })) yield heldOf(row)
}

/** The same of one cell. */
export async function* heldIntentsOf(
  run: RunCypher,
  { cell, from }: { readonly cell: number; readonly from: number },
): AsyncGenerator<HeldIntent> {
  const keyOf = (row: CypherRow) => objectOf(row['node'])['position']
  const paging = { after: from, keyOf, params: { cell } }
  for await (const row of inPages(run, reading('i.cell = $cell AND '), paging)) yield heldOf(row)
}

function heldOf(row: CypherRow): HeldIntent {
  const node = objectOf(row['node'])
  const labels = strangeLabels(row['labels'], 'Intent')
  const touched = listOf(row['touched']).map(({ key, labels: of, tie }) => {
    return { key, tie, ...strangeLabels(of, 'Primitive') }
  })
  const lacked = listOf(row['lacked']).map(lackIn)
  const stopped = listOf(row['stopped']).map(({ edge, ...rest }) => {
    return { ...rest, ...objectOf(edge) }
  })
  const said = { ...node, at: momentIn(node['at']), ...labels }
  const text = intentText(said, { touched, lacked, stopped })
  return { position: numberValueOf(node['position']), address: textOf(node['address']), text }
}

function lackIn({ key, labels, tie }: JsonMap): JsonMap {
  return { key, label: textsOf(labels).join(', '), tie }
}

export interface HeldConcept {
  readonly key: string
  /** Canonical JSON. */
  readonly text: string
  /** It was lacked by an intent up to the position that was asked about. */
  readonly isEarlier: boolean
}

const readingConcepts = (upTo: string) => `MATCH (c:Concept) WHERE c.key > $after
  WITH c ORDER BY c.key LIMIT $pageMax
  RETURN c.key AS key, properties(c) AS node, labels(c) AS labels,
    EXISTS { (c)<-[:LACKED]-(i:Intent) WHERE i.position <= ${upTo} } AS isEarlier
  ORDER BY key`

/** In an order of the database's own; of cells, each has a position of its own. */
export async function* heldConcepts(
  run: RunCypher,
  upTo: number | readonly number[],
): AsyncGenerator<HeldConcept> {
  const query = readingConcepts(typeof upTo === 'number' ? '$upTo' : '$upTo[i.cell]')
  const paging = { after: '', keyOf: (row: CypherRow) => row['key'], params: { upTo } }
  for await (const { key, node, labels, isEarlier } of inPages(run, query, paging)) {
    const text = canonical({ ...objectOf(node), ...strangeLabels(labels, 'Concept') })
    yield { key: textOf(key), text, isEarlier: isEarlier === true }
  }
}
