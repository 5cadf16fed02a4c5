// Jobs that were set aside: a person sees them, tries one again, and learns when it fails again.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import type { Log } from '#ports/log'
import { outputOf } from '#schemas/operations/table'
import { startRuntime } from '#wiring/open'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run } from '../../support/cli-runner.ts'
import { breaking } from '../../support/faulty-log.ts'
import { testParts } from '../../support/runtime.ts'
import { bound } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await beginKnowing({ cwd })).toMatchObject({ code: 0 })
})

const reason = 'Ann asked for her invoice'

/** Asks, with no one there to answer. */
async function asked(): Promise<string> {
  const args = ['ask', 'send_email', '--arg', 'to=a@example.com', '--justification', reason]
  const { stdout } = await run([...args, '--no-stages', '--wait', '0', '--json'], { cwd })
  return JSON.parse(stdout).intent
}

/** Runs these stages on the log until what the test waits for is there. */
async function running<T>(own: readonly Stage[], use: (log: Log) => Promise<T>): Promise<T> {
  const log = await sqliteLog(join(cwd, '.warrant/log.db'))
  const runtime = await startRuntime(testParts(log, {}), own)
  try {
    return await use(log)
  } finally {
    await runtime.stop()
  }
}

/** An intent whose job of policy was set aside, and the position of that fault. */
async function setAside(): Promise<{ readonly intent: string; readonly position: number }> {
  const intent = await asked()
  const breakage = { error: new Fault('name_spent', 'it cannot be bound'), tries: 0 }
  return running([grounding, breaking(policy, breakage)], async (log) => {
    const job = await bound(log, `main.1.grounding.${intent}.1`)
    const { position } = await bound(log, `main.1.fault.policy.${job.position}`)
    return { intent, position }
  })
}

async function faults(...args: readonly string[]) {
  const { code, stdout } = await run(['faults', '--json', ...args], { cwd })
  expect(code).toBe(0)
  return outputOf('faults').parse(JSON.parse(stdout)).rows
}

test('where no job was set aside there is nothing to list, and nothing to try again', async () => {
  expect(await run(['faults'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'no job was set aside\n',
  })
  for (const meant of ['1', '99999', 'main.1.fault.policy.1', 'fault.policy.1']) {
    const { code, stderr } = await run(['faults', 'retry', meant], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringContaining('list them with `warrant faults`')])
  }
  expect(await run(['faults', 'retry', 'x'], { cwd })).toMatchObject({ code: 2 })
  expect(await run(['faults', 'retry'], { cwd })).toMatchObject({ code: 2 })
})

test('what failed for a while gets its verdict when it is tried again, once', async () => {
  const { intent, position } = await setAside()
  const [fault] = await faults('--open')
  expect(fault).toMatchObject({ position, queue: 'policy', intent, open: true, attempts: 1 })
  expect(fault).toMatchObject({ code: 'name_spent', about: `main.1.grounding.${intent}.1` })
  const shown = await run(['faults'], { cwd })
  expect(shown.stdout).toContain('name_spent: it cannot be bound')

  const retried = await run(['faults', 'retry', String(position)], { cwd })
  expect([retried.code, retried.stderr]).toEqual([0, ''])
  expect(retried.stdout).toContain('send_email for my-agent')
  expect(await faults('--open')).toEqual([])
  expect(await faults()).toMatchObject([{ position, open: false }])
  const again = await run(['faults', 'retry', String(position)], { cwd })
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is already decided')])
  expect((await run(['replay'], { cwd })).code).toBe(0)
})

test.each(['main.1.', ''])('it may be named as `%sfault…`, without other stages', async (place) => {
  const { intent, position } = await setAside()
  const fault = (await faults('--open')).find((one) => one.position === position)
  const name = `${place}${fault?.name.slice('main.1.'.length)}`
  const retried = await run(['faults', 'retry', name, '--no-stages', '--json'], { cwd })
  expect(retried.code).toBe(0)
  expect(JSON.parse(retried.stdout)).toMatchObject({ intent, outcome: expect.any(String) })
})

test('what fails again reports why, and stays as it was', async () => {
  const intent = await asked()
  const position = await running([], async (log) => {
    const name = `main.1.grounding.${intent}.1`
    await log.append({ name, bytes: Buffer.from('junk') })
    const message = await bound(log, `main.1.vlp.${intent}`)
    return message.position
  })
  const aside = await running([grounding], (log) =>
    bound(log, `main.1.fault.grounding.${position}`),
  )
  const retried = await run(['faults', 'retry', String(aside.position), '--json'], { cwd })
  expect(retried.code).toBe(1)
  expect(JSON.parse(retried.stdout)).toMatchObject({
    error: { code: 'job_failed_again', message: expect.stringContaining('cannot bind') },
  })
  expect((await faults('--open')).at(-1)).toMatchObject({ position: aside.position, open: true })
})

test('a fault that no one can believe is listed as that, and is not tried', async () => {
  const data = { queue: 'policy', position: 3, name: 'x', attempts: 1, code: 'c', message: 'm' }
  const stamp = { source: 'test', time: '2026-01-01T00:00:00.000Z', basis: 1 }
  const names = ['main.1.fault.policy.junk', 'main.1.fault.policy.900', 'main.1.fault.other.3']
  await running([], async (log) => {
    for (const [index, name] of names.entries()) {
      const own = name.includes('.other.') ? { ...data, queue: 'other' } : data
      const bytes = writeEvent('fault', name, jsonOf(own), stamp)
      await log.append({ name, bytes: index === 0 ? Buffer.from('junk') : bytes })
    }
  })
  const found = (await faults()).filter(({ name }) => names.includes(name))
  expect(found.map(({ code }) => code)).toEqual(['c', 'unreadable', 'unreadable'])
  for (const name of names) {
    const { code, stderr } = await run(['faults', 'retry', name], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringContaining('reports no job')])
  }
})
