// What a guarded function is given beside its arguments: options of the call, what the guard itself
// knows of them, and whatever a framework passes along.
import { z } from 'zod'
import { expect, test } from 'vitest'
import type { DecisionTrace } from '#client/connect'
import { readEvent } from '#record/event'
import { bound, deletion, erase, groundingOf, look, names } from '../../support/scene.ts'
import { scene } from '../../support/scene.ts'

const setup = { catalog: { capabilities: [look, erase] }, graph: deletion() }

class RunContext {
  readonly context = { user: 'ann' }
  readonly usage = {}
}

test.each([
  ['an SDK for chat', { toolCallId: 'call_1', messages: [], abortSignal: new AbortController() }],
  ['an SDK for agents', new RunContext()],
  ['a chain of runnables', { configurable: {}, callbacks: [], tags: [], metadata: {} }],
])('what %s passes as second argument is no part of the intent', async (_, context) => {
  const on = await scene(setup)
  const guarded = on.bot.guard('look', (args) => args)
  expect(await guarded({ path: 'a' }, context)).toEqual({ path: 'a' })
  const [name = ''] = await names(on.log, 'main.1.vlp.>')
  const { bytes } = await bound(on.log, name)
  const { payload } = JSON.parse(Buffer.from(bytes).toString('utf8'))
  expect(payload).toEqual({ intent: { tool: 'look', args: { path: 'a' } } })
})

test('the options of a call are part of it', async () => {
  const on = await scene(setup)
  const session = on.bot.session()
  const guarded = on.bot.guard('look', () => 'ran')
  const goal = 'to see'
  expect(await guarded({}, { session, goal, message: { topic: 'sights' } })).toBe('ran')
  const [name = ''] = await names(on.log, 'main.1.vlp.>')
  const { bytes } = await bound(on.log, name)
  expect(JSON.parse(Buffer.from(bytes).toString('utf8'))).toMatchObject({
    session_id: session.id,
    topic: 'sights',
    payload: { intent: { goal } },
  })
})

test('the guard says which concepts a call needs, and how many items it affects', async () => {
  const on = await scene(setup)
  const traces: DecisionTrace[] = []
  const guarded = on.bot.guard('look', ({ paths }: { paths: string[] }) => paths.length, {
    concepts: ({ paths }) => (paths.length > 1 ? ['file', 'moon'] : ['file']),
    cardinality: ({ paths }) => (paths.length > 1 ? 'multiple' : 'single'),
    onTrace: (trace) => traces.push(trace),
  })
  expect(await guarded({ paths: ['a'] })).toBe(1)
  await expect(guarded({ paths: ['a', 'b'] })).rejects.toMatchObject({ name: 'Refused' })
  const [one, two] = traces
  expect(one?.text).toMatch(/^It is allowed\.[^]*● +file\n[^]*grounded: all/)
  expect(two?.text).toMatch(/^It is denied\.\n- ungrounded: [^]*`moon`/)
  const [cardinality] = [await groundingOf(on.log, two?.intent ?? '')]
  expect(cardinality).toMatchObject({ cardinality: 'multiple', ground: { grounded: false } })
})

test('the guard says how deeply a call needs to know, and no call takes less', async () => {
  const on = await scene(setup)
  const guarded = on.bot.guard('look', () => 'ran', { concepts: () => ['file'], minDepth: 3 })
  await expect(guarded({}, { minDepth: 1 })).rejects.toMatchObject({ name: 'Refused' })
  const [name = ''] = await names(on.log, 'main.1.vlp.>')
  const { bytes } = await bound(on.log, name)
  expect(JSON.parse(Buffer.from(bytes).toString('utf8'))).toMatchObject({
    payload: { intent: { minDepth: 3 } },
  })
})

test('what onTrace throws stops nothing', async () => {
  const on = await scene(setup)
  const onTrace = (): never => {
    throw new Error('of the caller')
  }
  expect(await on.bot.guard('look', () => 7, { onTrace })({})).toBe(7)
})

test('what is undefined is neither judged nor given to the function', async () => {
  const on = await scene(setup)
  const guarded = on.bot.guard('look', (args) => Object.keys(args))
  const given: object = { path: 'a', encoding: undefined, deep: { x: undefined } }
  expect(await guarded(given)).toEqual(['path', 'deep'])
  const [name = ''] = await names(on.log, 'main.1.ownoutcome.>')
  expect(readEvent('ownoutcome', await bound(on.log, name))).toMatchObject({
    event: { data: { outcome: 'succeeded' } },
  })
})

test.each([
  [{ mindepth: 3 }, 'no option `mindepth`'],
  [{ enforce: 'no' }, '`enforce` of a guard is a boolean'],
  [{ onTrace: true }, '`onTrace` of a guard is a function'],
])('a guard is not made with %j: it would do nothing', async (options, why) => {
  const on = await scene({})
  const { bot } = on
  const made = (): unknown => bot.guard('look', () => 'ran', z.any().parse(options))
  expect(made).toThrow(why)
})
