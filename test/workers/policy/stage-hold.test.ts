// An intent with gaps may wait for learning, but only for learning, and only until its hold ends.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { holdMsMax } from '#workers/policy/decider'
import { stages } from '#workers/stages'
import { changeGraph, changeCatalog } from '../../support/runtime.ts'
import {
  another,
  bind,
  bound,
  deletion,
  erase,
  expectReplay,
  holdOf,
  look,
  names,
  place,
  recoveries,
  say,
  scene,
  verdict,
  type Scene,
  codes,
  judged,
  read,
} from '../../support/scene.ts'
import type { Json } from '#record/canonical'

const learning = {
  catalog: {
    capabilities: [look, erase],
    learning: true,
    principals: [{ id: 'stopped', suspended: true }],
  },
  graph: deletion(),
}
const unknown = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

test.each([
  [
    'learning is off',
    { ...learning, catalog: { ...learning.catalog, learning: false } },
    {},
    unknown,
  ],
  ['the agent does not want to wait', learning, {}, { ...unknown, onGap: 'deny' }],
  ['the agent does not ask for it', learning, {}, { tool: 'look', concepts: ['moon'] }],
  ['something else refuses too', learning, {}, { ...unknown, constraints: { max_rows: 'x' } }],
  ['the agent is suspended', learning, { as: 'stopped' }, unknown],
  ['it is only observed', learning, {}, { ...unknown, observe: true }],
  [
    'the message is blocked',
    learning,
    { message: { safety: { level: 'block', issues: [] } } },
    unknown,
  ],
])('nothing waits for learning where %s', async (_, setup, saying, intent) => {
  const on = await scene(setup)
  const address = await say(on.log, { intent, ...saying })
  expect((await verdict(on.log, address)).outcome).toBe('deny')
  expect(await names(on.log, 'main.1.hold.>')).toEqual([])
})

async function held(setup = learning): Promise<{ readonly on: Scene; readonly address: string }> {
  const on = await scene(setup)
  const address = await say(on.log, { intent: unknown })
  await bound(on.log, nameOf(place, 'hold', address, 1))
  return { on, address }
}

test('where only gaps stand in the way it waits, and no verdict comes before the hold ends', async () => {
  const { on, address } = await held()
  const hold = await holdOf(on.log, address)
  expect(hold.gaps).toEqual([{ kind: 'EXISTENCE', primitive: 'moon' }])
  expect(Date.parse(hold.until)).toBe(on.time.now + holdMsMax)
  on.time.pass(holdMsMax - 1)
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.verdict.>')).toEqual([])
  on.time.pass(1)
  const denied = await verdict(on.log, address)
  expect(recoveries(denied)).toEqual(['ungrounded learn'])
  expect(await names(on.log, 'main.1.hold.>')).toHaveLength(1)
  await expectReplay(on)
})

test('a hold that ended while no one ran is ended by the next who runs', async () => {
  const { on, address } = await held()
  await on.runtime.stop()
  on.time.pass(holdMsMax)
  const later = await another(on)
  // A deadline that has ended is due at once.
  on.time.pass(0)
  expect(recoveries(await verdict(later.log, address))).toEqual(['ungrounded learn'])
})

test('a hold survives a restart, and still ends at its deadline', async () => {
  const { on, address } = await held()
  await on.runtime.stop()
  on.time.pass(holdMsMax - 1)
  const later = await another(on)
  await later.watch.settled(later.log)
  expect(await later.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  on.time.pass(1)
  expect(recoveries(await verdict(later.log, address))).toEqual(['ungrounded learn'])
})

test('what someone made known meanwhile allows it', async () => {
  const { on, address } = await held()
  await changeGraph(
    on.runtime,
    { op: 'add', name: 'moon' },
    { op: 'describe', name: 'moon', level: 0, properties: { what: 'it is there' } },
    { op: 'describe', name: 'moon', level: 1, properties: { what: 'a satellite' } },
  )
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await on.log.get(nameOf(place, 'grounding', address, 2))).toBeDefined()
  await expectReplay(on)
})

test('an intent that is withdrawn does not wait any longer', async () => {
  const { on, address } = await held()
  await on.bot.withdraw(address, 'it is too late now')
  const denied = await verdict(on.log, address)
  expect(recoveries(denied)).toEqual(['ungrounded learn', 'withdrawn never'])
  await expectReplay(on)
})

test('an intent that is withdrawn before its grounding is never held', async () => {
  const on = await scene({ ...learning, stages: [] })
  const address = await say(on.log, { intent: unknown })
  await on.bot.withdraw(address)
  await another(on, { stages })
  const denied = await verdict(on.log, address)
  expect(recoveries(denied)).toEqual(['ungrounded learn', 'withdrawn never'])
  expect(await names(on.log, 'main.1.hold.>')).toEqual([])
})

test('only learning that was waited for can end a hold', async () => {
  const { on, address } = await held()
  await resume(on, address, 7)
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.grounding.>')).toHaveLength(1)
  on.time.pass(holdMsMax)
  expect(recoveries(await verdict(on.log, address))).toEqual(['ungrounded learn'])
})

async function resume(on: Scene, address: string, attempt: number): Promise<void> {
  const name = nameOf(place, 'resume', address, attempt)
  const intent = { address, agent: 'bot', session: null }
  await bind(on.log, 'resume', name, { intent, attempt, why: 'the moon is known now' })
}

// Checks that could not change the outcome are not run, and the verdict says which: an agent that
// is refused anyway uses up no time of theirs.

const module = `
export const slow = () => { for (;;) {} }
export const fine = () => ({ passed: true })
`
const rule = { name: 'rule', requiresConfirmation: false, callback: 'slow' }
const left = [{ policy: 'rule', source: 'delete', target: 'file', callback: 'slow' }]

async function notRun(on: Scene, intent: Json): Promise<unknown> {
  const verdict = await judged(on, { intent })
  const data = await read(on.log, 'verdict', nameOf(place, 'verdict', verdict.intent))
  expect(data.outcome).toBe('deny')
  return { codes: codes(verdict), notRun: data.notRun, ran: data.callbacks.length }
}

test.each([
  ['arguments', { tool: 'erase', args: 7 }, 'malformed_message'],
  ['a role', { tool: 'destroy', justification: 'it is in the way of the new' }, 'missing_role'],
  ['a gap that no one waits for', { tool: 'erase', concepts: ['moon'] }, 'ungrounded'],
])('what is refused for %s runs no check', async (_, intent, code) => {
  const destroy = { ...erase, id: 'destroy', safetyClass: 'DESTRUCTIVE' as const }
  const catalog = { capabilities: [look, erase, destroy], learning: true }
  const on = await scene({ catalog, graph: deletion(rule), module })
  const found = await notRun(on, intent)
  const isAsked = code !== 'malformed_message'
  expect(found).toEqual({ codes: [code], ran: 0, ...(isAsked && { notRun: left }) })
  await expectReplay(on)
})

test('an agent over its limit runs no check', async () => {
  const limits = [{ capability: 'erase', uses: 1, windowMs: 60_000 }]
  const graph = deletion({ ...rule, callback: 'fine' })
  const on = await scene({ catalog: { capabilities: [erase], limits }, graph, module })
  expect((await judged(on, { intent: { tool: 'erase' } })).outcome).toBe('allow')
  const found = await notRun(on, { tool: 'erase' })
  const fine = [{ ...left[0], callback: 'fine' }]
  expect(found).toEqual({ codes: ['rate_limited'], notRun: fine, ran: 0 })
  await expectReplay(on)
})

test('a suspended agent runs no check, and what may wait for learning is checked', async () => {
  const catalog = { capabilities: [erase], learning: true }
  const graph = deletion({ ...rule, callback: 'fine' })
  const on = await scene({ catalog, graph, module })
  const waiting = { tool: 'erase', concepts: ['moon'], onGap: 'learn' }
  const abort = judged(on, { intent: waiting })
  await on.watch.settled(on.log)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  expect(codes(await abort)).toEqual(['agent_suspended', 'ungrounded'])
  await expectReplay(on)
})
