// What a callback is given: the keys of the context as they are, and a copy that is its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { digestOf } from '#record/digest'
import type { Callbacks } from '#ports/callbacks'

// A parser that met the key `\` may give it for others that are written with a backslash.
const source = `export const check = ({ args }) => {
  JSON.parse('{"' + String.fromCharCode(92, 92) + '":1}')
  args['\\n'] += 10
  return { passed: true, entries: Object.entries(args).flat() }
}`
let callbacks: Callbacks

beforeAll(() => {
  callbacks = threadCallbacks(async () => source)
})
afterAll(() => callbacks.close())

test.each([
  ['written with escapes', { '\n': 1, '\u0000': 2, '"': 3, '\\': 4 }],
  ['of several words', { '\n': 1, 'a "quoted" word': 2 }],
])('keys %s reach a callback as they are, and what it changes stays its own', async (_, args) => {
  JSON.parse('{"\\\\":1}')
  const entries = Object.entries({ ...args, '\n': 11 }).flat()
  const call = { agent: 'bot', module: digestOf(source), name: 'check', context: { args } }
  for (let count = 0; count < 2; count += 1) {
    expect(await callbacks.run(call)).toMatchObject({ answer: { entries } })
  }
})
