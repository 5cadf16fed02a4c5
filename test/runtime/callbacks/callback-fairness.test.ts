// Callbacks of many agents in a few threads: what one agent's calls cost no other pays for.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import type { Callbacks, CallbackOutcome } from '#ports/callbacks'

const source = `
  export const check = ({ n }) => ({ passed: n === 1 })
  export const slow = ({ ms }) => {
    // There is no clock: a loop is as long as it is.
    for (let n = 0; n < ms * 1e5; n += 1) Math.sqrt(n)
    return { passed: true }
  }
  export const hang = () => { for (;;) {} }
  export const hangLater = () => {
    const again = () => Promise.resolve().then(again)
    again()
    return { passed: true }
  }
  export const bomb = () => { const all = []; for (;;) all.push(new Array(1e6).fill(7)) }`

/** Less than a second: several of these tests wait until what hangs is killed. */
const msMax = 500
let callbacks: Callbacks
beforeAll(async () => {
  callbacks = threadCallbacks(async () => source, msMax)
  await check('warm')
})
afterAll(() => callbacks.close())

function run(agent: string, name: string, context: unknown = {}): Promise<CallbackOutcome> {
  return callbacks.run({ agent, module: 'any', name, context })
}

const check = (agent: string) => run(agent, 'check', { n: 1 })
const passed = { answer: { passed: true }, recorded: false }
const timedOut = { fault: { code: 'timed_out', params: { ms: msMax } }, recorded: true }

test('an agent whose calls hang holds up no other', async () => {
  const hanging = Promise.all([1, 2, 3].map(() => run('greedy', 'hang')))
  let hasEnded = false
  void hanging.then(() => (hasEnded = true))
  for (let n = 0; n < 20; n += 1) expect(await check('polite')).toEqual(passed)
  expect(hasEnded).toBe(false)
  expect(await hanging).toEqual([timedOut, timedOut, timedOut])
})

test('an agent with many slow calls holds up no other by more than a turn', async () => {
  const slow = Promise.all(Array.from({ length: 200 }, () => run('busy', 'slow', { ms: 20 })))
  let over = false
  void slow.then(() => (over = true))
  expect(await check('polite')).toEqual(passed)
  expect(over).toBe(false)
  for (const outcome of await slow) expect(outcome).toEqual(passed)
})

test('of calls that are sent together only the one that hangs is timed out', async () => {
  const calls = ['check', 'check', 'hang', 'check', 'check'] as const
  const outcomes = await Promise.all(calls.map((name) => run('bot', name, { n: 1 })))
  expect(outcomes).toEqual([passed, passed, timedOut, passed, passed])
})

test('what a call leaves behind to hang later is put down to it', async () => {
  const [left, next] = await Promise.all([run('bot', 'hangLater'), check('bot')])
  expect([left, next]).toEqual([timedOut, passed])
})

test('of calls that are sent together only the one that kills the thread fails', async () => {
  const [before, bomb, after] = await Promise.all([check('bot'), run('bot', 'bomb'), check('bot')])
  expect([before, after]).toEqual([passed, passed])
  // On a slow machine its time ends before its memory does.
  expect(bomb).toMatchObject({ fault: { code: expect.stringMatching(/timed_out|thread_failed/) } })
})

test('more calls than one batch holds are all answered, each with its own answer', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, (_, n) => run(`agent ${n % 3}`, 'check', { n: n % 2 })),
  )
  expect(outcomes).toEqual(
    Array.from({ length: 500 }, (_, n) => ({ answer: { passed: n % 2 === 1 }, recorded: false })),
  )
})
