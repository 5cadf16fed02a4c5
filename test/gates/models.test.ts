// What a model says is a proposal at most: whatever a server does, a question settles within its
// limit, throws nothing, and brings JSON of bounded size or the reason why there is none.
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ollamaModel, type OllamaOptions } from '#gates/ollama'
import { scriptedModel } from '../support/adapters/scripted-model.ts'
import { modelBytesMax, type Model } from '#ports/models'

const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}

async function modelOf(answer: RequestListener, more: Partial<OllamaOptions> = {}): Promise<Model> {
  return ollamaModel({ url: await serving(answer), model: 'small', timeoutMs: 5_000, ...more })
}

const unanswered = { failed: { code: 'no_answer', params: {} } }
const late = { failed: { code: 'timed_out', params: { ms: 50 } } }
const tooLarge = { failed: { code: 'too_large', params: { bytesMax: modelBytesMax } } }

const question = { system: 'propose', user: 'what is a refund', schema: { type: 'object' } }

/** A server that has the model say this. */
function says(content: unknown): RequestListener {
  return (_request, response) => response.end(JSON.stringify({ message: { content } }))
}

test.each([301, 302, 307, 308])('a redirect by %i is not followed', async (status) => {
  let visits = 0
  const elsewhere = await serving((_request, response) => {
    visits += 1
    response.end(JSON.stringify({ message: { content: '{}' } }))
  })
  const model = await modelOf((_request, response) => {
    response.writeHead(status, { location: elsewhere }).end()
  })
  expect(await model.ask(question)).toEqual({ failed: { code: 'http_status', params: { status } } })
  expect(visits).toBe(0)
})

test('an answer with an error status counts for nothing', async () => {
  const model = await modelOf((_request, response) => {
    response.writeHead(500).end(JSON.stringify({ message: { content: '{}' } }))
  })
  expect(await model.ask(question)).toEqual({
    failed: { code: 'http_status', params: { status: 500 } },
  })
})

test('where the server does not know the model, that is reported', async () => {
  const model = await modelOf((_request, response) => response.writeHead(404).end())
  expect(await model.ask(question)).toEqual({
    failed: { code: 'http_status', params: { status: 404 } },
  })
})

test('a server that is silent is given up at the limit', async () => {
  const model = await modelOf(() => undefined, { timeoutMs: 50 })
  expect(await model.ask(question)).toEqual(late)
})

test('a server that begins and never ends is given up at the limit', async () => {
  const model = await modelOf((_request, response) => response.write('{'), { timeoutMs: 50 })
  expect(await model.ask(question)).toEqual(late)
})

test('an endless answer is cut off, not collected', async () => {
  let sent = 0
  const model = await modelOf((_request, response) => {
    const more = (): void => {
      while (!response.destroyed) {
        sent += 65_536
        if (!response.write(' '.repeat(65_536))) break
      }
    }
    response.on('drain', more)
    more()
  })
  expect(await model.ask(question)).toEqual(tooLarge)
  expect(sent).toBeLessThan(64 * modelBytesMax)
})

test('the largest answer is read, and one byte more is not', async () => {
  const around = Buffer.byteLength(JSON.stringify({ message: { content: '""' } }))
  const content = JSON.stringify('a'.repeat(modelBytesMax - around))
  const largest = await modelOf(says(content))
  expect(await largest.ask(question)).toEqual({ answer: 'a'.repeat(modelBytesMax - around) })
  const larger = await modelOf(says(`${content} `))
  expect(await larger.ask(question)).toEqual(tooLarge)
})

test.each([
  ['no JSON', 'a refund is …', 'not_json'],
  ['JSON and something behind it', '{} {}', 'not_json'],
  ['nothing', '', 'not_json'],
  ['the key `__proto__`', '{"__proto__":{"admin":true}}', 'unsafe_key'],
  ['a key twice', '{"a":1,"a":2}', 'duplicate_key'],
  ['arrays in arrays without end', '['.repeat(1_000), 'too_deep'],
])('a model that answers %s has failed', async (_what, content, json) => {
  const model = await modelOf(says(content))
  expect(await model.ask(question)).toEqual({
    failed: { code: 'not_json', params: { json } },
  })
})

test.each(['<html>', '[]', '{}', '{"message":{}}', '{"message":{"content":7}}', ''])(
  'a server that answers `%s` has failed',
  async (body) => {
    const model = await modelOf((_request, response) => response.end(body))
    expect(await model.ask(question)).toEqual({
      failed: { code: 'not_a_chat', params: expect.anything() },
    })
  },
)

test('where no one listens, that is reported', async () => {
  const url = await serving(() => undefined)
  const [server] = servers.splice(0)
  await new Promise((resolve) => server?.close(resolve))
  const model = ollamaModel({ url, model: 'small' })
  expect(await model.ask(question)).toEqual(unanswered)
})

test('who no longer waits is answered at once', async () => {
  const controller = new AbortController()
  const model = await modelOf(() => controller.abort())
  expect(await model.ask({ ...question, signal: controller.signal })).toEqual(unanswered)
  expect(await model.ask({ ...question, signal: controller.signal })).toEqual(unanswered)
})

test('a failure holds no header and nothing of the server’s answer', async () => {
  const secret = 'hunter2'
  const headers = { authorization: `Bearer ${secret}` }
  for (const status of [200, 302, 401, 404, 500]) {
    const model = await modelOf(
      (_request, response) => {
        response.writeHead(status, { location: `http://${secret}@127.0.0.1:1/` })
        response.end(`no such key: ${secret}`)
      },
      { headers },
    )
    expect(JSON.stringify(await model.ask(question))).not.toContain(secret)
  }
})

test.each([
  { url: 'http://me:hunter2@127.0.0.1' },
  { url: 'http://hunter2@127.0.0.1' },
  { url: 'file:///hunter2' },
  { url: 'hunter2' },
  { headers: { authorization: 'a\nhunter2' } },
  { headers: { 'not a name': 'hunter2' } },
])('options that cannot be meant are refused, and not repeated', (wrong) => {
  const make = (): Model => ollamaModel({ url: 'http://127.0.0.1', model: 'small', ...wrong })
  expect(make).toThrow(expect.objectContaining({ code: 'model_invalid' }))
  expect(make).not.toThrow(/hunter2/)
})

test.each([0, -1, 1.5, Number.NaN, 290_001])('a limit of %d ms is refused', (timeoutMs) => {
  const make = (): Model => ollamaModel({ url: 'http://127.0.0.1', model: 'small', timeoutMs })
  expect(make).toThrow(expect.objectContaining({ code: 'model_invalid' }))
})

test('what is asked for arrives whole, and what is answered is JSON', async () => {
  const asked: { path: string | undefined; type: string | undefined; body: string }[] = []
  const answer: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const type = request.headers['content-type']
      asked.push({ path: request.url, type, body: Buffer.concat(parts).toString() })
      response.end(JSON.stringify({ model: 'small', message: { content: '{"name":"refund"}' } }))
    })
  }
  const model = ollamaModel({ url: `${await serving(answer)}/behind/`, model: 'small' })
  expect(model.name).toBe('small')
  expect(await model.ask(question)).toEqual({ answer: { name: 'refund' } })
  expect(asked).toEqual([
    { path: '/behind/api/chat', type: 'application/json', body: expect.any(String) },
  ])
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    model: 'small',
    stream: false,
    format: { type: 'object' },
    options: { temperature: 0 },
    messages: [
      { role: 'system', content: 'propose' },
      { role: 'user', content: 'what is a refund' },
    ],
  })
})

test.each([
  ['in a fence', '```json\n{"a":1}\n```'],
  ['in a fence without a name', '\n```\n{"a":1}\n```\n'],
  ['after what it thought', '<think>an {object} of "one"</think>\n\n{"a":1}'],
  ['after what it thought, in a fence', '<think>so</think>\n```json\n{"a":1}\n```'],
])('an answer %s is read', async (_, content) => {
  const model = await modelOf(says(content))
  expect(await model.ask(question)).toEqual({ answer: { a: 1 } })
})

test('a script answers as a model does: JSON, or the reason why not', async () => {
  const failing = scriptedModel(() => {
    throw new Error('I do not know')
  })
  expect(await failing.ask(question)).toEqual(unanswered)
  for (const nothing of [undefined, 7n, 'a'.repeat(modelBytesMax), { a: '\uD800' }]) {
    expect(await scriptedModel(() => nothing).ask(question)).toHaveProperty('failed')
  }
  const echo = scriptedModel(({ user }) => ({ said: user, at: undefined }))
  expect(await echo.ask(question)).toEqual({ answer: { said: 'what is a refund' } })
  expect(await echo.ask({ ...question, signal: AbortSignal.abort() })).toHaveProperty('failed')
})
