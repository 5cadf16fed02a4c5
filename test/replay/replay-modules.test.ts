// A log without the callback modules that decided it cannot be replayed whole, which is no
// difference: what they decided is counted as not checked.
import { expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { nameOf } from '#record/names'
import { noFindings } from '#replay/findings'
import { grounding } from '#workers/grounding/decider'
import { forged } from '../support/forger.ts'
import {
  bind,
  deletion,
  erase,
  expectReplay,
  groundingOf,
  judged,
  look,
  names,
  place,
  reason,
  replayed,
  say,
  scene,
  type Scene,
} from '../support/scene.ts'

const module = `export const open = () => ({ passed: true })`
const setup = {
  catalog: { capabilities: [erase, look] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}
const intent = { tool: 'erase', justification: reason }

/** The same log, on a machine that has not got the module. */
function withoutModule(on: Scene): Pick<Scene, 'log' | 'setup'> {
  const { module: _left, ...without } = setup
  return { ...on, setup: without }
}

test('what a module decided that is not here cannot be checked, and all else is', async () => {
  const on = await scene(setup)
  await judged(on, { intent: { tool: 'look' } })
  const { intent: address, name, outcome } = await judged(on, { intent })
  expect(outcome).toBe('allow')
  const start = { intent: { address, agent: 'bot', session: null }, verdict: name }
  await bind(on.log, 'start', nameOf(place, 'start', address), start)
  const whole = await replayed(on)
  expect(whole).toMatchObject({ differences: 0, unchecked: 0, missingModules: [] })
  const report = await replayed(withoutModule(on))
  // The use and the verdict; its grounding asks no one.
  const missingModules = [{ module: digestOf(module), facts: 2 }]
  expect(report).toMatchObject({ differences: 0, unchecked: 2, missingModules })
  expect(report.derived).toBe(whole.derived)
  expect(report.findings).toEqual(whole.findings)
})

test('an observed call is no action without a verdict where its verdict cannot be checked', async () => {
  const on = await scene(setup)
  const observed = on.bot.guard('erase', () => 'erased', { enforce: false })
  await observed({}, { justification: reason })
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.ownoutcome.>')).toHaveLength(1)
  const { unchecked, findings } = await replayed(withoutModule(on))
  expect({ unchecked, findings }).toEqual({ unchecked: 2, findings: noFindings() })
})

test('what needs none of it is replayed all the same', async () => {
  const on = await scene(setup)
  const { intent: address } = await judged(on, { intent: { tool: 'look' } })
  await judged(on, { intent })
  const report = await replayed(withoutModule(on), { address })
  expect(report).toMatchObject({ differences: 0, unchecked: 0, derived: 2 })
})

test('a refusal that recorded that the module is missing derives where it still is', async () => {
  const on = await scene({ ...setup, stages: [grounding] })
  const address = await say(on.log, { intent })
  await groundingOf(on.log, address)
  const { position: basis } = await on.log.head()
  const time = new Date(on.time.now).toISOString()
  const made = await forged(withoutModule(on), address, { stage: 'policy', basis, time })
  expect(made).toMatchObject({ kind: 'verdict', data: { outcome: 'deny' } })
  expect(await replayed(withoutModule(on))).toMatchObject({ differences: 0, unchecked: 0 })
  expect(await replayed(on)).toMatchObject({ differences: 1, unchecked: 0 })
})

test('with the module there is nothing that cannot be checked', async () => {
  const on = await scene(setup)
  await judged(on, { intent })
  await expectReplay(on)
})
