// Measures the projector against plain batched writes of the same rows, round by round in one run,
// and the memory of a rebuild in a process of its own. Run as a file it is that process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemTimer } from '#adapters/system/clock'
import { Neo4jLink, type Neo4jAccess } from '#adapters/neo4j/link'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import type { Graph } from '#core/graph/revision'
import { writesOf } from '#core/projection/graph-writes'
import type { Log } from '#ports/log'
import { silentLogger } from '#runtime/reporting/logger'
import { runProjector } from '#runtime/projector/projector'
import type { GraphOperation } from '#schemas/graph'
import { startNeo4j, wipeNeo4j } from '../../test/support/servers/neo4j-server.ts'
import { changeGraph, testRuntime } from '../../test/support/runtime.ts'
import { median, spread, whole, type Report } from '../figures.ts'

const rounds = 3
const few = 10_000
const many = 100_000
const operationsEach = 400
/** Rows of one plain transaction. */
const rowsMax = 10_000

export async function benchProjection(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'projection-bench-'))
  const server = await startNeo4j({ pace: 'quick' })
  try {
    const link = await Neo4jLink.open(server.access)
    const rates = await ratesOn(link, join(folder, 'few.db'))
    await link.close()
    const path = join(folder, 'many.db')
    await known(path, many)
    const rebuilt = await inItsProcess(path, server.access)
    return reportOf(rates, rebuilt)
  } finally {
    await server.dispose()
    rmSync(folder, { recursive: true })
  }
}

interface Rates {
  readonly rows: number
  /** Rows a second, round by round. */
  readonly plain: readonly number[]
  readonly large: readonly number[]
  readonly single: readonly number[]
}

interface Rebuilt {
  readonly seconds: number
  readonly againSeconds: number
  readonly before: number
  readonly highest: number
}

function reportOf({ rows, plain, large, single }: Rates, rebuilt: Rebuilt): Report {
  const part = large.map((rate, round) => rate / (plain[round] ?? Number.NaN))
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
  return {
    title: 'projecting into Neo4j',
    head: ['', 'a second', 'between'],
    rows: [
      ['rows, plain UNWIND in batches', whole(median(plain)), spread(plain, whole)],
      ['rows, projected from large sets', whole(median(large)), spread(large, whole)],
      ['change sets of one operation', whole(median(single)), spread(single, whole)],
    ],
    notes: [
      `${whole(rows)} rows of ${whole(few)} primitives; constraints and indexes are there`,
      `rebuild of ${whole(many)} primitives: ${rebuilt.seconds.toFixed(1)} s, and over an old ` +
        `one ${rebuilt.againSeconds.toFixed(1)} s; it held ${megabytes(rebuilt.highest)} ` +
        `at most, ${megabytes(rebuilt.before)} before it began`,
    ],
    targets: [
      {
        claim: 'projecting is at least half as fast as plain batched writes of the same rows',
        met: median(part) >= 0.5,
        figures: spread(part, (value) => value.toFixed(2)),
      },
    ],
  }
}

function* operationsOf(count: number): Generator<GraphOperation> {
  for (let index = 0; index < count; index += 1) {
    const [name, half] = [`concept ${index}`, `concept ${index >> 1}`]
    const properties = { description: `what concept ${index} is, and what people say of it` }
    yield { op: 'add', name }
    yield { op: 'describe', name, level: 0, properties: {} }
    yield { op: 'describe', name, level: 1, properties }
    if (index === 0) continue
    yield { op: 'relate', name, level: 1, relatum: { type: 'REQUIRES', ...edgeTo(half) } }
    const policy = { ...watched, name: `watch ${index}` }
    const policies = index % 10 === 0 ? [policy] : []
    const relatum = { type: 'APPLIES_TO' as const, ...edgeTo(half), policies }
    yield { op: 'relate', name, level: 1, relatum }
  }
}

const watched = {
  requiresConfirmation: true,
  triggerCardinality: null,
  callback: null,
  confirmationMessage: 'go on?',
  metadata: {},
}

function edgeTo(target: string) {
  return { target, targetDepth: 1, metadata: {}, policies: [] }
}

/** A log that knows so many primitives, and the graph of it. */
async function known(path: string, count: number): Promise<Graph> {
  const log = await sqliteLog(path)
  const { runtime } = await testRuntime({ log, stages: [] })
  let set: GraphOperation[] = []
  for (const operation of operationsOf(count)) {
    set.push(operation)
    if (set.length < operationsEach) continue
    await changeGraph(runtime, ...set)
    set = []
  }
  if (set.length > 0) await changeGraph(runtime, ...set)
  const { graph } = runtime.follower.state
  await runtime.stop()
  return graph
}

async function ratesOn(link: Neo4jLink, path: string): Promise<Rates> {
  const graph = await known(path, few)
  const singles = await singleSets(`${path}-single`)
  const rows = [...plainBatches(graph)].reduce((sum, batch) => sum + batch.rows.length, 0)
  const [plain, large, single]: [number[], number[], number[]] = [[], [], []]
  // The first round is for the machine to become warm.
  for (let round = 0; round <= rounds; round += 1) {
    const seconds = {
      plain: await plainSeconds(link, graph),
      large: await projectedSeconds(link, path),
      single: await projectedSeconds(link, singles.path),
    }
    if (round === 0) continue
    plain.push(rows / seconds.plain)
    large.push(rows / seconds.large)
    single.push(singles.count / seconds.single)
  }
  return { rows, plain, large, single }
}

async function singleSets(path: string) {
  const count = 5_000
  const log = await sqliteLog(path)
  const { runtime } = await testRuntime({ log, stages: [] })
  let left = count
  for (const operation of operationsOf(count)) {
    await changeGraph(runtime, operation)
    left -= 1
    if (left === 0) break
  }
  await runtime.stop()
  return { path, count }
}

interface PlainBatch {
  readonly cypher: string
  readonly rows: readonly object[]
}

/** The rows as anyone would write them who has nothing to keep but the rows. */
function* plainBatches(graph: Graph): Generator<PlainBatch> {
  const between =
    'MATCH (s:Primitive {key: row.key}) MATCH (t:Primitive {key: row.target}) CREATE (s)'
  for (const writes of writesOf(graph, { places: 0, orders: 0 })) {
    yield { cypher: 'CREATE (p:Primitive) SET p = row', rows: writes.added.map(flat) }
    const level = '(l:Level {of: p.place, level: row.level}) SET l += row'
    const described = `MATCH (p:Primitive {key: row.key}) CREATE (p)-[:HAS_LEVEL]->${level}`
    yield { cypher: described, rows: writes.described.map(flat) }
    const word = 'MERGE (w:Word {text: row.text}) CREATE (p)-[:READS_AS]->(w)'
    yield { cypher: `MATCH (p:Primitive {key: row.key}) ${word}`, rows: writes.worded }
    for (const type of ['REQUIRES', 'APPLIES_TO'] as const) {
      const rows = writes.related.filter((row) => row.type === type).map(flat)
      yield { cypher: `${between}-[r:${type}]->(t) SET r = row`, rows }
    }
    const shown =
      '<-[:ON_SOURCE]-(c:Policy)-[:ON_TARGET]->(t) SET c = row.policy, c.edge = row.edge'
    yield { cypher: `${between}${shown}`, rows: writes.policies }
  }
}

function flat({ provenance, ...row }: { readonly provenance: object | null }): object {
  return { ...row, ...provenance }
}

async function plainSeconds(link: Neo4jLink, graph: Graph): Promise<number> {
  await emptied(link)
  const start = performance.now()
  for (const { cypher, rows } of plainBatches(graph)) {
    for (let from = 0; from < rows.length; from += rowsMax) {
      const some = { rows: rows.slice(from, from + rowsMax) }
      await link.write((run) => run(`UNWIND $rows AS row ${cypher}`, some))
    }
  }
  return (performance.now() - start) / 1_000
}

async function projectedSeconds(link: Neo4jLink, path: string): Promise<number> {
  await emptied(link)
  const log = await sqliteLog(path)
  const start = performance.now()
  await projected(log, link, false)
  const seconds = (performance.now() - start) / 1_000
  await log.close()
  return seconds
}

/** With its constraints and indexes, and nothing else. */
async function emptied(link: Neo4jLink): Promise<void> {
  await wipeNeo4j(link)
  const log = await sqliteLog(':memory:')
  await projected(log, link, false)
  await log.close()
  await link.write((run) => run('MATCH (p:Projection) DELETE p'))
}

async function projected(log: Log, link: Neo4jLink, rebuild: boolean): Promise<void> {
  const open = async () => ({
    read: link.read.bind(link),
    write: link.write.bind(link),
    auto: link.auto.bind(link),
    close: async () => undefined,
  })
  const parts = { log, realm: 'main', rootKey: null, timer: systemTimer, logger: silentLogger }
  await runProjector({ ...parts, open, once: true, rebuild }, new AbortController().signal)
}

/** Rebuilds in a process that does nothing else, so that its memory is that of the projector. */
async function inItsProcess(path: string, access: Neo4jAccess): Promise<Rebuilt> {
  const args = [...process.execArgv, import.meta.filename, path]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  child.stdin.end(`${access.url} ${access.user} ${access.password}`)
  let said = ''
  child.stdout.on('data', (text: Buffer) => (said += text.toString()))
  await once(child, 'close')
  const [seconds = 0, againSeconds = 0, before = 0, highest = 0] = said.split(' ').map(Number)
  assert(child.exitCode === 0 && highest > 0, 'the process came to its end')
  return { seconds, againSeconds, before, highest }
}

async function rebuildHere(path: string): Promise<void> {
  let said = ''
  for await (const text of process.stdin) said += String(text)
  const [url = '', user = '', password = ''] = said.split(' ')
  const link = await Neo4jLink.open({ url, user, password })
  await wipeNeo4j(link)
  const log = await sqliteLog(path)
  const before = process.memoryUsage().rss
  let highest = before
  const looking = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss)
  }, 50)
  const seconds: number[] = []
  for (const _ of ['on an empty database', 'over what is there']) {
    const start = performance.now()
    await projected(log, link, true)
    seconds.push((performance.now() - start) / 1_000)
  }
  clearInterval(looking)
  process.stdout.write([...seconds, before, highest].join(' '))
  await log.close()
  await link.close()
}

const [, program, path] = process.argv
if (program === import.meta.filename && path !== undefined) await rebuildHere(path)
