// Jobs of a file of SQLite in turns over agents: what an agent with few waits for does not grow
// with what another has waiting.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import type { Job, Log } from '#ports/log'

let folder = ''
let log: Log
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turns-'))
  log = await sqliteLog(join(folder, 'log.db'))
})
afterEach(async () => {
  await log.close()
  rmSync(folder, { recursive: true })
})

const names = ['main.1.vlp.>']
const append = (agent: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      log.append({ name: `main.1.vlp.${agent}.-.u${n}`, bytes: Buffer.from('{}') }),
    ),
  )

/** The agents of the first jobs, each ended before the next is taken. */
async function agents(count: number, reachMax?: number): Promise<readonly string[]> {
  const found: string[] = []
  const abort = new AbortController()
  const options = { inFlightMax: 4, signal: abort.signal, ...(reachMax && { reachMax }) }
  for await (const job of log.work('q', names, options)) {
    found.push(job.fact.name.split('.')[3] ?? '')
    await job.done()
    // What is claimed in advance is claimed by and by.
    await turns(5)
    if (found.length === count) abort.abort()
  }
  return found
}

/** Jobs that are taken and not ended, until it leaves. */
function taking(options: { readonly inFlightMax: number; readonly reachMax: number }) {
  const abort = new AbortController()
  const seen: Job[] = []
  const worked = (async () => {
    for await (const job of log.work('q', names, { ...options, signal: abort.signal })) {
      seen.push(job)
    }
  })()
  const leave = async (): Promise<void> => {
    abort.abort()
    await worked
  }
  return { seen, leave }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}

test('an agent with few jobs does not wait for all those of another', async () => {
  await append('greedy', 5_000)
  await append('polite', 3)
  const found = await agents(200, 32_768)
  expect(found.filter((agent) => agent === 'polite')).toHaveLength(3)
})

test('of an agent that crowds others out few are under way, and those of others come at once', async () => {
  await append('greedy', 1_000)
  await append('polite', 1)
  const { seen, leave } = taking({ inFlightMax: 64, reachMax: 32_768 })
  const of = (agent: string) => seen.filter(({ fact }) => fact.name.includes(`.${agent}.`)).length
  await turns(50)
  expect([of('greedy'), of('polite')]).toEqual([7, 1])
  for (const n of ['v1', 'v2', 'v3']) {
    await log.append({ name: `main.1.vlp.polite.-.${n}`, bytes: Buffer.from('{}') })
  }
  await turns(50)
  expect([of('greedy'), of('polite')]).toEqual([7, 4])
  for (const job of seen.slice()) await job.done()
  await turns(50)
  expect(of('greedy')).toBe(15)
  await leave()
})

test('an agent alone has as many under way as may be', async () => {
  await append('greedy', 1_000)
  const { seen, leave } = taking({ inFlightMax: 64, reachMax: 32_768 })
  await turns(50)
  expect(seen).toHaveLength(64)
  await leave()
})

test('without a reach only those in flight take turns', async () => {
  await append('greedy', 50)
  await append('polite', 3)
  const found = await agents(53)
  expect(found.indexOf('polite')).toBeGreaterThan(45)
})

test('no more are seen at a time than may be in flight, and what is not seen goes to others', async () => {
  await append('greedy', 100)
  const { seen, leave } = taking({ inFlightMax: 4, reachMax: 1_000 })
  await turns(200)
  expect(seen).toHaveLength(4)
  await leave()
  for (const job of seen) await job.done()
  const others = new Map<string, number>()
  const leaving = new AbortController()
  const rest = { inFlightMax: 200, signal: leaving.signal }
  for await (const { fact, attempt } of log.work('q', names, rest)) {
    others.set(fact.name, attempt)
    if (others.size === 96) leaving.abort()
  }
  expect(new Set(others.values())).toEqual(new Set([1]))
  for (const { fact } of seen) expect(others.has(fact.name)).toBe(false)
})
