// A log without the callback modules that decided it cannot be replayed, which is no difference.
import { expect, test } from 'vitest'
import { digestOf } from '#core/kernel/digest'
import { nameOf } from '#core/kernel/names'
import {
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  place,
  reason,
  replayed,
  scene,
} from '../../support/scene.ts'

const module = `export const open = () => ({ passed: true })`
const setup = {
  catalog: { capabilities: [erase, look] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}
const intent = { tool: 'erase', justification: reason }

test('without the module that decided a replay stops, and names it', async () => {
  const on = await scene(setup)
  const { outcome } = await judged(on, { intent })
  expect(outcome).toBe('allow')
  const { module: _left, ...without } = setup
  const replaying = replayed({ ...on, setup: without })
  await expect(replaying).rejects.toMatchObject({ code: 'module_missing', retry: 'never' })
  await expect(replaying).rejects.toThrow(digestOf(module))
  await expect(replaying).rejects.toThrow(nameOf(place, 'rate', 'bot', 'erase', 1))
  await expectReplay(on)
})

test('what needs none of it is replayed all the same', async () => {
  const on = await scene(setup)
  const { intent: address } = await judged(on, { intent: { tool: 'look' } })
  await judged(on, { intent })
  const { module: _left, ...without } = setup
  const report = await replayed({ ...on, setup: without }, { address })
  expect(report).toMatchObject({ differences: 0, derived: 2 })
})

test('a refusal because the module was missing is derived where it still is', async () => {
  const on = await scene({ ...setup, parts: { callbacks: nowhere } })
  const refused = await judged(on, { intent })
  expect(refused.reasons[0]?.code).toBe('policy_faulted')
  const { module: _left, ...without } = setup
  expect(await replayed({ ...on, setup: without })).toMatchObject({ differences: 0 })
})

const nowhere = {
  run: () => Promise.resolve({ fault: { code: 'module_missing' as const, params: {} } }),
  close: () => Promise.resolve(),
}
