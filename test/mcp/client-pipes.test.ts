// A client over pipes that writes what it asks and ends its input at once: it gets each answer, in
// whatever pieces its lines come, and nothing that never answers keeps the server.
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overPipes } from '#mcp/serving'
import { auditOverPipes } from '#mcp/serve/audit-serving'
import type { PipeServing } from '#mcp/client-pipes'
import type { Timer } from '#ports/clock'
import { systemTimer } from '#system/clock'
import { endWithTest } from '../support/vitest/endings.ts'
import { agreed, outcomes, proxied, until, type ProxiedSetup } from './proxied.ts'
import { auditing } from './serve/auditing.ts'

type Message = Readonly<Record<string, unknown>>

const clientInfo = { name: 'script', version: '1' }
const initialize = (capabilities: object = {}): Message => {
  const params = { protocolVersion: '2025-06-18', capabilities, clientInfo }
  return { jsonrpc: '2.0', id: 'hello', method: 'initialize', params }
}
const initialized: Message = { jsonrpc: '2.0', method: 'notifications/initialized' }
const request = (id: unknown, method: string, params: object = {}): Message => {
  return { jsonrpc: '2.0', id, method, params }
}
const call = (id: unknown, name: string, args: object = {}): Message => {
  return request(id, 'tools/call', { name, arguments: args })
}
const cancelled = (requestId: unknown): Message => {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
}

/** Every kind of line, and which of them are answered. */
const lines: readonly (readonly [string, readonly unknown[]])[] = [
  [JSON.stringify(call(1, 'test_simple_text')), [1]],
  [JSON.stringify(call('two', 'test_simple_text', { s: '😀' })), ['two']],
  [JSON.stringify(call(3, 'test_error_handling')), [3]],
  [JSON.stringify(call(4, 'send', { to: 'TO' })), [4]],
  [JSON.stringify(call(5, 'no_such_tool')), [5]],
  [JSON.stringify(call(6, 'leak', { n: 1 })), [6]],
  [JSON.stringify(request(7, 'no/such/method')), [7]],
  [JSON.stringify(request(8, 'ping')), [8]],
  [JSON.stringify(request(9, 'tools/list')), [9]],
  [JSON.stringify(request(10, 'resources/read', { uri: 'test://static-text' })), [10]],
  [JSON.stringify(request(11, 'tools/call', { arguments: 1 })), [11]],
  ['{"jsonrpc":"2.0","id":12,"method":"ping","method":"ping"}', [12]],
  [JSON.stringify([request(13, 'ping')]), []],
  [JSON.stringify({ jsonrpc: '2.0', method: 'notifications/no/such' }), []],
  [JSON.stringify(cancelled('none such')), []],
  [`${JSON.stringify(call(14, 'slow'))}\n${JSON.stringify(cancelled(14))}`, []],
  ['no json', []],
  ['', []],
]

const capabilities = {
  test_simple_text: {},
  test_error_handling: {},
  send: { safetyClass: 'WRITE' },
  leak: { argsSchema: { type: 'object', additionalProperties: false } },
  slow: {},
  die: {},
}

async function piped(setup: Partial<ProxiedSetup> = {}) {
  const open = new Set<PipeServing>()
  // What is under way would keep the proxy, which ends after this.
  endWithTest(async () => {
    for (const one of open) await one.close()
  })
  const on = await proxied({ capabilities, ...setup })
  const begin = (timer: Timer = systemTimer) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const said = text(output)
    const served = overPipes(on.door.front, { input, output }, { timer, onError: () => undefined })
    open.add(served)
    return { served, input, answers: () => read(served.ended, output, said) }
  }
  return { ...on, begin }
}

async function read(ended: Promise<void>, output: PassThrough, said: Promise<string>) {
  await ended
  output.end()
  const all = (await said).split('\n').filter((line) => line !== '')
  return all.map((line): Message => JSON.parse(line))
}

const textOf = (messages: readonly Message[]): string =>
  messages.map((one) => JSON.stringify(one)).join('\n')

const inOrder = (ids: readonly unknown[]) => ids.map(String).toSorted()

const idsOf = (messages: readonly Message[]) => {
  return inOrder(messages.flatMap(({ id }) => (id === undefined ? [] : [id])))
}

test('each request is answered, in whatever pieces and order the lines come', async () => {
  const on = await piped()
  const someLines = fc.shuffledSubarray([...lines])
  const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(someLines, sizes, fc.boolean(), async (asked, pieces, isWhole) => {
      const { input, answers } = on.begin()
      const first = [JSON.stringify(initialize()), JSON.stringify(initialized)]
      // Who repeats what waits is kept waiting.
      const all = [...first, ...asked.map(([line]) => line)].join('\n').replace('TO', randomUUID())
      let rest = Buffer.from(isWhole ? `${all}\n` : all)
      for (const size of pieces) {
        input.write(rest.subarray(0, size))
        rest = rest.subarray(size)
      }
      input.end(rest)
      const expected = ['hello', ...asked.flatMap(([, ids]) => ids)]
      expect(idsOf(await answers())).toEqual(inOrder(expected))
    }),
    { numRuns: 40 },
  )
})

test('who would be asked to open a link, and has left, is answered all the same', async () => {
  const on = await piped({ reviewUrl: 'https://warrant.example/{intent}' })
  const { input, answers } = on.begin()
  const hello = initialize({ elicitation: { url: {} } })
  input.end(textOf([hello, initialized, call(1, 'send', { to: 'ann' })]))
  const { intents } = on.runtime.follower.state
  await until(async () => [...intents.values()].some(({ review }) => review !== null))
  for (const intent of intents.keys()) await agreed(on, intent)
  expect(JSON.stringify((await answers()).at(-1))).toContain('sent to ann')
})

test('a server behind that dies is answered with that', async () => {
  const on = await piped({ server: 'process' })
  const { input, answers } = on.begin()
  input.end(textOf([initialize(), initialized, call(1, 'die')]))
  expect(JSON.stringify((await answers()).at(-1))).toContain('outcome_unknown')
})

test('what never answers is waited for as long as a call may take', async () => {
  const on = await piped({
    capabilities: { ...capabilities, slow: { execution: { timeoutMs: 86_400_000 } } },
  })
  const set: { readonly ms: number; readonly run: () => void }[] = []
  const timer = {
    after: (ms: number, run: () => void) => {
      set.push({ ms, run })
      return () => undefined
    },
  }
  const { input, answers } = on.begin(timer)
  input.end(textOf([initialize(), initialized, call(1, 'slow'), call(2, 'test_simple_text')]))
  await until(async () => (await on.ran()).includes('test_simple_text'))
  await until(async () => set.length > 1 && (await on.ran()).includes('slow'))
  expect(new Set(set.map(({ ms }) => ms))).toEqual(new Set([86_430_000]))
  // Each answer begins another wait, so only the last one counts.
  await until(async () => (await outcomes(on)).length === 1)
  for (const { run } of set) run()
  const all = await answers()
  expect(idsOf(all)).toEqual(['1', '2', 'hello'])
  expect(all.find(({ id }) => id === 1)).toMatchObject({ error: { code: -32_000 } })
  await until(async () => (await outcomes(on)).includes('ownoutcome unknown cancelled'))
})

test('closed, it ends at once, whatever it still owes', async () => {
  const on = await piped()
  const { input, answers, served } = on.begin()
  input.end(textOf([initialize(), initialized, call(1, 'slow')]))
  await until(async () => (await on.ran()).includes('slow'))
  await served.close()
  expect(idsOf(await answers())).toEqual(['hello'])
})

test('a subscription of 2026 is answered when all else is', async () => {
  const on = await piped()
  const { input, answers } = on.begin()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const notifications = { toolsListChanged: true }
  const asked = [
    request(1, 'subscriptions/listen', { _meta, notifications }),
    request(2, 'tools/call', { _meta, name: 'test_simple_text', arguments: {} }),
  ]
  input.end(textOf(asked))
  const all = await answers()
  expect(idsOf(all)).toEqual(['1', '2'])
  expect(all.at(-1)).toMatchObject({ id: 1, result: {} })
})

test('an auditor gets each answer', async () => {
  const { asked } = await auditing()
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said = text(output)
  const { ended } = auditOverPipes(asked, { input, output })
  const some = ['count_intents', 'list_open_intents', 'no_such_tool'].map((name, id) => {
    return call(id, name)
  })
  input.end(textOf([initialize(), initialized, ...some]))
  expect(idsOf(await read(ended, output, said))).toEqual(['0', '1', '2', 'hello'])
})
