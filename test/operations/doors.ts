// The doors by which an operation is asked of one golden log, each as its callers use it: all are
// asked by who may read all of the log, at one moment.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createToken, tokenBook } from '#serving/token-file'
import { addressFor, argumentOf, inputFields } from '#schemas/operations/fields'
import { operations, toolNameOf, type OperationName } from '#schemas/operations/table'
import { connect } from '#client/connect'
import { connectHttp } from '#client/over-http/connect-http'
import { serveHttp } from '#http/serving'
import { askedLog } from '#mcp/serve/asked-log'
import { auditOverHttp } from '#mcp/serve/audit-serving'
import { stages } from '#workers/stages'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { answerTo } from '../mcp/serve/auditing.ts'
import { played, runAt } from '../surface/played.ts'
import { servedLog, type ServedLog } from '../surface/served.ts'
import { consoleAt } from './console-door.ts'
import { codeIn, type Asked, type Door } from './door.ts'

export async function doorsOn(log: string): Promise<ReadonlyMap<string, Door>> {
  const on = await servedLog(log, { root: ['audit'], reader: ['audit', 'http'] })
  const credentials = await credentialsOf(on, 'reader')
  return new Map<string, Door>([
    ['command', await commandOn(log)],
    ['client', await clientOn(on)],
    ['HTTP', await httpOn(on, credentials)],
    ['console', await consoleAt(on.runtime, 'reader')],
    ['MCP', await toolOn(on, credentials)],
  ])
}

/** Those at which someone who may not read all of the log can ask at all. */
export async function strangersOn(log: string): Promise<ReadonlyMap<string, Door>> {
  const on = await servedLog(log, { root: ['audit'], stranger: ['http'] })
  const credentials = await credentialsOf(on, 'stranger')
  const refused = await toolOn(on, credentials).then(
    () => 'connected',
    (error: unknown) => codeIn(String(error)),
  )
  return new Map<string, Door>([
    ['HTTP', await httpOn(on, credentials)],
    ['console', await consoleAt(on.runtime, 'stranger')],
    ['MCP', () => Promise.resolve(refused)],
  ])
}

async function credentialsOf({ time }: ServedLog, principal: string): Promise<Credentials> {
  const tokens = join(await temporaryFolder(), 'tokens.ndjson')
  const { token } = await createToken(tokens, { principal, now: time.now, expiresAt: null })
  return { tokens, token }
}

async function commandOn(log: string): Promise<Door> {
  const { cwd, now } = await played(log)
  return async (name, given) => {
    const { code, stdout } = await runAt(now, cwd, [...wordsFor(name, given), '--json'])
    return code === 0 ? JSON.parse(stdout) : codeIn(stdout)
  }
}

/** As it is written at a terminal. */
export function wordsFor(name: OperationName, given: Asked): readonly string[] {
  const { [name]: asked } = operations
  const argument = argumentOf(asked)?.name ?? ''
  const options = inputFields(asked).flatMap((field) => {
    const { [field.name]: value } = given
    if (field.isInPath || value === undefined) return []
    const each = Array.isArray(value) ? value : [value]
    return each.flatMap((one) => [`--${field.name}`, ...(one === true ? [] : [String(one)])])
  })
  const { [argument]: meant } = given
  return [...asked.command.split(' '), ...(meant === undefined ? [] : [String(meant)]), ...options]
}

async function clientOn({ runtime }: ServedLog): Promise<Door> {
  const client = await connect({ runtime })
  return (name, given) => client.read(name, Object(given)).catch(codeOf)
}

interface Credentials {
  readonly tokens: string
  readonly token: string
}

async function httpOn({ runtime }: ServedLog, { tokens, token }: Credentials): Promise<Door> {
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveHttp({ runtime, listen, tokens })
  const client = await connectHttp({ url: serving.url, token })
  endWithTest(async () => {
    await client.close()
    await serving.close(0)
  })
  return async (name, given) => {
    const url = `${serving.url}/v1${addressFor(operations[name], given)}`
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const answer: unknown = await response.json()
    if (!response.ok) return codeIn(JSON.stringify(answer))
    const read: unknown = await client.read(name, Object(given))
    // What a client reads leaves nothing out.
    return isDeepStrictEqual(read, answer) ? answer : { answer, read }
  }
}

async function toolOn({ runtime }: ServedLog, { tokens, token }: Credentials): Promise<Door> {
  const on = askedLog({ runtime, rootKey: null, cells: null, stages })
  const rate = { perSecond: 10_000, burst: 10_000 }
  const served = auditOverHttp(on, { tokens: tokenBook(tokens), rate })
  const client = new Client({ name: 'doors', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (url, init) => {
      const request = new Request(url, init)
      request.headers.set('host', '127.0.0.1')
      return served.fetch(request)
    },
  })
  await client.connect(transport)
  endWithTest(async () => {
    await client.close()
    await served.close()
  })
  return async (name, given) => {
    const { isError, data, text } = await answerTo(client, toolNameOf(name), given)
    return isError ? codeIn(text) : Object(data).recorded
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return codeIn(String(code))
}
