// Requests that two readers could read differently, or that cannot be recorded, at the door of MCP:
// each is answered with what is wrong, and never reaches a tool.
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answeredValue, exactAnswers } from '#gateway/tools/exact-answer'
import { requestRefusal, strictLines } from '#mcp/strict'
import { proxied } from './proxied.ts'

const call = (args: string): string => {
  const params = `{"name":"echo","arguments":${args}}`
  return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`
}
const refused: readonly (readonly [string, string])[] = [
  ['{"s":"a","s":"b"}', 'duplicate_key'],
  [String.raw`{"s":"a","\u0073":"b"}`, 'duplicate_key'],
  ['{"x":{"a":1,"a":2}}', 'duplicate_key'],
  ['{"__proto__":{"a":1}}', 'unsafe_key'],
  ['{"x":[{"__proto__":1}]}', 'unsafe_key'],
  [String.raw`{"s":"\ud800"}`, 'lone_surrogate'],
  ['{"n":1e400}', 'number_out_of_range'],
  ['{"id":9007199254740993}', 'number_inexact'],
  ['{"a":[{"b":3.141592653589793238}]}', 'number_inexact'],
]

test.each(refused)('%s is %s', (args, code) => {
  const refusal = requestRefusal(Buffer.from(call(args)))
  expect(refusal).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_600 } })
  expect(JSON.stringify(refusal)).toContain(code)
})

test('over pipes the next request is read, and no JSON is left for the library', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const lines = strictLines(input, output)
  const taken = [call('{"n":9007199254740994,"s":"😀"}'), 'no json', call('{"n":0.1}')]
  const all = [taken[0], ...refused.map(([args]) => call(args)), ...taken.slice(1)].join('\n')
  const bytes = Buffer.from(`${all}\n`)
  for (let at = 0; at < bytes.length; at += 7) input.write(bytes.subarray(at, at + 7))
  input.end()
  expect(await text(lines)).toBe(`${taken.join('\n')}\n`)
  output.end()
  const answers = (await text(output)).trimEnd().split('\n')
  expect(answers).toHaveLength(refused.length)
})

test('over HTTP it is answered, and no tool ran', async () => {
  const { front, ran } = await proxied({ capabilities: { echo: {} } })
  for (const [args, code] of refused) {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers,
      body: call(args),
    })
    request.headers.set('host', '127.0.0.1')
    const answer = await front.fetch(request)
    expect(await answer.text()).toContain(code)
  }
  expect(await ran()).toEqual([])
})

const digits = '1915883588174806058'
const content = `[{"type":"text","text":"${digits}"}]`
const structured = `{"id":${digits},"n":1.5}`
const result = `{"content":${content},"structuredContent":${structured}}`
const answer = `{"jsonrpc":"2.0","id":1,"result":${result}}`

test('digits of a result stay as they are, as text in the structured part alone', async () => {
  const structuredContent = { id: digits, n: 1.5 }
  expect(answeredValue(answer)).toMatchObject({ result: { structuredContent } })
  const list = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"inputSchema":{"maximum":${digits}}}]}}`
  expect(answeredValue(list)).toEqual(JSON.parse(list))
  const over = async (type: string, body: string) => {
    const fetch = exactAnswers(
      async () => new Response(body, { headers: { 'content-type': type } }),
    )
    return (await fetch('http://127.0.0.1/')).text()
  }
  expect(JSON.parse(await over('application/json', answer))).toMatchObject({
    result: { structuredContent },
  })
  const events = `event: message\nid: 3\ndata: ${answer}\n\ndata: not json\n\n`
  expect(await over('text/event-stream', events)).toBe(
    `event: message\nid: 3\ndata: ${JSON.stringify(answeredValue(answer))}\n\ndata:  not json\n\n`,
  )
})
