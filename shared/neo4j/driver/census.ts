// How many of everything there are in a projection, so that nothing is there unseen: what is of no
// primitive and no intent, what has other labels or properties, what others put beside it.
import type { Census } from '../projection/held.ts'
import { relationTypes } from '#schemas/graph'
import type { CypherRow, RunCypher } from './link.ts'
import { projectedLabels } from './model.ts'
import { numberValueOf } from './values.ts'

const plainTypes = ['HAS_LEVEL', 'ON_SOURCE', 'ON_TARGET', 'READS_AS'] as const
const types = [...relationTypes, ...plainTypes, 'TOUCHED', 'LACKED', 'STOPPED_BY'] as const

/** Properties of primitives, intents, concepts and of their relations are compared one by one. */
const oddities = {
  'nodes of several labels': `MATCH (n) WHERE size(labels(n)) > 1 RETURN count(n) AS count`,
  'words that say more': 'MATCH (n:Word) WHERE size(keys(n)) <> 1 RETURN count(n) AS count',
  'relations that say more': `MATCH ()-[r:${plainTypes.join('|')}]->() WHERE size(keys(r)) > 0
    RETURN count(r) AS count`,
} as const

/** By label and type; by what is odd; and how many are of no label or type of ours. */
export async function takeCensus(run: RunCypher): Promise<Census> {
  const counts = new Map<string, number>()
  let others = countIn(await run('MATCH (n) RETURN count(n) AS count'))
  for (const label of projectedLabels) {
    const count = countIn(await run(`MATCH (n:${label}) RETURN count(n) AS count`))
    counts.set(label, count)
    others -= count
  }
  counts.set('other nodes', others)
  others = countIn(await run('MATCH ()-[r]->() RETURN count(r) AS count'))
  for (const type of types) {
    const count = countIn(await run(`MATCH ()-[r:${type}]->() RETURN count(r) AS count`))
    counts.set(type, count)
    others -= count
  }
  counts.set('other relations', others)
  for (const [what, query] of Object.entries(oddities)) counts.set(what, countIn(await run(query)))
  return Object.fromEntries(counts)
}

const earlier = `MATCH (i:Intent) WHERE ($cell IS NULL OR i.cell = $cell) AND i.position <= $upTo
  RETURN count(i) AS Intent, sum(COUNT { (i)-[:TOUCHED]->() }) AS TOUCHED,
    sum(COUNT { (i)-[:LACKED]->() }) AS LACKED, sum(COUNT { (i)-[:STOPPED_BY]->() }) AS STOPPED_BY`

/** What there is of intents up to a position, which a log that begins later does not contain. */
export async function earlierCensus(
  run: RunCypher,
  upTo: number,
  cell: number | null = null,
): Promise<Census> {
  const [row = {}] = await run(earlier, { upTo, cell })
  return Object.fromEntries(
    Object.entries(row).map(([what, count]) => [what, numberValueOf(count)]),
  )
}

function countIn(rows: readonly CypherRow[]): number {
  return numberValueOf(rows[0]?.['count'])
}
