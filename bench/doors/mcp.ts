// Measures calls through the proxy before a server of tools against the same calls of that server,
// in turn, over pipes and over HTTP, each program a process of its own; and what their starts take.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { assert } from '#core/kernel/fault'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { change } from '#runtime/authoring/change'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#runtime/wiring/open'
import { stages } from '#services/stages'
import { signedStartOf, testKey } from '#services/testing/setup'
import { builtFile } from '../../test/support/vitest/built.ts'
import { setup as compile } from '../../test/support/vitest/compile.ts'
import { median, quantile, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'

const rounds = 5
const inRound = 60
const starts = 5
const tool = 'test_simple_text'
const fixture = join(import.meta.dirname, '..', '..', 'test/services/mcp/fixture-server.mjs')
/** A client waits as long as the slowest machine needs to start a process. */
const probe = { timeoutMs: 60_000 }

const ways = ['pipes', 'pipes, governed', 'HTTP', 'HTTP, governed'] as const
type Way = (typeof ways)[number]

export function benchMcp(): Promise<Report> {
  compile()
  return inFolder(async (folder) => {
    const started: ChildProcess[] = []
    const clients = new Map<Way, Client>()
    try {
      const [pipes, http] = [join(folder, 'pipes.db'), join(folder, 'http.db')]
      for (const log of [pipes, http]) await begun(log)
      const served = await serving(started, [fixture, '--http'], 'stdout')
      const behind = ['--url', `${served}/mcp`, '--private', '--listen', '0']
      const governed = await serving(started, standingBefore(http, behind), 'stderr')
      clients.set('pipes', await overPipes(serverOf(folder)))
      clients.set('pipes, governed', await overPipes(governedOf(pipes, folder)))
      clients.set('HTTP', await overHttp(served))
      clients.set('HTTP, governed', await overHttp(governed))
      const times = await calledInTurn(clients)
      return reportOf(times, await startTimes(folder))
    } finally {
      for (const client of clients.values()) await client.close()
      for (const one of started) one.kill()
    }
  })
}

async function begun(file: string): Promise<void> {
  const root = testKey('root')
  const { author, changes } = signedStartOf({
    agent: 'bot',
    session: null,
    testKeys: false,
    catalog: {
      principals: [
        { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(root)] },
        { id: 'bot', owner: 'root' },
      ],
      capabilities: [{ id: tool, safetyClass: 'READ' as const, argsSchema: { type: 'object' } }],
      limits: [{ capability: tool, uses: 'unlimited' as const, windowMs: 60_000 }],
    },
  })
  const runtime = await openRuntime({ log: findLog(file, {}), stages })
  for (const each of changes) await change(runtime, each, author)
  await runtime.stop()
}

function serverOf(folder: string): readonly string[] {
  return [fixture, join(folder, 'runs')]
}

function standingBefore(log: string, words: readonly string[]): readonly string[] {
  return [builtFile('services/cli/main.ts'), 'mcp', '--as', 'bot', '--log', log, ...words]
}

function governedOf(log: string, folder: string): readonly string[] {
  return standingBefore(log, ['--', process.execPath, ...serverOf(folder)])
}

/** The address that it prints, once it serves. */
async function serving(
  started: ChildProcess[],
  args: readonly string[],
  on: 'stdout' | 'stderr',
): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  const from: Record<typeof on, Readable> = { stdout: child.stdout, stderr: child.stderr }
  for await (const line of createInterface({ input: from[on] })) {
    const origin = /http:\/\/[0-9.]+:[0-9]+/.exec(line)?.[0]
    if (origin === undefined) continue
    for (const unread of [child.stdout, child.stderr]) unread.resume()
    return origin
  }
  assert(false, 'it prints where it serves')
  return ''
}

async function overPipes(args: readonly string[]): Promise<Client> {
  const client = named()
  const command = process.execPath
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }))
  return client
}

async function overHttp(origin: string): Promise<Client> {
  const client = named()
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)))
  return client
}

function named(): Client {
  return new Client(
    { name: 'bench', version: '1' },
    { versionNegotiation: { mode: 'auto', probe } },
  )
}

type Times = ReadonlyMap<string, readonly number[]>

async function calledInTurn(clients: ReadonlyMap<Way, Client>): Promise<Times> {
  const times = new Map<string, number[]>(ways.map((way) => [way, []]))
  // The first round warms up and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    for (const [way, client] of clients) {
      for (let n = 0; n < inRound; n += 1) {
        const start = performance.now()
        const { isError } = await client.callTool({ name: tool, arguments: {} })
        assert(isError !== true, 'each call is carried out')
        if (round >= 0) times.get(way)?.push(performance.now() - start)
      }
    }
  }
  return times
}

/** To the end of a bare process, and to the first list of tools. */
async function startTimes(folder: string): Promise<Times> {
  const log = join(folder, 'starts.db')
  await begun(log)
  const listed = async (args: readonly string[]): Promise<void> => {
    const client = await overPipes(args)
    assert((await client.listTools()).tools.length > 0, 'it lists its tools')
    await client.close()
  }
  const each = new Map<string, () => Promise<unknown>>([
    ['bare Node', () => once(spawn(process.execPath, ['--eval', '0']), 'exit')],
    ['the server', () => listed(serverOf(folder))],
    ['the proxy and its server', () => listed(governedOf(log, folder))],
  ])
  const times = new Map<string, number[]>([...each.keys()].map((what) => [what, []]))
  for (let n = 0; n < starts; n += 1) {
    for (const [what, run] of each) {
      const start = performance.now()
      await run()
      times.get(what)?.push(performance.now() - start)
    }
  }
  return times
}

function reportOf(calls: Times, began: Times): Report {
  const row = (of: Times, what: string, against: string): readonly string[] => {
    const [own, bare] = [of.get(what) ?? [], of.get(against) ?? []]
    const p99 = quantile(own, 0.99)
    const ratios = [median(own) / median(bare), p99 / quantile(bare, 0.99)]
    return [what, ...[median(own), p99, ...ratios].map((one) => one.toFixed(1))]
  }
  return {
    title: 'calls through the proxy before a server of tools',
    head: ['what', 'p50 ms', 'p99 ms', 'p50, of the bare', 'p99, of the bare'],
    rows: [
      row(calls, 'pipes', 'pipes'),
      row(calls, 'pipes, governed', 'pipes'),
      row(calls, 'HTTP', 'HTTP'),
      row(calls, 'HTTP, governed', 'HTTP'),
      row(began, 'bare Node', 'bare Node'),
      row(began, 'the server', 'bare Node'),
      row(began, 'the proxy and its server', 'bare Node'),
    ],
    notes: [
      `${rounds * inRound} calls of each, one at a time, in turn, on durable logs`,
      `the last three: ${starts} starts of each, to the first list of tools`,
    ],
    targets: [],
  }
}
