// Callbacks in their thread: what they answer, what refuses, and what is out of their reach.
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { CallbackFault } from '#schemas/callbacks'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { callbackAnswers } from '#stages/policies'
import { callbackMsMax, type Callbacks } from '#ports/callbacks'

const sources = new Map<string, string>()
let callbacks: Callbacks
/** For what has to load much before it answers. */
let patient: Callbacks

beforeAll(() => {
  const load = async (digest: string) => sources.get(digest) ?? null
  callbacks = threadCallbacks(load)
  patient = threadCallbacks(load, 600_000)
})
afterAll(() => Promise.all([callbacks.close(), patient.close()]))

const base = { agent: 'bot', name: 'check', context: {} }

/** Calls the export `check` of the module. */
function run(source: string, context: unknown = {}, name = 'check', by = callbacks) {
  const digest = digestOf(source)
  sources.set(digest, source)
  return by.run({ agent: 'bot', module: digest, name, context })
}

/** Calls a function whose body is the expression; it passes unless that throws. */
function reach(expression: string) {
  return run(`export const check = () => { ${expression}; return { passed: true } }`)
}

function fault(code: string, params: object = {}) {
  return { fault: { code, params } }
}

const policy = {
  source: 'delete',
  target: 'file',
  policy: {
    name: 'rule',
    requiresConfirmation: false,
    triggerCardinality: null,
    callback: 'check',
    confirmationMessage: '?',
    metadata: {},
  },
}

/** What the stages make of what the function returned. */
async function answer(source: string) {
  const calls = [{ policy, callback: 'check' }]
  const [found] = callbackAnswers(calls, [await run(source)])
  return found
}

test('without a module, without that module and without that name the call faults', async () => {
  expect(await callbacks.run({ ...base, module: null })).toEqual(fault('module_unpinned'))
  const absent = await callbacks.run({ ...base, module: `sha256:${'0'.repeat(64)}` })
  expect(absent).toEqual(fault('module_missing'))
  expect(await callbacks.has(`sha256:${'0'.repeat(64)}`)).toBe(false)
  for (const name of ['other', 'toString', '__proto__', 'constructor', 'then', 'value']) {
    const found = await run(`export const value = 7; export const check = () => 1`, {}, name)
    expect(found).toEqual(fault('callback_missing'))
  }
})

test('a module that cannot be read, or imports another, faults', async () => {
  expect(await run('export const check = (')).toEqual(fault('module_invalid'))
  expect(await callbacks.has(digestOf('export const check = ('))).toBe(true)
  for (const source of [
    `import { readFileSync } from 'node:fs'\nexport const check = () => ({ passed: true })`,
    `export const check = async () => { await import('node:fs'); return { passed: true } }`,
    `export * from 'node:fs'\nexport const check = () => ({ passed: true })`,
    `export { readFileSync as check } from 'node:fs'`,
  ]) {
    expect(await run(source)).toEqual(fault('module_invalid'))
  }
})

test('a module that was changed after it was pinned faults', async () => {
  const changed = threadCallbacks(() => {
    throw new Fault('callbacks_changed', 'it was changed')
  })
  expect(await changed.run({ ...base, module: 'sha256:1' })).toEqual(fault('module_missing'))
  expect(await changed.has('sha256:1')).toBe(false)
  await changed.close()
})

test.each([
  ['an error', `throw new Error('broken')`, { error: 'Error' }],
  ['what V8 throws', `null.x`, { error: 'TypeError' }],
  ['its own class', `class Odd extends Error { name = 'Odd' } throw new Odd()`, { error: 'Odd' }],
  ['no error', `throw 'broken'`, {}],
  ['nothing at all', 'throw undefined', {}],
  ['a hidden one', `throw Object.assign(new Error(''), { toString: null })`, { error: 'Error' }],
  ['an invalid name', `throw Object.assign(new Error('x'), { name: '\\ud800' })`, {}],
  ['a name without end', `throw Object.assign(new Error('x'), { name: 'x'.repeat(65) })`, {}],
  [
    'a name that throws',
    `throw Object.defineProperty(new Error(), 'name', { get() { throw 1 } })`,
    {},
  ],
])('what throws %s faults with the name of its class and no words', async (_, body, params) => {
  const first = await reach(body)
  expect(first).toEqual(fault('threw', params))
  expect(await reach(body)).toEqual(first)
})

test('what hangs is killed after a second and marked as recorded, and others go on', async () => {
  const [hung, other] = await Promise.all([
    reach('for (;;) {}'),
    run('export const check = (context) => ({ passed: context.n === 1 })', { n: 1 }),
  ])
  expect(hung).toEqual({ ...fault('timed_out', { ms: callbackMsMax }), recorded: true })
  expect(other).toEqual({ answer: { passed: true }, recorded: false })
})

test.each([
  ['nothing', 'undefined'],
  ['null', 'null'],
  ['true', 'true'],
  ['a text', `'passed'`],
  ['a list', '[{ passed: true }]'],
  ['an object without `passed`', '{ ok: true }'],
  ['`passed` as a text', `{ passed: 'true' }`],
  ['`passed` as a number', '{ passed: 1 }'],
  ['more than it should', '{ passed: true, sudo: true }'],
  ['an invalid message', '{ passed: false, message: 7 }'],
  ['a message without end', `{ passed: false, message: 'x'.repeat(2001) }`],
  ['half a character', `{ passed: false, message: '\\ud800' }`],
  ['a promise', 'Promise.resolve({ passed: true })'],
  ['a function', '() => ({ passed: true })'],
  ['a big integer', '1n'],
  ['a circle', '(() => { const a = { passed: true }; a.a = a; return a })()'],
  ['a value that cannot be turned into JSON', '{ passed: true, toJSON() { throw new Error() } }'],
])('an answer that is %s is no answer', async (_, value) => {
  const found = await answer(`export const check = () => (${value})`)
  expect(found?.passed).toBe(undefined)
  expect(CallbackFault.parse(found?.fault).code).toMatch(/^answer/)
})

test.each([
  ['Date.now()', 'time'],
  ['new Date()', 'time'],
  [`new Date('2026-01-01 10:00')`, 'zone'],
  ['new Date(0).getHours()', 'local_time'],
  ['new Date(2026, 0, 1)', 'local_time'],
  ['Math.random()', 'randomness'],
  [`'a'.localeCompare('b')`, 'locale'],
  [`new Function('return 1')()`, 'code'],
])('%s differs from run to run, and the fault names it', async (expression, what) => {
  expect(await reach(expression)).toEqual(fault('not_repeatable', { what }))
})

test.each([
  'Date.now()',
  'new Date()',
  'Date()',
  'new Date(2026, 0, 1)',
  `new Date('2026-01-01 10:00')`,
  `Date.parse('Jan 1 2026')`,
  'new Date(0).getHours()',
  'new Date(0).toString()',
  'new Date(0).toLocaleString()',
  'new Date(0).setHours(1)',
  '`${new Date(0)}`',
  'Object.getPrototypeOf(Date).now()',
  'new (Object.getPrototypeOf(Date))()',
  'performance.now()',
  'Math.random()',
  'crypto.randomUUID()',
  `'a'.localeCompare('b')`,
  '(1.5).toLocaleString()',
  '[1.5].toLocaleString()',
  `'I'.toLocaleLowerCase()`,
  'new Intl.NumberFormat()',
  'process.env',
  'globalThis.process.exit(0)',
  `require('node:fs')`,
  `module.require('node:fs')`,
  `fetch('http://127.0.0.1')`,
  'new WebSocket("ws://127.0.0.1")',
  'setTimeout(() => {}, 0)',
  'queueMicrotask(() => {})',
  'new MessageChannel()',
  'console.log(1)',
  'navigator.hardwareConcurrency',
  'new WeakRef({})',
  'new SharedArrayBuffer(8)',
  'gc()',
  'parentPort.postMessage(1)',
  'real.now()',
  'outside.now()',
  'deprive()',
  'workerData.outside',
  `eval('1')`,
  `(0, eval)('1')`,
  `new Function('return 1')()`,
  `(() => 0).constructor('return 1')()`,
  `(async () => 0).constructor('return 1')()`,
  `(function* () {}).constructor('return 1')()`,
])('out of reach, or a replay would differ: %s', async (expression) => {
  expect(await reach(expression)).toHaveProperty('fault')
})

test.each([
  `new Date('2026-01-01T00:00:00Z').getTime() === 1767225600000 || fail()`,
  `new Date('2026-01-01').toISOString() === '2026-01-01T00:00:00.000Z' || fail()`,
  `Date.parse('2026-01-01T01:00:00+01:00') === 1767225600000 || fail()`,
  'new Date(0).getUTCHours() === 0 || fail()',
  'Date.UTC(1970, 0, 2) === 86400000 || fail()',
  `JSON.stringify(new Date(0)) === '"1970-01-01T00:00:00.000Z"' || fail()`,
  'new Date(0) instanceof Date || fail()',
  'Math.max(1, 2) === 2 || fail()',
  `[3, 1, 2].sort().join() === '1,2,3' || fail()`,
  `/^a+$/u.test('aaa') || fail()`,
  `new Map([['a', 1]]).get('a') === 1 || fail()`,
  `(() => 0) instanceof Function || fail()`,
])('within reach, since it is the same on each run: %s', async (expression) => {
  expect(await reach(expression)).toEqual({ answer: { passed: true }, recorded: false })
})

test('the context is a value: what one call does to it no other call sees', async () => {
  const source = `
    export const check = ({ list }) => { list.push(1); return { passed: list.length === 1 } }`
  const context = { list: [] }
  expect(await run(source, context)).toEqual({ answer: { passed: true }, recorded: false })
  expect(await run(source, context)).toEqual({ answer: { passed: true }, recorded: false })
  expect(context.list).toEqual([])
})

test('types are stripped, and an answer comes back as it was given', async () => {
  const source = `
    import type { Nothing } from './nothing'
    export const check = (context: { n: number }): { passed: boolean } => {
      return { passed: context.n! > 1, message: 'no import of ' + context.n, applies: true } as any
    }`
  expect(await run(source, { n: 2 })).toEqual({
    answer: { passed: true, message: 'no import of 2', applies: true },
    recorded: false,
  })
})

test('only a callback that is declared `recorded` may look outside, and reports it', async () => {
  const server = createServer((_, response) => response.end('{"frozen":true}'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const source = `
    export const check = async (context, outside) => {
      const reply = await outside.fetch('http://127.0.0.1:${port}/')
      const { frozen } = await reply.json()
      return { passed: !frozen && outside.now() > 0, message: 'the account is frozen' }
    }
    check.recorded = true
    export const plain = (context, outside) => ({ passed: outside !== undefined })`
  try {
    expect(await run(source, {}, 'check', patient)).toEqual({
      answer: { passed: false, message: 'the account is frozen' },
      recorded: true,
    })
    expect(await run(source, {}, 'plain')).toEqual({ answer: { passed: false }, recorded: false })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('what a callback leaves behind to fail later harms no other call', async () => {
  expect(await reach(`Promise.reject(new Error('later'))`)).toHaveProperty('answer')
  const promised = await run(`export const check = async () => { throw new Error('later') }`)
  expect(promised).toEqual(fault('answered_promise'))
  for (let n = 0; n < 20; n += 1) {
    expect(await reach('1')).toEqual({ answer: { passed: true }, recorded: false })
  }
})

test('a recorded callback that fails is recorded too', async () => {
  const source = `
    export const check = async () => { throw new Error('no line') }
    check.recorded = true`
  expect(await run(source)).toEqual({ ...fault('threw', { error: 'Error' }), recorded: true })
})

test('a thread that dies takes one call with it and no other', async () => {
  const bomb = await reach('const all = []; for (;;) all.push(new Array(1e6).fill(7))')
  // On a slow machine its time ends before its memory does.
  expect(bomb).toMatchObject({
    fault: { code: expect.stringMatching(/^(thread_failed|timed_out)$/) },
  })
  expect(await reach('1')).toEqual({ answer: { passed: true }, recorded: false })
})
