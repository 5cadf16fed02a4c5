// The loop around a stage: what is tried again, and when a job is set aside.
import { expect, test } from 'vitest'
import { apiFault } from '#log/nats/problems'
import { Fault } from '#record/fault'
import type { Callbacks } from '#ports/callbacks'
import type { Log } from '#ports/log'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import {
  breaking,
  failingLog,
  faultOf,
  passed,
  passUntil,
  type Breakage,
} from '../../support/faulty-log.ts'
import {
  another,
  bound,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  names,
  say,
  scene,
  verdict,
} from '../../support/scene.ts'

const setup = { catalog: { capabilities: [look] } }
const intent = { tool: 'look' }
const unreachable = (): Fault => new Fault('log_unreachable', 'no one answers')

function broken(error: Error | null): Breakage {
  return { error, tries: 0 }
}

test('ten minutes without the log set nothing aside, and the verdict comes after them', async () => {
  let tries = 0
  let isOut = true
  const append = (name: string): Fault | null => {
    if (!isOut || !name.includes('.grounding.')) return null
    tries += 1
    return unreachable()
  }
  const on = await scene({ ...setup, wrap: (log: Log) => failingLog(log, { append }) })
  const from = on.time.now
  const address = await say(on.log, { intent })
  // After 1, 2, 4, 8 and 16 seconds, and from then on every half a minute.
  await passUntil(on, () => tries === 6)
  expect(on.time.now - from).toBeLessThan(35_000)
  await passUntil(on, () => on.time.now - from > 600_000)
  expect(tries).toBeLessThanOrEqual(26)
  expect(tries).toBeGreaterThan(20)
  isOut = false
  expect((await passed(on, verdict(on.log, address))).outcome).toBe('allow')
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
  await expectReplay(on)
})

test.each([
  new Fault('log_busy', 'it is'),
  new Fault('append_refused', 'no room'),
  apiFault('a.b', { code: 429, err_code: 10_167, description: 'too many requests' }),
  new Fault('era_sealed', 'the next is not open yet', { retry: 'never' }),
])('what the log refuses for a while is tried again until it does not: %s', async (fault) => {
  let refused = 0
  const append = (name: string): Fault | null => {
    if (!name.includes('.grounding.') || refused === 9) return null
    refused += 1
    return fault
  }
  const on = await scene({ ...setup, wrap: (log: Log) => failingLog(log, { append }) })
  const address = await say(on.log, { intent })
  expect((await passed(on, verdict(on.log, address))).outcome).toBe('allow')
  expect(refused).toBe(9)
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
})

test('a job that fails five times is set aside with what failed, and no other is', async () => {
  const breakage = broken(new Error(`half a pair ${'x'.repeat(987)}\u{1f600}`))
  const on = await scene({ ...setup, stages: [breaking(grounding, breakage), policy] })
  await say(on.log, { intent })
  const position = (await on.log.head()).position
  const fault = await passed(on, faultOf(on, 'grounding', position))
  expect(fault).toMatchObject({ attempts: 5, code: 'unexpected', queue: 'grounding', position })
  expect(fault.message).toMatch(/^half a pair x+\ufffd$/)
  expect(breakage.tries).toBe(5)
  breakage.error = null
  expect((await judged(on, { intent })).outcome).toBe('allow')
  expect(await names(on.log, 'main.1.fault.>')).toHaveLength(1)
})

test('what can never succeed is set aside at once', async () => {
  const breakage = broken(new Fault('name_spent', 'it cannot be bound'))
  const on = await scene({ ...setup, stages: [breaking(grounding, breakage)] })
  await say(on.log, { intent })
  const { position } = await on.log.head()
  expect(await faultOf(on, 'grounding', position)).toMatchObject({ attempts: 1 })
  expect(breakage.tries).toBe(1)
})

test('a job that fails four times and then does not leaves no fault', async () => {
  const breakage = broken(new Error('not yet'))
  const on = await scene({ ...setup, stages: [breaking(grounding, breakage), policy] })
  const address = await say(on.log, { intent })
  await passUntil(on, () => breakage.tries === 4)
  breakage.error = null
  expect((await passed(on, verdict(on.log, address))).outcome).toBe('allow')
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
})

test.each([
  { deliveries: 20, tries: 1 },
  { deliveries: 21, tries: 0 },
])('after $deliveries deliveries a job is tried $tries times', async ({ deliveries, tries }) => {
  const breakage = broken(null)
  const attempt = (): number => deliveries
  const on = await scene({
    ...setup,
    stages: [breaking(grounding, breakage)],
    wrap: (log: Log) => failingLog(log, { attempt }),
  })
  await say(on.log, { intent })
  const { position } = await on.log.head()
  await on.watch.settled(on.log)
  expect(breakage.tries).toBe(tries)
  expect(await names(on.log, 'main.1.fault.>')).toHaveLength(1 - tries)
  if (tries === 1) return
  const fault = await faultOf(on, 'grounding', position)
  expect(fault).toMatchObject({ attempts: 21, code: 'job_poisoned' })
})

test('a log that goes while a job is set aside gets its fault afterwards, once', async () => {
  let refused = 0
  const append = (name: string): Fault | null => {
    if (!name.includes('.fault.') || refused === 3) return null
    refused += 1
    return unreachable()
  }
  const breakage = broken(new Error('it fails'))
  const on = await scene({
    ...setup,
    stages: [breaking(grounding, breakage)],
    wrap: (log: Log) => failingLog(log, { append }),
  })
  await say(on.log, { intent })
  const { position } = await on.log.head()
  await passed(on, bound(on.log, `main.1.fault.grounding.${position}`))
  await passed(on, on.watch.settled(on.log))
  expect(refused).toBe(3)
  expect(await names(on.log, 'main.1.fault.>')).toHaveLength(1)
})

test('a worker asked to stop waits out an outage for as long as it may, and no longer', async () => {
  const append = (name: string): Fault | null =>
    name.includes('.grounding.') ? unreachable() : null
  const on = await scene({ ...setup, wrap: (log: Log) => failingLog(log, { append }) })
  const address = await say(on.log, { intent })
  let isStopped = false
  const stopped = on.runtime.stop(5_000).then(() => (isStopped = true))
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate)
  on.time.pass(4_999)
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  on.time.pass(1)
  await stopped
  const next = await another(on, { wrap: (log) => log })
  expect((await verdict(next.log, address)).outcome).toBe('allow')
  expect(await names(next.log, 'main.1.fault.>')).toEqual([])
})

test('what was cut short because the process goes decides nothing', async () => {
  const hanging: (() => void)[] = []
  const callbacks: Callbacks = {
    run: () =>
      new Promise((resolve) => {
        hanging.push(() =>
          resolve({ fault: { code: 'thread_failed', params: {} }, recorded: true }),
        )
      }),
    has: () => Promise.resolve(true),
    close: async () => {
      for (const cut of hanging) cut()
      for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate)
    },
  }
  const graph = deletion({ name: 'slow', requiresConfirmation: false, callback: 'slow' })
  const catalog = { capabilities: [erase] }
  const on = await scene({ catalog, graph, parts: { callbacks } })
  await say(on.log, { intent: { tool: 'erase' } })
  while (hanging.length === 0) await new Promise(setImmediate)
  const stopped = on.runtime.stop(1_000)
  on.time.pass(1_000)
  await stopped
  const left = on.store.open()
  expect(await names(left, 'main.1.grounding.>')).toHaveLength(1)
  expect(await names(left, 'main.1.verdict.>')).toEqual([])
  expect(await names(left, 'main.1.fault.>')).toEqual([])
})
