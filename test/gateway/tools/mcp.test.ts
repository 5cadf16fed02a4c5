// Tools of servers that speak MCP, over pipes and over HTTP.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { mcpDriver } from '#gateway/tools/mcp'
import { failureTextBytesMax } from '#ports/tools'
import { toolSecrets } from '#gateway/tools/secrets'
import { toolDigest } from '#rules/routing/tool-change'
import { ToolServer } from '#schemas/action/driver'
import type { JsonObject } from '#schemas/catalog'
import { callOf, canary, driverConformance, failureOf, shownBy } from './driver-conformance.ts'
import { httpServer, json } from './http-server.ts'
import { answerTo } from './mcp-answers.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { httpDriver } from '#gateway/tools/http'
import { localDriver, type LocalTool } from '#gateway/tools/local'
import { shellDriver } from '#gateway/tools/shell'
import type { ToolCall, ToolDriver } from '#ports/tools'

const program = join(import.meta.dirname, 'mcp-answers.mjs')
const secrets = toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })

async function overPipes(mode = 'plain') {
  const folder = await temporaryFolder()
  const file = join(folder, 'runs')
  await writeFile(file, '')
  const driver = mcpDriver({ secrets })
  onTestFinished(() => driver.close())
  const server = ToolServer.parse({
    id: 'hand',
    command: [process.execPath, program, file, mode],
    env: { SECRET: '${secret:CANARY}' },
  })
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter((one) => one !== '')
  const ran = async () => (await lines()).filter((one) => one.startsWith('ran'))
  return { driver, server, lines, ran, file }
}

async function overHttp(options: { readonly broken?: () => boolean } = {}) {
  const runs: string[] = []
  const served = await httpServer(({ method, headers, body }, response) => {
    if (method !== 'POST') return void response.writeHead(405).end()
    if (options.broken?.() === true) return void response.writeHead(404).end('no such session')
    const ran = (name: string): void => void runs.push(name)
    const answer = answerTo(JSON.parse(body), { secret: String(headers['x-secret']), ran })
    if (answer !== null) json(response, answer)
    else if (!body.includes('"id"')) response.writeHead(202).end()
  })
  const driver = mcpDriver({ secrets })
  onTestFinished(() => driver.close())
  const server = ToolServer.parse({
    id: 'hand',
    url: `${served.origin}/mcp`,
    headers: { 'X-Secret': '${secret:CANARY}' },
    privateHosts: ['127.0.0.1'],
  })
  return { driver, server, served, ran: async () => runs }
}

const tool = (name: string) => ({ kind: 'mcp', server: 'hand', tool: name })

for (const [name, open] of [
  ['mcp over pipes', overPipes],
  ['mcp over HTTP', overHttp],
] as const) {
  driverConformance(name, async () => {
    const { driver, server, ran } = await open()
    return {
      driver,
      echo: (args) => callOf(tool('echo'), args, { server }),
      slow: (options) => callOf(tool('slow'), {}, { ...options, server }),
      failing: () => callOf(tool('fail'), {}, { server }),
      large: (bytes, bytesMax) => {
        return callOf(tool('large'), { bytes }, { server, execution: { bytesMax } })
      },
      leaking: () => callOf(tool('leak'), {}, { server }),
      runs: async () => (await ran()).length,
      tempting: { operation: 'wipe', tool: 'wipe', name: 'wipe', server: 'x', max_rows: 50 },
    }
  })
}

describe('a call', () => {
  const call = (name: string, server: ToolServer, args: JsonObject = {}) => {
    return callOf(tool(name), args, { server })
  }

  test('prefers what is structured, then text that is JSON, then all of it', async () => {
    const { driver, server } = await overPipes()
    expect((await driver.run(call('rows', server))).value).toEqual([{ row: 1 }, { row: 2 }])
    expect((await driver.run(call('mixed', server))).value).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ])
  })

  test('shares the session of its server with others', async () => {
    const { driver, server, lines } = await overPipes()
    const calls = Array.from({ length: 20 }, (_, n) => driver.run(call('echo', server, { n })))
    const results = await Promise.all(calls)
    expect(results.map(({ value }) => value)).toEqual(calls.map((_, n) => ({ n })))
    expect((await lines()).filter((line) => line.startsWith('started'))).toHaveLength(1)
  })

  test('that the server does not survive leaves what happened unknown; the next one starts it', async () => {
    const { driver, server, lines } = await overPipes()
    const failure = await failureOf(driver.run(call('die', server)))
    expect(failure).toMatchObject({ code: 'connection_lost', happened: 'unknown' })
    expect((await driver.run(call('echo', server, { a: 1 }))).value).toEqual({ a: 1 })
    expect((await lines()).filter((line) => line.startsWith('started'))).toHaveLength(2)
  })

  test('over HTTP whose session the server forgot is refused; the next one begins another', async () => {
    let isBroken = false
    const { driver, server } = await overHttp({ broken: () => isBroken })
    await driver.run(call('echo', server))
    isBroken = true
    const failure = await failureOf(driver.run(call('echo', server)))
    expect(failure).toMatchObject({ code: 'http_status', happened: 'yes', detail: { status: 404 } })
    isBroken = false
    expect((await driver.run(call('echo', server, { a: 1 }))).value).toEqual({ a: 1 })
  })

  test('of a tool that the server does not have was answered with an error', async () => {
    for (const { driver, server } of [await overPipes(), await overHttp()]) {
      const failure = await failureOf(driver.run(call('none', server)))
      expect(failure).toMatchObject({ code: 'tool_error', happened: 'yes' })
      expect(failure.detail).toMatchObject({ rpc: -32602 })
      expect(shownBy(failure)).not.toContain('canary')
    }
  })

  test('of an imported tool is refused where its author says something else of it now', async () => {
    for (const { driver, server, ran } of [await overPipes(), await overHttp()]) {
      const approved = { name: 'echo', inputSchema: { type: 'object' } }
      const imported = { from: 'mcp', tool: 'echo', digest: toolDigest(approved) }
      const calling = (digest: string, name = 'echo') => {
        return callOf(tool(name), { a: 1 }, { server, imported: { ...imported, digest } })
      }
      expect((await driver.run(calling(imported.digest))).value).toEqual({ a: 1 })
      const other = toolDigest({ ...approved, description: 'and send it to me' })
      const failure = await failureOf(driver.run(calling(other)))
      expect(failure).toMatchObject({ code: 'tool_changed', happened: 'no' })
      expect(failure.detail).toMatchObject({ tool: 'echo', digest: imported.digest })
      const gone = await failureOf(driver.run(calling(imported.digest, 'none')))
      expect(gone).toMatchObject({ code: 'unknown_tool', happened: 'no' })
      expect(await ran()).toHaveLength(1)
    }
  })

  test('for another server than that of the capability does nothing', async () => {
    const { driver, server, lines } = await overPipes()
    for (const other of [null, { ...server, id: 'other' }]) {
      const failure = await failureOf(driver.run(callOf(tool('echo'), {}, { server: other })))
      expect(failure).toMatchObject({ code: 'unknown_server', happened: 'no' })
    }
    expect(await lines()).toEqual([])
  })
})

describe('a server', () => {
  const echo = (server: ToolServer) => callOf(tool('echo'), { a: 1 }, { server })

  test.each(['noisy', 'nervous', 'silent'])(
    'that is %s at what it does not know is asked in the way that it knows',
    async (mode) => {
      const { driver, server } = await overPipes(mode)
      expect((await driver.run(echo(server))).value).toEqual({ a: 1 })
    },
  )

  test('finds the environment that is written out, and none of the gateway', async () => {
    const { driver, server } = await overPipes()
    process.env['WARRANT_MCP_TEST'] = canary
    onTestFinished(() => void delete process.env['WARRANT_MCP_TEST'])
    const { value } = await driver.run(callOf(tool('env'), {}, { server }))
    expect(Object.keys(value ?? {}).toSorted()).toEqual(['LANG', 'PATH', 'SECRET'])
    expect(value).toMatchObject({ SECRET: '[SECRET]' })
  })

  test('that does not start, or is not one, did nothing', async () => {
    const { driver } = await overPipes()
    const starting = async (command: string[]) => {
      return failureOf(driver.run(echo(ToolServer.parse({ id: 'hand', command }))))
    }
    expect(await starting(['/no/such/server'])).toMatchObject({
      code: 'spawn_failed',
      happened: 'no',
    })
    expect((await starting([process.execPath, '--eval', '0'])).happened).toBe('no')
  })

  test.each([
    ['http://169.254.169.254/mcp', 'address'],
    ['http://127.0.0.1/mcp', 'address'],
    ['http://localhost/mcp', 'special_name'],
    ['https://user:pass@mcp.example.com/', 'userinfo'],
  ])('at %s is not asked', async (url, reason) => {
    const { driver } = await overPipes()
    const failure = await failureOf(driver.run(echo(ToolServer.parse({ id: 'hand', url }))))
    expect(failure).toMatchObject({ code: 'url_blocked', happened: 'no', detail: { reason } })
  })

  test('that redirects is not followed', async () => {
    const elsewhere = await httpServer((_, response) => json(response, {}))
    for (const status of [301, 302, 307, 308]) {
      const server = await httpServer((_, response) => {
        response.writeHead(status, { location: elsewhere.origin }).end()
      })
      const { driver } = await overPipes()
      const given = { id: 'hand', url: server.origin, privateHosts: ['127.0.0.1'] }
      const failure = await failureOf(driver.run(echo(ToolServer.parse(given))))
      expect(failure).toMatchObject({ happened: 'no' })
    }
    expect(elsewhere.received).toEqual([])
  })

  test('lists all its tools, page by page, and not for ever', async () => {
    const names = async ({ driver, server }: Awaited<ReturnType<typeof overPipes>>) => {
      const tools = await driver.list(server, AbortSignal.timeout(10_000))
      return tools.map((one) => one.name)
    }
    const expected = 'echo wipe slow fail large leak rows mixed die'.split(' ')
    expect(await names(await overPipes())).toEqual(expected)
    await expect(names(await overPipes('endless'))).rejects.toThrow()
  })

  test('is started again once the catalog has another', async () => {
    const { driver, server, lines, file } = await overPipes()
    await driver.run(echo(server))
    const changed = ToolServer.parse({
      id: 'hand',
      command: [process.execPath, program, file, 'plain'],
      env: { SECRET: 'another' },
    })
    await driver.run(echo(changed))
    const started = (await lines()).filter((line) => line.startsWith('started'))
    expect(started).toHaveLength(2)
    const first = Number(started[0]?.split(' ')[1])
    await expect.poll(() => isRunning(first)).toBe(false)
  })

  test('is gone when the driver is closed, even if it ignores SIGTERM', async () => {
    const { driver, server, lines } = await overPipes('stubborn')
    await driver.run(echo(server))
    const pid = Number((await lines())[0]?.split(' ')[1])
    expect(isRunning(pid)).toBe(true)
    await driver.close()
    expect(isRunning(pid)).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// Holes of the reference kernel, each with the input that broke it there: an argument chose the
// operation (H1), words of a driver's error reached the model whole (H7), and a namespace and the
// constraints reached the tool (H11).

/** The dispatch of the reference: what the arguments say comes before what is registered. */
function dispatchOfReference(
  tools: ReadonlyMap<string, LocalTool>,
  registered: string,
  args: JsonObject,
): LocalTool | undefined {
  const { operation = registered } = args
  return typeof operation === 'string' ? tools.get(operation) : undefined
}

const args = { operation: 'tickets.delete', id: 7 }

describe('H1: an argument called `operation` chose what ran', () => {
  test('in process', async () => {
    const ran: string[] = []
    const tools = new Map<string, LocalTool>(
      ['tickets.read', 'tickets.delete'].map((name) => [name, () => ran.push(name)]),
    )
    expect(dispatchOfReference(tools, 'tickets.read', args)).toBe(tools.get('tickets.delete'))
    const driver = localDriver({ tools, secrets })
    await driver.run(callOf({ kind: 'local', operation: 'tickets.read' }, args))
    expect(ran).toEqual(['tickets.read'])
  })

  test('over MCP, where the reference ran `wipe`', async () => {
    const { driver, server, called } = await overMcp()
    const tempting = { operation: 'wipe', tool: 'wipe', name: 'wipe', _meta: { tool: 'wipe' } }
    await driver.run(callOf({ kind: 'mcp', server: 'crm', tool: 'echo' }, tempting, { server }))
    expect(called).toEqual([{ name: 'echo', arguments: tempting }])
  })

  test('over HTTP: not the method, the host or the path', async () => {
    const server = await httpServer((_, response) => json(response, null))
    const driver = opened(httpDriver({ secrets }))
    const tempting = {
      operation: 'DELETE',
      method: 'DELETE',
      url: '/wipe',
      path: '/wipe',
      _method: 'DELETE',
    }
    const url = `${server.origin}/tickets`
    const given = { kind: 'http', method: 'POST', url, privateHosts: ['127.0.0.1'] }
    await driver.run(callOf(given, tempting))
    expect(server.received).toMatchObject([{ method: 'POST', url: '/tickets' }])
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual(tempting)
  })

  test('as a program: such an argument is not sent anywhere, so the call is refused', async () => {
    const driver = opened(shellDriver({ secrets }))
    const failure = await failureOf(driver.run(callOf({ kind: 'shell', command: ['true'] }, args)))
    expect(failure).toMatchObject({ code: 'argument_unused', happened: 'no' })
  })
})

describe('H7: the words of an error reached the model with a password in them', () => {
  // What the reference showed to the model: the exception, as it came.
  const words = `connection to postgres://app:${canary}@db.internal/crm failed`
  const shownByReference = (error: Error): string => `DriverError: ${error.message}`

  test('as the reference showed it', () => {
    expect(shownByReference(new Error(words))).toContain(canary)
  })

  test.each([
    [
      'in process',
      async () => {
        const tools = new Map<string, LocalTool>([['tool', () => Promise.reject(new Error(words))]])
        return [
          localDriver({ tools, secrets }),
          callOf({ kind: 'local', operation: 'tool' }),
        ] as const
      },
    ],
    [
      'over HTTP',
      async () => {
        const server = await httpServer((_, response) => response.writeHead(500).end(words))
        const given = {
          kind: 'http',
          method: 'GET',
          url: server.origin,
          privateHosts: ['127.0.0.1'],
        }
        return [httpDriver({ secrets }), callOf(given)] as const
      },
    ],
    [
      'as a program',
      async () => {
        const script = 'process.stderr.write(process.env.WORDS); process.exit(1)'
        const command = [process.execPath, '--eval', script]
        const env = { WORDS: words.replace(canary, '${secret:CANARY}') }
        return [shellDriver({ secrets }), callOf({ kind: 'shell', command, env })] as const
      },
    ],
    [
      'over MCP',
      async () => {
        const { driver, server } = await overMcp(words)
        const given = { kind: 'mcp', server: 'crm', tool: 'fail' }
        return [driver, callOf(given, {}, { server })] as const
      },
    ],
  ] satisfies [string, () => Promise<readonly [ToolDriver, ToolCall]>][])(
    '%s it is a code, and the words beside it have no secret',
    async (_, given) => {
      await secrets.load('CANARY')
      const [driver, call] = await given()
      opened(driver)
      const failure = await failureOf(driver.run(call))
      expect(failure.message).toBe(failure.code)
      expect(failure.happened).toBe('yes')
      expect(failure.cause).toBeUndefined()
      expect(shownBy(failure)).not.toContain(canary)
      expect(shownBy(failure)).not.toContain('secret value')
      expect(failure.detail['text']).toContain('[SECRET]')
    },
  )
})

describe('H11: a namespace changed the name of the tool, and constraints its arguments', () => {
  test('the tool is called by its own name, whatever the capability is called', async () => {
    const { driver, server, called } = await overMcp()
    const call = callOf({ kind: 'mcp', server: 'crm', tool: 'echo' }, { id: 7 }, { server })
    const capability = {
      ...call.capability,
      id: 'crm.tickets.echo',
      allowedFields: ['id'],
    }
    const namedByReference = `${server.id}.${capability.id}`
    const argumentsOfReference = { max_rows: 50, allowed_fields: ['id'], ...call.args }
    await driver.run({ ...call, capability })
    expect(called).toEqual([{ name: 'echo', arguments: { id: 7 } }])
    expect(called[0]?.name).not.toBe(namedByReference)
    expect(called[0]?.arguments).not.toEqual(argumentsOfReference)
  })
})

interface Called {
  readonly name: string
  readonly arguments: JsonObject
}

async function overMcp(secret = '') {
  const called: Called[] = []
  const served = await httpServer(({ method, body }, response) => {
    if (method !== 'POST') return void response.writeHead(405).end()
    const message: { readonly params?: Called; readonly method?: string } = JSON.parse(body)
    if (message.method === 'tools/call' && message.params !== undefined) {
      const { name, arguments: given } = message.params
      called.push({ name, arguments: given })
    }
    const answer = answerTo(message, { secret })
    if (answer === null) response.writeHead(202).end()
    else json(response, answer)
  })
  const driver = opened(mcpDriver({ secrets }))
  const server = { id: 'crm', url: `${served.origin}/mcp`, privateHosts: ['127.0.0.1'] }
  return { driver, server, called }
}

function opened<T extends ToolDriver>(driver: T): T {
  onTestFinished(() => driver.close())
  return driver
}

test.each([
  ['at its start', '', 1],
  ['after a page of other words', 'process.stderr.write("x".repeat(20_000) + "\\n");', 1],
])('a server that ends %s leaves its last words, without secrets', async (_, before) => {
  const driver = mcpDriver({ secrets })
  onTestFinished(() => driver.close())
  const words = `process.stderr.write("no such key: " + process.env.SECRET + "\\n")`
  const server = ToolServer.parse({
    id: 'hand',
    command: [process.execPath, '-e', `${before}${words};process.exitCode = 3`],
    env: { SECRET: '${secret:CANARY}' },
  })
  const failure = await failureOf(
    driver.list(server, new AbortController().signal).then(() => ({ value: null, bytes: 0 })),
  )
  expect(failure).toMatchObject({ code: 'connection_lost', happened: 'no' })
  const text = z.string().parse(failure.detail['text'])
  expect(text).toMatch(/no such key: \S+$/)
  expect(text).not.toContain(canary)
  expect(text.length).toBeLessThanOrEqual(failureTextBytesMax)
})
