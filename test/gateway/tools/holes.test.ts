// Holes of the reference kernel, each with the input that broke it there: an argument chose the
// operation (H1), words of a driver's error reached the model whole (H7), and a namespace and the
// constraints reached the tool (H11).
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpDriver } from '#gateway/tools/http'
import { localDriver, type LocalTool } from '#gateway/tools/local'
import { mcpDriver } from '#gateway/tools/mcp'
import { toolSecrets } from '#gateway/tools/secrets'
import { shellDriver } from '#gateway/tools/shell'
import type { ToolCall, ToolDriver } from '#ports/tools'
import type { JsonObject } from '#schemas/catalog'
import { callOf, canary, failureOf, shownBy } from './driver-conformance.ts'
import { httpServer, json } from './http-server.ts'
import { answerTo } from './mcp-answers.mjs'

const secrets = toolSecrets({ variables: { WARRANT_SECRET_CANARY: canary }, folder: null })

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
