import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemTimer } from '#system/clock'
import { sqliteLog } from '#log/sqlite/log'
import type { Timer } from '#ports/clock'
import type { Job, Log } from '#ports/log'
import { logConformance } from './log-conformance.ts'
import {
  allNotes,
  codeOf,
  entryOf,
  gather,
  nameOf,
  never,
  numbered,
  positions,
} from './conformance/cases.ts'
import { isFull } from '../support/vitest/counts.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** A timer that a dead process has: nothing that it set ever runs. */
function mortalTimer(): { readonly timer: Timer; readonly die: () => void } {
  let alive = true
  const after: Timer['after'] = (delayMs, run) =>
    systemTimer.after(delayMs, () => {
      if (alive) run()
    })
  const die = (): void => {
    alive = false
  }
  return { timer: { after }, die }
}

const hourMs = 3_600_000

// No lease runs out because the machine is busy: time passes when a handle dies, for the others.
logConformance('sqlite', async () => {
  const deaths = new Map<Log, () => void>()
  let passedMs = 0
  return {
    open: async () => {
      const { timer, die } = mortalTimer()
      let diedAt: number | undefined
      const clock = { now: () => Date.now() + (diedAt ?? passedMs) }
      const log = await sqliteLog(join(folder, 'log.db'), { clock, timer, leaseMs: hourMs })
      deaths.set(log, () => {
        diedAt = passedMs
        die()
      })
      return log
    },
    kill: async (log) => {
      deaths.get(log)?.()
      passedMs += 2 * hourMs
    },
    dispose: async () => {
      for (const log of deaths.keys()) await log.close()
    },
  }
})

test('the time of a fact does not follow a clock that steps back, on any handle', async () => {
  let now = 5000
  const clock = { now: () => now }
  const log = await sqliteLog(join(folder, 'log.db'), { clock })
  await log.append(entryOf(1))
  now = 4000
  expect((await log.append(entryOf(2))).fact.appendedAt).toBe(5000)
  const other = await sqliteLog(join(folder, 'log.db'), { clock })
  expect((await other.append(entryOf(3))).fact.appendedAt).toBe(5000)
  now = 5001
  expect((await log.append(entryOf(4))).fact.appendedAt).toBe(5001)
  await log.close()
  await other.close()
})

describe('while another process is writing', () => {
  test('an append waits for it', async () => {
    const path = join(folder, 'log.db')
    const log = await sqliteLog(path)
    const database = new Database(path)
    database.exec('BEGIN IMMEDIATE')
    const appends = [log.append(entryOf(1)), log.append(entryOf(2))]
    // Others read meanwhile, and what is not bound yet is not there.
    expect(await log.get(nameOf(1))).toBeUndefined()
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => void setImmediate(resolve))
    }
    expect(await log.get(nameOf(1))).toBeUndefined()
    database.exec('COMMIT')
    database.close()
    const answers = await Promise.all(appends)
    expect(positions(answers.map((answer) => answer.fact))).toEqual([1, 2])
    await log.close()
  })

  test.runIf(isFull)(
    'an append that waits too long is refused, and the next one is bound',
    async () => {
      const path = join(folder, 'log.db')
      const log = await sqliteLog(path)
      const database = new Database(path)
      database.exec('BEGIN IMMEDIATE')
      expect(await codeOf(log.append(entryOf(1)))).toBe('log_busy soon')
      database.exec('COMMIT')
      database.close()
      expect((await log.append(entryOf(1))).appended).toBe(true)
      await log.close()
    },
  )
})

test('an entry that only the file refuses fails alone', async () => {
  const log = await sqliteLog(join(folder, 'log.db'))
  // Nothing that the types allow comes so far: a text is not bytes, and the table refuses it.
  const bytes: Uint8Array = JSON.parse('"text"')
  const answers = [entryOf(1), { name: nameOf(2), bytes }, entryOf(3)].map((entry) =>
    log.append(entry),
  )
  expect(await codeOf(Promise.all(answers))).toBe('log_unavailable soon')
  const settled = await Promise.allSettled(answers)
  expect(settled.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(positions(await gather(log.read({})))).toEqual([1, 2])
  await log.close()
})

test('jobs given back along with facts are redelivered when due, not with the next lease', async () => {
  const log = await sqliteLog(join(folder, 'log.db'))
  await Promise.all(numbered(20).map((entry) => log.append(entry)))
  const jobs: Job[] = []
  let again = 0
  for await (const job of log.work('q', allNotes, { inFlightMax: 20, signal: never })) {
    if (job.attempt === 2) again += 1
    else jobs.push(job)
    if (again === 20) break
    if (jobs.length < 20 || again > 0) continue
    const given = jobs.map((first, index) => first.retry(20 + index * 5))
    await Promise.all([...given, log.append(entryOf(1, 'other'))])
  }
  expect(jobs).toHaveLength(20)
  await log.close()
})

test('a worker that was taken for dead may still end its job, but not give it back', async () => {
  const path = join(folder, 'log.db')
  const { timer, die } = mortalTimer()
  const slow = await sqliteLog(path, { timer, leaseMs: 100 })
  await Promise.all(numbered(2).map((entry) => slow.append(entry)))
  const options = { inFlightMax: 2, signal: never }
  const theirs = await gather(slow.work('q', allNotes, options), 2)
  die()
  const log = await sqliteLog(path, { leaseMs: 100 })
  const mine = await gather(log.work('q', allNotes, options), 2)
  expect(mine.map((job) => [job.fact.position, job.attempt])).toEqual([
    [1, 2],
    [2, 2],
  ])
  await theirs[0]?.done()
  await theirs[1]?.retry(0)
  await slow.close()
  await log.append(entryOf(3))
  const [next] = await gather(log.work('q', allNotes, options), 1)
  expect(next?.fact.position).toBe(3)
  for (const job of mine) await job.retry(0)
  // The first was ended for ever, by whom does not matter; the second was still ours to give back.
  const [again] = await gather(log.work('q', allNotes, { ...options, inFlightMax: 1 }), 1)
  expect([again?.fact.position, again?.attempt]).toEqual([2, 3])
  await log.close()
})

test('an ended job is written down soon, though nothing else is', async () => {
  const path = join(folder, 'log.db')
  const log = await sqliteLog(path)
  await log.append(entryOf(1))
  const [job] = await gather(log.work('q', allNotes, { inFlightMax: 1, signal: never }), 1)
  const database = new Database(path)
  const jobs = database.prepare('SELECT position FROM jobs')
  expect(jobs.all()).toHaveLength(1)
  await job?.done()
  while (jobs.all().length > 0) await new Promise((resolve) => void setImmediate(resolve))
  database.close()
  await log.close()
})

test('an open log keeps no process alive, and a follower does', async () => {
  const timers: number[] = []
  const timer: Timer = {
    after: (delayMs, run) => {
      timers.push(delayMs)
      return systemTimer.after(delayMs, run)
    },
  }
  const log = await sqliteLog(join(folder, 'log.db'), { timer })
  await log.append(entryOf(1))
  await log.head()
  expect(timers).toEqual([])
  await gather(log.follow(1, never), 1)
  expect(timers.length).toBeGreaterThan(0)
  await log.close()
})
