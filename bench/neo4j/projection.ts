// The projector against plain batched writes of the same rows.
import { join } from 'node:path'
import { systemTimer } from '#system/clock'
import { Neo4jLink } from '#neo4j/driver/link'
import { sqliteLog } from '#log/sqlite/log'
import type { Graph } from '#knowledge/graph/revision'
import { writesOf, type Row } from '#neo4j/projection/graph-writes'
import type { Log } from '#ports/log'
import { silentLogger } from '#runtime/reporting/logger'
import { runProjector } from '#neo4j/projector'
import { startNeo4j, wipeNeo4j } from '../../test/support/servers/neo4j-server.ts'
import { inFolder } from '../deployment.ts'
import { changedLog } from '../graph-changes.ts'
import { ratioAtLeast, inRounds, sized, timed, type Bench } from '../harness.ts'

const rounds = 3
const primitives = sized(10_000)
const singlesPrimitives = sized(1_000)
const operationsEach = 400
/** Rows of one plain transaction. */
const rowsMax = 10_000

const [large, plain] = ['rows, projected from large change sets', 'the same by plain `UNWIND`']
const singles = 'change sets of one operation'

export const bench: Bench = {
  title: 'Projecting into Neo4j',
  needs: 'neo4j',
  isLong: true,
  run: () =>
    inFolder(async (folder) => {
      const server = await startNeo4j({ pace: 'quick' })
      try {
        const link = await Neo4jLink.open(server.access)
        const [few, single] = [join(folder, 'few.db'), join(folder, 'single.db')]
        const { graph } = await changedLog(few, primitives, operationsEach)
        const { operations } = await changedLog(single, singlesPrimitives, 1)
        const batches = [...plainBatches(graph)]
        const rows = batches.reduce((sum, batch) => sum + batch.rows.length, 0)
        const ran = await inRounds(rounds, async () => ({
          [plain]: rows / (await plainSeconds(link, batches)),
          [large]: rows / (await projectedSeconds(link, few)),
          [singles]: operations / (await projectedSeconds(link, single)),
        }))
        await link.close()
        const aims = ratioAtLeast(0.5)
        return [ran.figure(large, '/s', { against: plain, aims }), ran.figure(singles, '/s')]
      } finally {
        await server.dispose()
      }
    }),
}

interface PlainBatch {
  readonly cypher: string
  readonly rows: readonly object[]
}

/** The rows as anyone would write them who has nothing to keep but the rows. */
function* plainBatches(graph: Graph): Generator<PlainBatch> {
  const between =
    'MATCH (s:Primitive {key: row.key}) MATCH (t:Primitive {key: row.target}) CREATE (s)'
  for (const { put } of writesOf(graph, { places: 0, orders: 0 })) {
    const rowsOf = (kind: Row['kind']) => put.filter((row) => row.kind === kind).map(flat)
    yield { cypher: 'CREATE (p:Primitive) SET p = row', rows: rowsOf('Primitive') }
    const level = '(l:Level {of: p.place, level: row.level}) SET l += row'
    const described = `MATCH (p:Primitive {key: row.key}) CREATE (p)-[:HAS_LEVEL]->${level}`
    yield { cypher: described, rows: rowsOf('Level') }
    const word = 'MERGE (w:Word {text: row.text}) CREATE (p)-[:READS_AS]->(w)'
    yield { cypher: `MATCH (p:Primitive {key: row.key}) ${word}`, rows: rowsOf('READS_AS') }
    for (const type of ['REQUIRES', 'APPLIES_TO'] as const) {
      yield { cypher: `${between}-[r:${type}]->(t) SET r = row`, rows: rowsOf(type) }
    }
  }
}

function flat(each: Row): object {
  const { kind: _, isNew: __, node, ...row } = each
  return { ...row, ...node }
}

async function plainSeconds(link: Neo4jLink, batches: readonly PlainBatch[]): Promise<number> {
  await emptied(link)
  const ms = await timed(async () => {
    for (const { cypher, rows } of batches) {
      for (let from = 0; from < rows.length; from += rowsMax) {
        const some = { rows: rows.slice(from, from + rowsMax) }
        await link.write((run) => run(`UNWIND $rows AS row ${cypher}`, some))
      }
    }
  })
  return ms / 1_000
}

async function projectedSeconds(link: Neo4jLink, path: string): Promise<number> {
  await emptied(link)
  const log = await sqliteLog(path)
  const ms = await timed(() => projected(log, link))
  await log.close()
  return ms / 1_000
}

/** With its constraints and indexes, and nothing else. */
async function emptied(link: Neo4jLink): Promise<void> {
  await wipeNeo4j(link)
  const log = await sqliteLog(':memory:')
  await projected(log, link)
  await log.close()
  await link.write((run) => run('MATCH (p:Projection) DELETE p'))
}

async function projected(log: Log, link: Neo4jLink): Promise<void> {
  const open = async () => ({
    read: link.read.bind(link),
    write: link.write.bind(link),
    auto: link.auto.bind(link),
    close: async () => undefined,
  })
  const parts = { log, realm: 'main', rootKey: null, timer: systemTimer, logger: silentLogger }
  await runProjector({ ...parts, open, once: true, rebuild: false }, new AbortController().signal)
}
