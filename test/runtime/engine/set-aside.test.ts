// What takes too long to decide: it is stopped, its fault is a fact, and from rules version 7 on
// every worker refuses the intent for it. Replay takes the fault as given, and never hangs.
import { describe, expect, test } from 'vitest'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { nameOf } from '#record/names'
import { decidedNow } from '#replay/what-if/now'
import { reasonText } from '#present/reason-text'
import type { Stage } from '#stages/stage'
import type { Job, Log } from '#ports/log'
import { confirmation } from '#workers/confirmation/worker'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { stages } from '#workers/stages'
import { failingLog, faultOf, passUntil } from '../../support/faulty-log.ts'
import { isFull } from '../../support/vitest/counts.ts'
import {
  answer,
  another,
  bind,
  bound,
  deletion,
  erase,
  judged,
  look,
  names,
  place,
  replayed,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
  codes,
  expectReplay,
  groundingOf,
  type SceneSetup,
} from '../../support/scene.ts'
import { digestOf } from '#record/digest'
import { logger } from '#runtime/reporting/logger'
import { changeCatalog, moduleCallbacks } from '../../support/runtime.ts'

const stuckTool = { ...look, id: 'stuck' }
const setup = { catalog: { rules: 7, capabilities: [look, stuckTool] } }

/** Its decider never ends for that tool, unless the intent is not looked at any more. */
function sticking(stage: Stage, stop: () => never): Stage {
  return {
    ...stage,
    decide: (inputs) => {
      const { intent, opening } = inputs.view
      const isStuck = opening.request?.tool === 'stuck' && intent.setAside === undefined
      return isStuck ? stop() : stage.decide(inputs)
    },
  }
}

const stopped = (): never => {
  throw new Fault('decision_stuck', 'it was stopped')
}

const endless = (): never => {
  for (;;);
}

const twice = (log: Log): Log => failingLog(log, { attempt: ({ attempt }: Job) => attempt + 1 })

/** Jobs of one intent that are begun together may each be set aside; all for its one reason. */
async function expectSetAside(on: Scene, address: string, name: string, jobs = 1): Promise<void> {
  const found = await verdict(on.log, address)
  const [fact] = await names(on.log, `main.1.fault.${name}.*`)
  const params = { cause: 'set_aside', fact }
  expect(found.reasons).toEqual([{ code: 'policy_faulted', recover: 'never', params }])
  const [reason] = found.reasons
  expect(reason && reasonText(reason)).toMatch(/^deciding about it took too long, as `main/)
  await on.watch.settled(on.log)
  const faults = await names(on.log, 'main.1.fault.>')
  expect(faults).toEqual(await names(on.log, `main.1.fault.${name}.*`))
  expect(faults.length).toBeLessThanOrEqual(jobs)
  const report = await replayed(on)
  expect(report).toMatchObject({ differences: 0, unchecked: 0, faults: faults.length, open: 0 })
}

describe('an intent that stops its worker is denied, and no other', () => {
  test.each([grounding, policy])('at $name', async (stage) => {
    const stuck = stages.map((one) => (one.name === stage.name ? sticking(one, stopped) : one))
    const on = await scene({ ...setup, stages: stuck })
    const address = await say(on.log, { intent: { tool: 'stuck' } })
    await expectSetAside(on, address, stage.name)
    expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
  })

  test('at confirmation', async () => {
    const graph = deletion({ name: 'ask' })
    const catalog = { rules: 7, capabilities: [{ ...erase, id: 'stuck' }] }
    const stuck = stages.map((one) => (one.name === 'confirmation' ? sticking(one, stopped) : one))
    // The review is opened by those who are not stuck.
    const on = await scene({ graph, catalog, stages: stages.filter((one) => one !== confirmation) })
    const address = await reviewed(on, { intent: { tool: 'stuck' } })
    await answer(on, address)
    await another(on, { stages: stuck })
    // Of the review, and of the answer to it.
    await expectSetAside(on, address, 'confirmation', 2)
  })

  test('by a worker that comes after one that died with its fault bound', async () => {
    const on = await scene({ ...setup, stages: [grounding] })
    const address = await say(on.log, { intent: { tool: 'stuck' } })
    const { name: about, position } = await bound(on.log, nameOf(place, 'grounding', address, 1))
    const fault = { attempts: 2, code: 'decision_stuck', message: 'm', name: about, position }
    const name = nameOf(place, 'fault', 'policy', position)
    await bind(on.log, 'fault', name, { ...fault, queue: 'policy' })
    await another(on, { stages })
    await expectSetAside(on, address, 'policy')
  })

  test.runIf(isFull)('where it never ends by itself, at the second delivery', async () => {
    const on = await scene({
      ...setup,
      stages: [grounding, sticking(policy, endless)],
      wrap: twice,
    })
    const address = await say(on.log, { intent: { tool: 'stuck' } })
    await expectSetAside(on, address, 'policy')
  })
})

const lookahead = { type: 'object', properties: { s: { pattern: '^(?!b)(a+)+$' } } }
const old = { rules: 6, capabilities: [look, { ...look, id: 'slow', argsSchema: lookahead }] }
const slow = { tool: 'slow', args: { s: `${'a'.repeat(60)}!` } }

describe('under older rules', () => {
  test('a fault denies nothing, and the intent stays open', async () => {
    const catalog = { ...setup.catalog, rules: 6 }
    const on = await scene({ catalog, stages: [grounding, sticking(policy, stopped)] })
    await say(on.log, { intent: { tool: 'stuck' } })
    await judged(on, { intent: { tool: 'look' } })
    await on.watch.settled(on.log)
    expect(await names(on.log, 'main.1.fault.>')).toHaveLength(1)
    expect(await replayed(on)).toMatchObject({ differences: 0, faults: 1, open: 1 })
  })

  test('a pattern that searches for ever sets its intent aside, and holds no other up', async () => {
    const on = await scene({ catalog: old })
    const address = await say(on.log, { intent: slow })
    expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
    await on.watch.settled(on.log)
    expect(await names(on.log, `main.1.verdict.${address}`)).toEqual([])
    const [name = ''] = await names(on.log, 'main.1.fault.policy.*')
    const fault = await faultOf(on, 'policy', Number(name.split('.').at(-1)))
    expect(fault).toMatchObject({ attempts: 1, code: 'decision_stuck' })
    expect(fault.message).toContain('(a+)+$')
  })

  test('what such a pattern decided, replay and what-if cannot tell', async () => {
    const on = await scene({ catalog: old, stages: [grounding] })
    const address = await say(on.log, { intent: slow })
    const { position: basis } = await bound(on.log, nameOf(place, 'grounding', address, 1))
    const name = nameOf(place, 'verdict', address)
    const time = new Date(on.time.now).toISOString()
    const bytes = writeEvent('verdict', name, {}, { source: 'warrant/policy/old', time, basis })
    await on.log.append({ name, bytes })
    const report = await replayed(on)
    expect(report).toMatchObject({ differences: 0, unchecked: 1, stopped: 1 })
    const { runtime } = on
    await on.watch.settled(on.log)
    const deriving = {
      stages,
      callbacks: runtime.callbacks,
      time,
      reader: runtime.reader,
      faulted: () => undefined,
    }
    const decided = await decidedNow(deriving, runtime.follower.state, {
      agent: 'bot',
      session: null,
      fields: { type: 'query', content: 'c', payload: { intent: slow } },
      id: runtime.ids.next(on.time.now),
      now: on.time.now,
    })
    expect(decided?.outcome).toBe('cannot_tell')
  })
})

// A worker without the callback module that the catalog pins: it decides nothing by it, leaves its
// jobs to others, and goes on when it has the module.

const module = `export const open = () => ({ passed: true })`
const pinned: SceneSetup = {
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
  const on = await scene({ ...pinned, parts })
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
  const on = await scene({ ...pinned, stages: [grounding] })
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
  const on = await scene({ ...pinned, parts })
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
  const on = await scene({ ...pinned, stages: [] })
  const { parts, lines } = machine(undefined)
  const waiting = await another(on, { stages: [policy], parts })
  await turns()
  expect(lines).toHaveLength(1)
  await waiting.runtime.stop()
})

test('a name that the pinned module does not have is a fault of its author, and refuses', async () => {
  const graph = deletion({ name: 'open', requiresConfirmation: false, callback: 'shut' })
  const on = await scene({ ...pinned, graph, parts: machine(module).parts })
  const refused = await judged(on, { intent })
  expect(codes(refused)).toContain('policy_faulted')
  await expectReplay(on)
})
