// Measures the log in one SQLite file against the driver alone, which inserts the same rows with
// the same promise, round by round in one run: of a machine that is busy only the ratios can be
// believed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { sqliteLog } from '#adapters/sqlite/log'
import type { Entry, Log } from '#ports/log'

export interface LogMeasure {
  readonly what: string
  readonly perSecond: number
  /** Against the driver alone in the same round: 1 would cost nothing. */
  readonly ratioToDriver: number
}

const rounds = 7
const outstanding = 256
const factBytes = 600
const aloneCount = 500
const groupedCount = 15_360
const sessions = 50
const kinds = ['vlp', 'grounding', 'verdict']

/** The facts of intents of many sessions, as they come up: each intent has one of each kind. */
function entries(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const intent = Math.floor(index / kinds.length)
    const session = `agent-${intent % 10}.session-${intent % sessions}`
    const address = `${session}.01JQ${String(intent).padStart(22, '0')}`
    const kind = kinds[index % kinds.length] ?? ''
    const name = `main.1.${kind}.${address}${kind === 'grounding' ? '.1' : ''}`
    return { name, bytes: new Uint8Array(factBytes).fill(index % 256) }
  })
}

/** The driver alone: the same rows with the same index, synced at each commit. */
function insertRaw(path: string, rows: readonly Entry[], group: number): number {
  const database = new Database(path)
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;
     PRAGMA cache_size = -16384;
     CREATE TABLE facts (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
       appended_at INTEGER NOT NULL, bytes BLOB NOT NULL)`,
  )
  const insert = database.prepare('INSERT INTO facts VALUES (?, ?, ?, ?)')
  const start = performance.now()
  for (let first = 0; first < rows.length; first += group) {
    database.exec('BEGIN IMMEDIATE')
    for (let index = first; index < Math.min(first + group, rows.length); index += 1) {
      const row = rows[index]
      if (row !== undefined) insert.run([index + 1, row.name, Date.now(), row.bytes])
    }
    database.exec('COMMIT')
  }
  const seconds = (performance.now() - start) / 1000
  database.close()
  return rows.length / seconds
}

async function appendAll(log: Log, rows: readonly Entry[], lanes: number): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let row = rows[next++]; row !== undefined; row = rows[next++]) await log.append(row)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Ends each job at once, until that many are ended. */
async function workAll(log: Log, kind: string, count: number): Promise<void> {
  const options = { inFlightMax: outstanding, signal: new AbortController().signal }
  let ended = 0
  for await (const job of log.work(kind, [`*.*.${kind}.>`], options)) {
    await job.done()
    ended += 1
    if (ended === count) return
  }
}

async function followAll(log: Log, count: number): Promise<void> {
  for await (const fact of log.follow(1, new AbortController().signal)) {
    if (fact.position === count) return
  }
}

async function timed(
  path: string,
  count: number,
  run: (log: Log) => Promise<unknown>,
): Promise<number> {
  const log = await sqliteLog(path)
  const start = performance.now()
  await run(log)
  const seconds = (performance.now() - start) / 1000
  await log.close()
  return count / seconds
}

/** The sides of one round, each with a file of its own, and what it is compared with. */
async function measureRound(folder: string, round: number): Promise<Map<string, number>> {
  const [few, many] = [entries(aloneCount), entries(groupedCount)]
  const path = (side: string): string => join(folder, `${side}-${round}.db`)
  const jobs = (log: Log): Promise<void>[] =>
    kinds.map((kind) => workAll(log, kind, many.length / 3))
  return new Map([
    ['driver alone', insertRaw(path('raw-alone'), few, 1)],
    ['append alone', await timed(path('alone'), few.length, (log) => appendAll(log, few, 1))],
    ['driver in groups', insertRaw(path('raw-grouped'), many, outstanding)],
    [
      `append, ${outstanding} outstanding`,
      await timed(path('grouped'), many.length, (log) => appendAll(log, many, outstanding)),
    ],
    [
      'append and follow',
      await timed(path('followed'), many.length, (log) =>
        Promise.all([appendAll(log, many, outstanding), followAll(log, many.length)]),
      ),
    ],
    [
      'append, follow and end a job of three queues',
      await timed(path('worked'), many.length, (log) =>
        Promise.all([appendAll(log, many, outstanding), followAll(log, many.length), ...jobs(log)]),
      ),
    ],
  ])
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export async function measureLog(): Promise<readonly LogMeasure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'log-bench-'))
  const measured: Map<string, number>[] = []
  for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(folder, round))
  rmSync(folder, { recursive: true })
  return [...(measured[0]?.keys() ?? [])].map((what) => {
    const driver = what.endsWith('alone') ? 'driver alone' : 'driver in groups'
    const of = (side: string, round: Map<string, number>): number => round.get(side) ?? Number.NaN
    return {
      what,
      perSecond: median(measured.map((round) => of(what, round))),
      ratioToDriver: median(measured.map((round) => of(what, round) / of(driver, round))),
    }
  })
}

async function printLog(): Promise<void> {
  for (const { what, perSecond, ratioToDriver } of await measureLog()) {
    const rate = Math.round(perSecond).toLocaleString('en').padStart(10)
    console.log(`${what.padEnd(46)} ${rate}/s   ${ratioToDriver.toFixed(2)} of the driver`)
  }
}

if (process.argv[1] === import.meta.filename) await printLog()
