// Equal calls at once: what may change something runs once on one warrant, and every caller gets
// what came of it. No verdict is bound before all of them have come.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { memoryLog } from '#log/memory/log'
import { newestRules } from '#rules/catalog/rules-version'
import type { FrontCall } from '#mcp/protocol'
import { logOf } from '../support/wrapped-log.ts'
import {
  agreed,
  intentIn,
  outcomes,
  proxied,
  until,
  type Proxied,
  type ProxiedSetup,
} from './proxied.ts'

const can = { tasks: false, links: false }
const capabilities = {
  test_simple_text: {},
  send: {},
  slow: {},
  test_tool_with_progress: {},
}

/** A proxy on a log in which no verdict stands before it is released. */
async function held(setup: Partial<ProxiedSetup> = {}) {
  const inner = memoryLog()
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const log = {
    ...logOf(inner),
    append: async (...given: Parameters<typeof inner.append>) => {
      if (given[0].name.includes('.verdict.')) await released
      return inner.append(...given)
    },
  }
  const on = await proxied({ capabilities, catalog: { rules: newestRules }, ...setup, log })
  /** One after the other, each by a caller of its own; `first` of them before the others. */
  const calls = async (
    name: string,
    count: number,
    more: (n: number) => Partial<FrontCall> = () => ({}),
  ) => {
    const made: ReturnType<typeof call>[] = []
    for (let n = 0; n < count; n += 1) {
      made.push(call(on, name, more(n)))
      // The first is open in the log, and each has come before the next.
      if (n === 0) await until(async () => (await opened(on)) > 0)
      await on.door.front.tools(AbortSignal.timeout(60_000))
      await turn()
    }
    return made
  }
  return { ...on, calls, release }
}

function call({ door }: Pick<Proxied, 'door'>, name: string, more: Partial<FrontCall> = {}) {
  const { signal } = new AbortController()
  return door.front.call({ name, args: { to: 'ann' }, signal, opened: null, can, ...more })
}

async function opened({ log }: Pick<Proxied, 'log'>): Promise<number> {
  let count = 0
  for await (const { name } of log.read({})) if (name.split('.')[2] === 'vlp') count += 1
  return count
}

const textOf = (answer: unknown): string => JSON.stringify(answer)

describe.each([false, true])('carried out by a gateway: %s', (driven) => {
  test.each([2, 3, 10])('%i calls of an act run once, and each gets what came of it', async (n) => {
    const on = await held({ driven })
    const made = await on.calls('send', n)
    on.release()
    const answers = await Promise.all(made)
    for (const answer of answers) expect(textOf(answer)).toContain('sent to ann')
    expect(await on.ran()).toEqual(['send'])
    expect(await opened(on)).toBe(1)
  })

  test.each([2, 3, 10])('%i calls at the same moment', async (n) => {
    const on = await held({ driven })
    const made = Array.from({ length: n }, () => call(on, 'send'))
    await until(async () => (await opened(on)) > 0)
    on.release()
    for (const answer of await Promise.all(made)) expect(textOf(answer)).toContain('sent to ann')
    expect(await on.ran()).toEqual(['send'])
  })
})

test('each caller that asked for progress receives it of the one run, until it leaves', async () => {
  const on = await held()
  const received: number[][] = [[], [], [], []]
  const leaving = new AbortController()
  const made = await on.calls('test_tool_with_progress', 4, (n) => ({
    // The first does not want it, and the last leaves.
    ...(n > 0 && { onProgress: ({ progress }) => void received[n]?.push(progress) }),
    ...(n === 3 && { signal: leaving.signal }),
  }))
  leaving.abort()
  on.release()
  await Promise.all(made)
  // A library drops what comes together with the answer.
  expect([0, 50, 100]).toEqual(expect.arrayContaining(received[1] ?? []))
  expect(received[1]).toContain(0)
  expect(received).toEqual([[], received[1], received[1], []])
  expect(await on.ran()).toEqual(['test_tool_with_progress'])
})

test('by rules that know no equal requests each call runs by itself', async () => {
  const on = await held({ catalog: {} })
  const made = await on.calls('send', 3)
  on.release()
  for (const answer of await Promise.all(made)) expect(textOf(answer)).toContain('sent to ann')
  expect(await on.ran()).toEqual(['send', 'send', 'send'])
})

test('who leaves takes nothing from the others, also who came first', async () => {
  const on = await held()
  const leaving = new AbortController()
  const [first, ...others] = await on.calls('send', 3, (n) => {
    return n === 0 ? { signal: leaving.signal } : {}
  })
  leaving.abort()
  expect(textOf(await first)).toContain('call_cancelled')
  on.release()
  for (const answer of await Promise.all(others)) expect(textOf(answer)).toContain('sent to ann')
  expect(await on.ran()).toEqual(['send'])
})

test('where all have left nothing runs, and who comes before the verdict gets the one run', async () => {
  const on = await held()
  const leaving = new AbortController()
  const made = await on.calls('send', 3, () => ({ signal: leaving.signal }))
  leaving.abort()
  for (const answer of await Promise.all(made)) expect(textOf(answer)).toContain('call_cancelled')
  const next = call(on, 'send')
  await turn()
  on.release()
  expect(textOf(await next)).toContain('sent to ann')
  expect(await on.ran()).toEqual(['send'])
  expect(await opened(on)).toBe(1)
})

test('what is running ends when the last of its callers leaves', async () => {
  const on = await held()
  const leaving = [new AbortController(), new AbortController()] as const
  const made = await on.calls('slow', 2, (n) => ({ signal: leaving[n === 0 ? 0 : 1].signal }))
  on.release()
  await until(async () => (await on.ran()).includes('slow'))
  leaving[0].abort()
  await turn()
  expect(await outcomes(on)).toEqual([])
  leaving[1].abort()
  await Promise.all(made)
  expect(await outcomes(on)).toEqual(['ownoutcome unknown cancelled'])
})

test('a denial is the answer to each', async () => {
  const on = await held({ capabilities: { send: { safetyClass: 'DESTRUCTIVE' } } })
  const made = await on.calls('send', 3)
  on.release()
  for (const answer of await Promise.all(made)) expect(textOf(answer)).toContain('not run')
  expect(await on.ran()).toEqual([])
})

describe.each([
  ['the rules that know equal requests', newestRules],
  ['older rules', undefined],
])('what people allow, by %s', (_, rules) => {
  const asked = async () => {
    const on = await proxied({
      capabilities: { send: { safetyClass: 'WRITE' } },
      ...(rules !== undefined && { catalog: { rules } }),
    })
    const first = await call(on, 'send')
    if (first.is !== 'answer') throw new Error('it is another answer')
    return { on, intent: intentIn(first.answer) }
  }

  test.each(['before', 'after'])('runs once for all that repeat it %s that', async (when) => {
    const { on, intent } = await asked()
    if (when === 'after') await agreed(on, intent)
    const named = [{}, { intent }, { intent }, {}, { intent: 'bot.-.none' }]
    const made = named.map((more) => call(on, 'send', more))
    if (when === 'before') await agreed(on, intent)
    for (const answer of await Promise.all(made)) expect(textOf(answer)).toContain('sent to ann')
    expect(await on.ran()).toEqual(['send'])
    expect(await opened(on)).toBe(1)
  })

  test('runs once for its task and for a call that repeats it', async () => {
    const { on, intent } = await asked()
    const task = on.door.front.task?.('tasks/get', intent)
    const again = call(on, 'send')
    await task
    await agreed(on, intent)
    expect(textOf(await again)).toContain('sent to ann')
    await until(async () => {
      return textOf(await on.door.front.task?.('tasks/get', intent)).includes('sent to ann')
    })
    expect(await on.ran()).toEqual(['send'])
  })
})

test('a call that brings the reason takes the place of the first, which gets what it gets', async () => {
  const on = await proxied({
    capabilities: { send: { safetyClass: 'WRITE' } },
    catalog: { rules: newestRules },
    waitMs: 600_000,
  })
  const first = call(on, 'send')
  await until(async () => [...on.runtime.follower.state.intents.values()].some(isReviewed))
  const justification = 'Ann asked for it by mail yesterday, and waits for the answer'
  const second = call(on, 'send', { justification })
  for (const answer of [await first, await second]) expect(textOf(answer)).toContain('sent to ann')
  expect(await on.ran()).toEqual(['send'])
})

const isReviewed = ({ review }: { readonly review: object | null }): boolean => review !== null

test('reading is judged by itself where a guard has used the warrant', async () => {
  const on = await held()
  const guarded = on.bot.guard('test_simple_text', () => 'guarded')({ to: 'ann' })
  await until(async () => (await opened(on)) > 0)
  const read = call(on, 'test_simple_text')
  await on.door.front.tools(AbortSignal.timeout(60_000))
  await turn()
  on.release()
  expect(await guarded).toBe('guarded')
  expect(textOf(await read)).toContain('This is a simple text response for testing.')
  expect(await opened(on)).toBe(2)
})

test('an act is not repeated where a guard has used the warrant, and the model reads so', async () => {
  const on = await proxied({
    capabilities: { send: { safetyClass: 'WRITE' } },
    catalog: { rules: newestRules },
    waitMs: 600_000,
  })
  const guarded = on.bot.guard('send', () => 'guarded')({ to: 'ann' })
  await until(async () => [...on.runtime.follower.state.intents.values()].some(isReviewed))
  const sent = call(on, 'send')
  await on.door.front.tools(AbortSignal.timeout(60_000))
  await turn()
  for (const intent of on.runtime.follower.state.intents.keys()) await agreed(on, intent)
  expect(await guarded).toBe('guarded')
  expect(textOf(await sent)).toContain('has run already. Do not repeat it.')
  expect(await on.ran()).toEqual([])
})
