// A worker without the callback module that the catalog pins: it decides nothing by it, leaves its
// jobs to others, and goes on when it has the module.
import { expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { logger } from '#runtime/reporting/logger'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { passUntil } from '../../support/faulty-log.ts'
import { changeCatalog, moduleCallbacks } from '../../support/runtime.ts'
import {
  another,
  codes,
  deletion,
  erase,
  expectReplay,
  groundingOf,
  judged,
  names,
  say,
  scene,
  verdict,
  type Scene,
  type SceneSetup,
} from '../../support/scene.ts'

const module = `export const open = () => ({ passed: true })`
const setup: SceneSetup = {
  catalog: { capabilities: [erase] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}
const intent = { tool: 'erase' }
const longMs = 1_800_000

/** What a process is made of that has, or has not, the module; and what it logs. */
function machine(has: string | undefined) {
  const lines: Record<string, unknown>[] = []
  const to = logger('info', { write: (line) => lines.push(JSON.parse(line)) })
  const parts = { callbacks: moduleCallbacks(has), folder: '/srv/warrant', logger: to }
  return { parts, lines }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}

async function decidesNothing(on: Scene, address: string): Promise<void> {
  await groundingOf(on.log, address)
  const until = on.time.now + longMs
  await passUntil(on, () => on.time.now >= until)
  expect(await names(on.log, `main.1.verdict.${address}`)).toEqual([])
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
}

test.each([
  { is: 'is not here', has: undefined },
  { is: 'is another than was pinned', has: 'export const open = () => ({ passed: false })' },
])('a worker whose module $is decides nothing, and one that has it does', async ({ has }) => {
  const { parts, lines } = machine(has)
  const on = await scene({ ...setup, parts })
  const address = await say(on.log, { intent })
  await decidesNothing(on, address)
  const warned = lines.filter(({ msg }) => msg === 'callback module missing')
  const named = [digestOf(module), '/srv/warrant/callbacks', 'copy that folder']
  for (const part of named) expect(JSON.stringify(warned)).toContain(part)
  expect(warned.map(({ stage }) => stage)).toEqual(['policy'])
  const next = await another(on, { parts: machine(module).parts })
  expect((await verdict(next.log, address)).outcome).toBe('allow')
  await expectReplay(on)
})

test('it goes on by itself when the module comes, and says that', async () => {
  let has = false
  const { parts, lines } = machine(module)
  const callbacks = { ...parts.callbacks, has: () => Promise.resolve(has) }
  const on = await scene({ ...setup, stages: [grounding] })
  const address = await say(on.log, { intent })
  await groundingOf(on.log, address)
  await another(on, { stages: [policy], parts: { ...parts, callbacks } })
  await turns()
  expect(lines.map(({ msg }) => msg)).toEqual(['callback module missing'])
  has = true
  on.time.pass(4_999)
  await turns()
  expect(await names(on.log, 'main.1.verdict.>')).toEqual([])
  on.time.pass(1)
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(lines.map(({ msg }) => msg)).toEqual(['callback module missing', 'callback module found'])
})

test('a module that is pinned while it works sets no job aside, however long it lacks', async () => {
  const { parts, lines } = machine(module)
  const on = await scene({ ...setup, parts })
  expect((await judged(on, { intent })).outcome).toBe('allow')
  const newer = `${module}\n`
  const value = digestOf(newer)
  await changeCatalog(on.runtime, { op: 'set', key: 'callbacks', value })
  const address = await say(on.log, { intent })
  await decidesNothing(on, address)
  expect(JSON.stringify(lines)).toContain(value)
  const next = await another(on, { parts: machine(newer).parts })
  expect((await verdict(next.log, address)).outcome).toBe('allow')
})

test('a stopped worker waits for no module', async () => {
  const on = await scene({ ...setup, stages: [] })
  const { parts, lines } = machine(undefined)
  const waiting = await another(on, { stages: [policy], parts })
  await turns()
  expect(lines).toHaveLength(1)
  await waiting.runtime.stop()
})

test('a name that the pinned module does not have is a fault of its author, and refuses', async () => {
  const graph = deletion({ name: 'open', requiresConfirmation: false, callback: 'shut' })
  const on = await scene({ ...setup, graph, parts: machine(module).parts })
  const refused = await judged(on, { intent })
  expect(codes(refused)).toContain('policy_faulted')
  await expectReplay(on)
})
