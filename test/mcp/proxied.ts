// A server of tools, the proxy before it on a log in memory, and clients of the official library.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ClientOptions } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { toolSecrets } from '#gateway/tools/secrets'
import { stages } from '#workers/stages'
import { behindAt } from '#mcp/behind'
import { openDoor, type DoorOptions } from '#mcp/door'
import { overHttp, type FrontOverHttp } from '#mcp/serving'
import type { Log } from '#ports/log'
import { readData } from '#record/event'
import { ToolServer } from '#schemas/action/driver'
import { toolDigest } from '#rules/routing/tool-change'
import { listening } from '#serving/listening'
import { keys, testRuntime } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { fixtureServer } from './fixture-tools.mjs'
import { olderClient } from './older-client.mjs'

export const program = join(import.meta.dirname, 'fixture-server.mjs')

export type Era = 'auto' | 'legacy'

export interface ProxiedSetup extends Partial<
  Pick<DoorOptions, 'reviewUrl' | 'shortlist' | 'speaker' | 'waitMs'>
> {
  /** Of each capability, by its id. */
  readonly capabilities: Readonly<Record<string, object>>
  /** Whether a gateway carries them out; else the proxy guards them as its agent. */
  readonly driven?: boolean
  readonly catalog?: object
  readonly session?: string
  readonly log?: Log
  /** The server behind; the fixture if not given, in a process of its own or in this one. */
  readonly server?: ToolServer | 'process'
}

const anyArgs = { type: 'object', additionalProperties: true }

export async function proxied(setup: ProxiedSetup) {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-mcp-proxy-'))
  const runs = join(folder, 'runs')
  await writeFile(runs, '')
  const { server, cut } = await serverBehind(setup.server, runs)
  const { driven = false, session, shortlist, reviewUrl, speaker, waitMs = 0 } = setup
  const capabilities = Object.entries(setup.capabilities).map(([id, more]) => ({
    id,
    description: `the tool ${id}`,
    safetyClass: 'READ' as const,
    argsSchema: anyArgs,
    ...(driven && { driver: { kind: 'mcp' as const, server: server.id, tool: id } }),
    ...more,
  }))
  const on = await testRuntime({
    catalog: { capabilities, ...(driven && { servers: [server] }), ...setup.catalog },
    ...(setup.log !== undefined && { log: setup.log }),
  })
  const { runtime, bot: client } = on
  const secrets = toolSecrets({ variables: {}, folder: null })
  const options = {
    runtime,
    client,
    agent: 'bot',
    stages,
    session: session === undefined ? null : client.session(session),
    waitMs,
    importing: 'warrant mcp tools | warrant catalog import -',
    ...(shortlist !== undefined && { shortlist }),
    ...(reviewUrl !== undefined && { reviewUrl }),
    ...(speaker !== undefined && { speaker }),
  }
  const served = async () => {
    const behind = behindAt({ server, isInCatalog: driven, secrets })
    const door = await openDoor({ ...options, behind })
    const front = overHttp(door.front, () => {})
    const { connected, older, left } = clientsOn(front)
    const end = async (): Promise<void> => {
      await left()
      await front.close()
      await door.close()
    }
    return { door, front, connected, older, end }
  }
  const { door, front, connected, older, end } = await served()
  let ending = end
  endWithTest(async () => {
    await ending()
    cut()
    await runtime.stop()
    await rm(folder, { recursive: true })
  })
  /** The proxy ends, and another begins on the same log. */
  const restarted = async () => {
    await ending()
    const next = await served()
    ending = next.end
    return next.connected
  }
  const ran = async () => (await readFile(runs, 'utf8')).split('\n').filter((one) => one !== '')
  return { ...on, door, front, connected, older, restarted, ran, runs, server }
}

async function serverBehind(given: ProxiedSetup['server'], runs: string) {
  const own = { id: 'fixture', command: [process.execPath, program, runs] }
  const other = given === 'process' ? ToolServer.parse(own) : given
  if (other !== undefined) return { server: other, cut: () => undefined }
  const handler = createMcpHandler(() => fixtureServer(runs))
  const listen = { host: '127.0.0.1', port: 0 }
  const fetch = (request: Request): Promise<Response> => handler.fetch(request)
  const served = await listening({ listen, tls: null, fetch })
  const fixture = { id: 'fixture', url: `${served.url}/mcp`, privateHosts: [listen.host] }
  return { server: ToolServer.parse(fixture), cut: () => served.cut() }
}

/** Clients of the official library that come over HTTP; `left` closes all of them. */
export function clientsOn(front: Pick<FrontOverHttp, 'fetch'>) {
  const clients: { close(): Promise<void> }[] = []
  const address = new URL('http://127.0.0.1/mcp')
  const fetched = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    request.headers.set('host', '127.0.0.1')
    return front.fetch(request)
  }
  const connected = async (era: Era, options: ClientOptions = {}) => {
    const made = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era }, ...options },
    )
    await made.connect(new StreamableHTTPClientTransport(address, { fetch: fetched }))
    clients.push(made)
    return made
  }
  /** One by the first version of the library. */
  const older = async () => {
    const made = await olderClient(fetched)
    clients.push(made)
    return made
  }
  const left = async (): Promise<void> => {
    for (const one of clients) await one.close()
  }
  return { connected, older, left }
}

/** As an import of the tool would have it. */
export function importedAs(tool: string, description = `the tool ${tool}`) {
  const inputSchema = { type: 'object' as const, properties: {} }
  return {
    imported: {
      from: 'mcp' as const,
      tool,
      digest: toolDigest({ name: tool, description, inputSchema }),
    },
  }
}

export type Proxied = Awaited<ReturnType<typeof proxied>>

/** Each outcome in the log, with its code. */
export async function outcomes({ log }: Pick<Proxied, 'log'>) {
  const found: string[] = []
  for await (const fact of log.read({})) {
    const kind = fact.name.split('.')[2] ?? ''
    if (kind !== 'outcome' && kind !== 'ownoutcome') continue
    const data = readData(kind, fact)
    found.push(`${kind} ${data?.outcome}${data?.code === undefined ? '' : ` ${data.code}`}`)
  }
  return found
}

export async function agreed({ bot }: Pick<Proxied, 'bot'>, intent: string): Promise<void> {
  const note = 'Ann asked for it yesterday'
  const of = { intent, confirmer: 'olga', privateKey: keys.olga, answers: true, note }
  await bot.decide(of)
}

export function intentIn({ _meta }: { _meta?: Record<string, unknown> | undefined }): string {
  return Authorized.parse(_meta).authorization.authorizationContextId
}

const Authorized = z.looseObject({
  authorization: z.looseObject({ authorizationContextId: z.string() }),
})

export async function until(holds: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 600_000 })
}
