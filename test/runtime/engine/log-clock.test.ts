// One wrong clock must not decide the time of a log in a file: what it would append is refused.
import { join } from 'node:path'
import { setImmediate as turned } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemTimer } from '#system/clock'
import { sqliteLog, type SqliteOptions } from '#log/sqlite/log'
import type { Uptime } from '#ports/clock'
import type { AppendOptions, Log } from '#ports/log'
import { allNotes, codeOf, entryOf, gather, never, plain } from '../../log/conformance/cases.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const second = 1_000
const day = 86_400_000
const year = 365 * day
const start = Date.UTC(2026, 0, 1)

let folder: string
let now: number
let logs: Log[]

beforeEach(async () => {
  folder = await temporaryFolder()
  now = start
  logs = []
})
afterEach(async () => {
  for (const log of logs) await log.close()
})

async function opened(options: SqliteOptions = {}): Promise<Log> {
  const log = await sqliteLog(join(folder, 'log.db'), { clock: { now: () => now }, ...options })
  logs.push(log)
  return log
}

async function timeOf(log: Log, number: number, options?: AppendOptions): Promise<number> {
  return (await log.append(entryOf(number), options)).fact.appendedAt
}

test('an append by a clock that is up to 5 s behind is stamped as the last fact is', async () => {
  const log = await opened()
  await log.append(entryOf(1))
  now = start - 5 * second
  expect(await timeOf(log, 2)).toBe(start)
})

test('an append by a clock that is further behind is refused, and nothing is stored', async () => {
  const log = await opened()
  await log.append(entryOf(1))
  now = start - 5 * second - 1
  expect(await codeOf(log.append(entryOf(2)))).toBe('clock_behind soon')
  expect(await log.head()).toEqual({ position: 1, appendedAt: start })
  now = start - 5 * second
  expect(await timeOf(log, 2)).toBe(start)
})

test('ten years ahead is refused, and the log goes on by the right clocks', async () => {
  const log = await opened()
  await log.append(entryOf(1))
  now = start + 10 * year
  expect(await codeOf(log.append(entryOf(2)))).toBe('clock_ahead soon')
  now = start + second
  expect(await timeOf(log, 2)).toBe(start + second)
})

test('a log may be quiet for 30 days, and for longer if someone confirms it', async () => {
  const log = await opened()
  await log.append(entryOf(1))
  now = start + 30 * day
  expect(await timeOf(log, 2)).toBe(now)
  now += 30 * day + 1
  expect(await codeOf(log.append(entryOf(3)))).toBe('clock_ahead soon')
  const other = await opened({ acceptClock: true })
  expect(await timeOf(other, 3)).toBe(now)
  // Others have the time of the log now, and what was accepted once is not accepted again.
  expect(await timeOf(log, 4)).toBe(now)
  now += 31 * day
  expect(await codeOf(other.append(entryOf(5)))).toBe('clock_ahead soon')
})

test('an empty log takes any clock', async () => {
  now = start + 10 * year
  expect(await timeOf(await opened(), 1)).toBe(now)
})

test('that a name is bound is found by whatever clock', async () => {
  const log = await opened()
  const { fact } = await log.append(entryOf(1))
  for (const instant of [start - year, start + year]) {
    now = instant
    const answers = await Promise.allSettled([log.append(entryOf(1)), log.append(entryOf(2))])
    const [found] = answers
    const bound = found?.status === 'fulfilled' ? found.value : null
    expect([bound?.appended, plain(bound?.fact)]).toEqual([false, plain(fact)])
    expect(answers[1]?.status).toBe('rejected')
  }
})

test('a refused clock ends no worker of that handle', async () => {
  const log = await opened()
  const seen: number[] = []
  const working = (async () => {
    for await (const job of log.work('q', allNotes, { inFlightMax: 1, signal: never })) {
      seen.push(job.fact.position)
      await job.done()
      if (seen.length === 2) return
    }
  })()
  await log.append(entryOf(1))
  now = start - year
  expect(await codeOf(log.append(entryOf(2)))).toBe('clock_behind soon')
  now = start
  await log.append(entryOf(2))
  await working
  expect(seen).toEqual([1, 2])
})

test('an append may keep the time of the last fact, or reset it', async () => {
  const log = await opened()
  await log.append(entryOf(1))
  now = start - year
  expect(await timeOf(log, 2, { behind: 'keep' })).toBe(start)
  expect(await timeOf(log, 3, { behind: 'reset' })).toBe(now)
  expect(await timeOf(log, 4)).toBe(now)
  expect((await gather(log.read({}))).map((fact) => fact.appendedAt)).toEqual([
    start,
    start,
    now,
    now,
  ])
})

test('what a process with a clock far ahead has out is redelivered once it is gone', async () => {
  const log = await opened()
  await Promise.all([log.append(entryOf(1)), log.append(entryOf(2))])
  let isAlive = true
  const after = (delayMs: number, run: () => void) =>
    systemTimer.after(delayMs, () => {
      if (isAlive) run()
    })
  const clock = { now: () => start + 10 * year }
  const wrong = await opened({ clock, timer: { after } })
  const options = { inFlightMax: 2, signal: never }
  const jobs = await gather(wrong.work('q', allNotes, options), 2)
  await jobs[0]?.retry(0)
  // It writes that down in one of its next turns, and then it is gone.
  for (let turn = 0; turn < 10; turn += 1) await turned()
  isAlive = false
  const again = await gather((await opened()).work('q', allNotes, options), 2)
  expect(again.map((job) => job.fact.position)).toEqual([1, 2])
})

describe('where it is known how long the machine has run', () => {
  let up: Uptime | null

  beforeEach(() => {
    up = { boot: 'first', ms: 1_000_000 }
  })

  /** Another process on this machine. */
  const another = (options: SqliteOptions = {}): Promise<Log> =>
    opened({ uptime: () => up, ...options })

  function pass(ms: number, clockMs = ms): void {
    now += clockMs
    if (up !== null) up = { ...up, ms: up.ms + ms }
  }

  const minutes = 60 * second

  test('a clock is at most five minutes further than the machine has run since', async () => {
    expect(await timeOf(await another(), 1)).toBe(start)
    pass(60 * second, 60 * second + 5 * minutes)
    const head = await (await another()).head()
    expect(head).toEqual({ position: 1, appendedAt: start, latest: start + 60 * second })
    expect(await timeOf(await another(), 2)).toBe(now)
    pass(0, 5 * minutes + 1)
    const log = await another()
    await expect(log.append(entryOf(3))).rejects.toMatchObject({
      code: 'clock_ahead',
      message: expect.stringContaining('how long this machine has run'),
    })
    now -= 1
    expect(await timeOf(log, 3)).toBe(now)
  })

  test('twenty days ahead a minute later is refused, unless someone confirms it', async () => {
    expect(await timeOf(await another(), 1)).toBe(start)
    pass(60 * second, 20 * day)
    expect(await codeOf((await another()).append(entryOf(2)))).toBe('clock_ahead soon')
    expect(await timeOf(await another({ acceptClock: true }), 2)).toBe(now)
    // What was confirmed holds for all others, from then on.
    pass(60 * second)
    expect(await timeOf(await another(), 3)).toBe(now)
    pass(0, day)
    expect(await codeOf((await another()).append(entryOf(4)))).toBe('clock_ahead soon')
  })

  test('a machine that ran on while the log was quiet needs no confirmation', async () => {
    expect(await timeOf(await another(), 1)).toBe(start)
    pass(40 * day)
    expect(await timeOf(await another(), 2)).toBe(now)
  })

  test('after another start of the machine, or where nothing is known, 30 days are the bound', async () => {
    expect(await timeOf(await another(), 1)).toBe(start)
    const all: readonly (Uptime | null)[] = [
      null,
      { boot: 'second', ms: 10 },
      // A part of the machine that counts otherwise.
      { boot: 'first', ms: 10 },
    ]
    now += 30 * day + 1
    for (const seen of all) {
      up = seen
      expect(await codeOf((await another()).append(entryOf(2)))).toBe('clock_ahead soon')
    }
    now -= 1
    expect(await timeOf(await another(), 2)).toBe(now)
  })

  test('a log that was set back takes the right clock again, by all processes', async () => {
    const log = await another()
    await log.append(entryOf(1))
    pass(minutes, 20 * day)
    expect(await timeOf(await another({ acceptClock: true }), 2)).toBe(now)
    now = start + 2 * minutes
    expect(await codeOf(log.append(entryOf(3)))).toBe('clock_behind soon')
    expect(await timeOf(log, 3, { behind: 'reset' })).toBe(now)
    pass(minutes)
    expect(await timeOf(await another(), 4)).toBe(now)
    pass(0, 6 * minutes)
    expect(await codeOf((await another()).append(entryOf(5)))).toBe('clock_ahead soon')
  })

  test('it asks for that at most once in ten seconds of appends', async () => {
    let asked = 0
    const log = await another({
      uptime() {
        asked += 1
        return up
      },
    })
    for (let number = 1; number <= 40; number += 1) {
      await log.append(entryOf(number))
      pass(second)
    }
    expect(asked).toBe(4)
  })

  test('an append that fails leaves the next to write it', async () => {
    const log = await another()
    await timeOf(log, 1)
    pass(second, 20 * day)
    expect(await codeOf(log.append(entryOf(2)))).toBe('clock_ahead soon')
    now = start + second
    expect(await timeOf(log, 2)).toBe(now)
    pass(second, 20 * day)
    expect(await codeOf((await another()).append(entryOf(3)))).toBe('clock_ahead soon')
  })
})
