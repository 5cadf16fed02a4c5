// Servers of MCP over HTTP that forget sessions, break off, and repeat what they were sent; and
// what a proxy is given of their answers.
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mcpDriver, type McpRelay } from '#gateway/tools/mcp'
import type { ToolAnswer } from '#gateway/tools/mcp-library'
import { toolSecrets } from '#gateway/tools/secrets'
import { ToolServer } from '#schemas/action/driver'
import { certificates, hasOpenssl } from '../../support/servers/certificates.ts'
import { callOf, canary, failureOf } from './driver-conformance.ts'
import { httpServer, json, type Received } from './http-server.ts'
import { answerTo } from './mcp-answers.mjs'

const secrets = () => {
  return toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })
}
const signal = AbortSignal.timeout(60_000)
const echo = { kind: 'mcp', server: 'hand', tool: 'echo' }

interface Stand {
  /** Answers in the place of the server; false where the server is to answer. */
  readonly instead?: (received: Received, response: ServerResponse) => boolean
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string }
  readonly relay?: McpRelay
  readonly host?: string
}

/** A server that names each session. */
async function stand({ instead = () => false, tls, relay, host = '127.0.0.1' }: Stand = {}) {
  const runs: string[] = []
  const sessions: string[] = []
  const served = await httpServer((received, response) => {
    const { method, headers, body } = received
    if (method !== 'POST') return void response.writeHead(405).end()
    if (instead(received, response)) return
    if (body.includes('"initialize"')) {
      sessions.push(`s${sessions.length + 1}`)
      response.setHeader('mcp-session-id', sessions.at(-1) ?? '')
    } else if (headers['mcp-session-id'] !== sessions.at(-1) && !body.includes('discover')) {
      return void response.writeHead(404).end('no such session')
    }
    const ran = (name: string): void => void runs.push(name)
    const answer = answerTo(JSON.parse(body), { secret: String(headers['x-secret']), ran })
    if (answer !== null) json(response, answer)
    else if (!body.includes('"id"')) response.writeHead(202).end()
  }, tls ?? null)
  const driver = mcpDriver({
    secrets: secrets(),
    ...(tls?.ca !== undefined && { ca: [tls.ca] }),
    ...(relay && { relay }),
  })
  onTestFinished(() => driver.close())
  const server = ToolServer.parse({
    id: 'hand',
    url: `http${tls === undefined ? '' : 's'}://${host}:${served.port}/mcp`,
    headers: { 'X-Secret': 'Bearer ${secret:CANARY}' },
    privateHosts: [`${host}:${served.port}`],
  })
  const call = (name: string, args = {}) => {
    return driver.run(callOf({ ...echo, tool: name }, args, { server }))
  }
  return { driver, server, served, runs, sessions, call, forget: () => sessions.push('gone') }
}

describe('a session that the server forgot', () => {
  test('is begun again, and the call is carried out once', async () => {
    const { call, forget, runs, sessions } = await stand()
    await call('echo', { n: 1 })
    forget()
    expect((await call('echo', { n: 2 })).value).toEqual({ n: 2 })
    expect(runs).toEqual(['echo', 'echo'])
    expect(sessions).toHaveLength(3)
  })

  test('is begun again for a list of tools and for what calls none', async () => {
    const { driver, server, forget } = await stand()
    await driver.list(server, signal)
    forget()
    expect(await driver.list(server, signal)).toHaveLength(9)
    forget()
    const passed = driver.pass(server, { method: 'tools/list' }, { signal })
    expect(await passed).toHaveProperty('tools')
  })

  test('is begun again once: a server that forgets each is given up', async () => {
    let calls = 0
    const instead = ({ body }: Received, response: ServerResponse): boolean => {
      if (!body.includes('tools/call')) return false
      calls += 1
      response.writeHead(404).end()
      return true
    }
    const { call, runs } = await stand({ instead })
    expect(await failureOf(call('echo'))).toMatchObject({ code: 'http_status' })
    expect([calls, runs]).toEqual([2, []])
  })
})

describe('a server that is gone', () => {
  test('in the middle of a call leaves what happened unknown, and is not asked again', async () => {
    let calls = 0
    const instead = ({ body }: Received, response: ServerResponse): boolean => {
      if (!body.includes('"slow"')) return false
      calls += 1
      response.destroy()
      return true
    }
    const { call } = await stand({ instead })
    expect((await failureOf(call('slow'))).happened).toBe('unknown')
    expect(calls).toBe(1)
    expect((await call('echo', { n: 1 })).value).toEqual({ n: 1 })
  })

  test('in the middle of its answer does so once the time of the call has passed', async () => {
    const instead = ({ body }: Received, response: ServerResponse): boolean => {
      if (!body.includes('"slow"')) return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': begun\n\n', () => response.destroy())
      return true
    }
    const { driver, server } = await stand({ instead })
    const late = { server, signal: AbortSignal.timeout(500) }
    const failure = await failureOf(driver.run(callOf({ ...echo, tool: 'slow' }, {}, late)))
    expect(failure).toMatchObject({ code: 'timed_out', happened: 'unknown' })
  })
})

describe('what a proxy is given', () => {
  test('is without the secrets that its server repeats', async () => {
    const seen: ToolAnswer[] = []
    const relay = {
      onAnswer: (answer: ToolAnswer) => void seen.push(answer),
      onProgress: () => null,
      onNotice: () => {},
    }
    const { call, driver, server, served } = await stand({ relay })
    await call('leak')
    await failureOf(call('fail'))
    const passed = driver.pass(server, { method: 'tools/call', params: { name: 'x' } }, { signal })
    const error = await passed.catch(String)
    expect(served.received.at(-1)?.headers['x-secret']).toBe(`Bearer ${canary}`)
    expect(seen).toHaveLength(2)
    expect(JSON.stringify(seen)).toContain('[SECRET]')
    expect(error).toContain('[SECRET]')
    expect(JSON.stringify([seen, error])).not.toContain(canary)
  })
})

describe.runIf(hasOpenssl)('a server over TLS', () => {
  const keys = async () => {
    const folder = await certificates()
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { key: read('server.key'), cert: read('server.pem'), ca: read('ca.pem') }
  }

  test('is asked where its certificate is of a trusted authority', async () => {
    const { call } = await stand({ tls: await keys(), host: 'localhost' })
    expect((await call('echo', { n: 1 })).value).toEqual({ n: 1 })
  })

  test('gets nothing where it is not, no secret either', async () => {
    const { ca: _, ...tls } = await keys()
    const { call, served } = await stand({ tls, host: 'localhost' })
    const failure = await failureOf(call('echo'))
    expect(failure).toMatchObject({ code: 'unreachable', happened: 'no' })
    expect(served.received).toEqual([])
  })
})

/** A server whose tool has an output schema, and answers with just this text. */
function structured(written: string) {
  const schema = { type: 'object', properties: { n: { type: 'number' } } }
  return stand({
    instead({ body }, response) {
      const { id, method }: { id?: number; method?: string } = JSON.parse(body)
      if (method !== 'tools/list' && method !== 'tools/call') return false
      const tool = { name: 'echo', inputSchema: { type: 'object' }, outputSchema: schema }
      const result =
        method === 'tools/list'
          ? JSON.stringify({ tools: [tool] })
          : `{"content":[],"structuredContent":${written}}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)
      return true
    },
  })
}

test('digits that became a text are no error, whatever the output schema says of them', async () => {
  const { driver, server, call } = await structured('{"n":9007199254740993}')
  expect(await driver.list(server, signal)).toMatchObject([{ name: 'echo' }])
  expect((await call('echo')).value).toEqual({ n: '9007199254740993' })
})

test('more values than any result may have are refused before they are made', async () => {
  const { call } = await structured(`{"n":[${'{},'.repeat(1_000_000)}{}]}`)
  expect(await failureOf(call('echo'))).toMatchObject({
    code: 'result_too_large',
    detail: { valuesMax: 1_000_000 },
  })
})
