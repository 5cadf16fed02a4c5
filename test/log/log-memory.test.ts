import { expect, test } from 'vitest'
import { systemClock, systemTimer } from '#system/clock'
import { MemoryStore } from '#log/memory/log'
import type { Log } from '#ports/log'
import { logConformance } from './log-conformance.ts'

logConformance('memory', async () => {
  const store = new MemoryStore({ clock: systemClock, timer: systemTimer })
  const logs: Log[] = []
  return {
    open: async () => {
      const log = store.open()
      logs.push(log)
      return log
    },
    // A process that is gone has no handle: in memory its death and its end are the same.
    kill: (log) => log.close(),
    dispose: async () => {
      for (const log of logs) await log.close()
    },
  }
})

const entry = (name: string) => ({ name: `main.1.note.${name}`, bytes: new Uint8Array([1]) })

test('the time of a fact does not follow a clock that steps back', async () => {
  let now = 5000
  const log = new MemoryStore({ clock: { now: () => now }, timer: systemTimer }).open()
  await log.append(entry('a'))
  now = 4000
  expect((await log.append(entry('b'))).fact.appendedAt).toBe(5000)
  now = 5001
  expect((await log.append(entry('c'))).fact.appendedAt).toBe(5001)
})

test('the owner of the timer decides when a retried job is redelivered', async () => {
  let now = 0
  const alarms: { at: number; run: () => void }[] = []
  const timer = {
    after: (delayMs: number, run: () => void) => {
      const alarm = { at: now + delayMs, run }
      alarms.push(alarm)
      return () => void alarms.splice(alarms.indexOf(alarm), 1)
    },
  }
  const log = new MemoryStore({ clock: { now: () => now }, timer }).open()
  await log.append(entry('a'))
  const signal = new AbortController().signal
  const jobs = log.work('q', ['>'], { inFlightMax: 1, signal })[Symbol.asyncIterator]()
  const first = await jobs.next()
  if (first.done !== true) await first.value.retry(100)
  let second = 0
  const next = jobs.next().then((job) => (second = job.done === true ? 0 : job.value.attempt))
  const ring = async (): Promise<void> => {
    const alarm = alarms.shift()
    if (alarm === undefined) throw new Error('nothing waits')
    alarm.run()
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  now = 99
  await ring()
  expect(second).toBe(0)
  expect(alarms.map((alarm) => alarm.at)).toEqual([100])
  now = 100
  await ring()
  await next
  expect(second).toBe(2)
})
