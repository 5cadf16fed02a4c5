// Checks that could not change the outcome are not run, and the verdict says which: an agent that
// is refused anyway uses up no time of theirs.
import { expect, test } from 'vitest'
import { changeCatalog } from '../../support/runtime.ts'
import {
  codes,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  read,
  scene,
} from '../../support/scene.ts'
import { nameOf } from '#record/names'
import type { Json } from '#record/canonical'
import { place, type Scene } from '../../support/scene.ts'

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
