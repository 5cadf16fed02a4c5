// Measures what a coding agent waits for before each tool: a hook over HTTP beside the cheapest
// request of the same server, and each hook that is a process in turn with a process of Node that
// does nothing. The package is used as npm installs it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseGraphFile } from '#core/authoring/seed-file'
import { assert } from '#core/kernel/fault'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { change } from '#runtime/authoring/change'
import { readHookTables, shippedHookSeeds } from '#runtime/hooks/hook-seed'
import { judgingPool } from '#runtime/hooks/judging-pool'
import { findLog } from '#runtime/logs/log-url'
import { createToken } from '#runtime/serving/token-file'
import { openRuntime } from '#runtime/wiring/open'
import { CatalogFile } from '#schemas/catalog'
import { packageRoot } from '#services/cli/opening/package-root'
import { serveHttp } from '#services/http/serving'
import { stages } from '#services/stages'
import { signedStartOf, testKey } from '#services/testing/setup'
import { quantile, type Report, type Target } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'
import { installed } from './start.ts'

const requests = 300
const warmUp = 50
const starts = 21
/** Of the rulings for hooks. */
const max = { overHttpMs: 15, timesBare: 2, aloneMs: 400 }
const agent = 'coding-agent'
const root = testKey('root')

export function benchHooks(): Promise<Report> {
  return inFolder(async (folder) => {
    const main = installed(folder)
    const server = await servedHooks(folder)
    const hook = await timed(requests, () => overHttp(server))
    const cheapest = await timed(requests, () => request(`${server.url}/healthz`))
    const send = join(dirname(main), '../hooks/send.js')
    const processes = await inTurn(
      new Map<Way, readonly string[]>([
        ['bare', ['--eval', '0']],
        ['sent', [send, 'claude-code', server.url, server.tokenFile]],
        ['alone', [main, 'hook', 'run', '--for', 'claude-code', '--offline']],
        ['check', [main, 'hook', 'check']],
      ]),
    )
    await server.close()
    return reportOf(new Map([...processes, ['hook', hook], ['cheapest', cheapest]]))
  })
}

export interface Served {
  readonly url: string
  readonly token: string
  readonly tokenFile: string
  readonly close: () => Promise<void>
}

/** A server with the seeds of hooks on a log in a file, in this process. */
export async function servedHooks(folder: string): Promise<Served> {
  const seeds = join(packageRoot(), 'seeds')
  const jsonOf = (file: string): unknown => JSON.parse(readFileSync(join(seeds, file), 'utf8'))
  const parts = ['shell', 'hooks'].map((name) => CatalogFile.parse(jsonOf(`${name}/catalog.json`)))
  const { author, changes } = signedStartOf({
    agent,
    session: null,
    testKeys: false,
    graph: parseGraphFile(jsonOf('shell/graph.json')),
    catalog: {
      principals: [
        { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(root)] },
        { id: agent, owner: 'root', roles: ['writer'], via: ['http'] },
      ],
      capabilities: parts.flatMap(({ capabilities }) => capabilities),
      limits: parts.flatMap(({ limits }) => limits),
      defaults: parts[0]?.defaults ?? {},
    },
  })
  const runtime = await openRuntime({ log: findLog(join(folder, 'hooks.db'), {}), stages })
  for (const each of changes) await change(runtime, each, author)
  const tokens = join(folder, 'tokens.ndjson')
  const made = await createToken(tokens, { principal: agent, now: Date.now(), expiresAt: null })
  const tokenFile = join(folder, 'agent.token')
  writeFileSync(tokenFile, made.token)
  const folders = shippedHookSeeds(packageRoot())
  const serving = await serveHttp({
    runtime,
    tokens,
    listen: { host: '127.0.0.1', port: 0 },
    hooks: judgingPool({
      tables: await readHookTables(folders),
      folders,
      key: new Uint8Array(32),
      readable: [],
    }),
    rate: { perSecond: 100_000, burst: 100_000 },
  })
  const close = async (): Promise<void> => {
    await serving.close(0)
    await runtime.stop()
  }
  return { url: serving.url, token: made.token, tokenFile, close }
}

/** As Claude Code sends it before a command that only reads; each call is a new one. */
function event(): string {
  return JSON.stringify({
    session_id: 'bench',
    cwd: '/srv/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `ls src/${randomUUID()}` },
    tool_use_id: randomUUID(),
  })
}

async function overHttp({ url, token }: Served): Promise<void> {
  const text = await request(`${url}/v1/hooks/claude-code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: event(),
  })
  if (!text.includes('"allow"')) throw new Error(`it was not allowed: ${text}`)
}

async function request(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init)
  assert(response.ok, 'it is answered')
  return response.text()
}

async function timed(count: number, run: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let at = -warmUp; at < count; at += 1) {
    const start = performance.now()
    await run()
    if (at >= 0) times.push(performance.now() - start)
  }
  return times
}

const ways = {
  cheapest: 'the cheapest request of the server',
  hook: 'a hook over HTTP',
  bare: 'Node alone',
  sent: 'the command that asks a server',
  alone: '`hook run` without a server',
  check: '`hook check`, one command',
} as const
type Way = keyof typeof ways

/** Each as a process; the first round fills the caches of the system and is not counted. */
async function inTurn(
  words: ReadonlyMap<Way, readonly string[]>,
): Promise<ReadonlyMap<Way, readonly number[]>> {
  const times = new Map<Way, number[]>([...words.keys()].map((way) => [way, []]))
  for (let round = -1; round < starts; round += 1) {
    for (const [way, args] of words) {
      const start = performance.now()
      await ended(args, way === 'check' ? '{"command":"ls"}\n' : event())
      if (round >= 0) times.get(way)?.push(performance.now() - start)
    }
  }
  return times
}

/** Waits without holding up the server, which is in this process. */
function ended(args: readonly string[], input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.on('error', () => undefined)
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`\`${args.join(' ')}\` ended with ${String(code)}`))
    })
    child.stdin.end(input)
  })
}

function reportOf(times: ReadonlyMap<Way, readonly number[]>): Report {
  const of = (way: Way, part: number) => quantile(times.get(way) ?? [], part)
  const row = (way: Way, beside: Way) => [
    ways[way],
    of(way, 0.5).toFixed(1),
    of(way, 0.95).toFixed(1),
    (of(way, 0.5) / of(beside, 0.5)).toFixed(1),
  ]
  const alone = Math.max(of('alone', 0.5), of('check', 0.5))
  const sent = of('sent', 0.5) / of('bare', 0.5)
  const targets: readonly Target[] = [
    {
      claim: `a hook over HTTP takes at most ${max.overHttpMs} ms`,
      met: of('hook', 0.95) <= max.overHttpMs,
      figures: `p95 ${of('hook', 0.95).toFixed(1)} ms`,
    },
    {
      claim: `the command that asks a server takes at most ${max.timesBare} times Node alone`,
      met: sent <= max.timesBare,
      figures: `${sent.toFixed(2)} times at p50`,
    },
    {
      claim: `a hook without a server takes at most ${max.aloneMs} ms`,
      met: alone <= max.aloneMs,
      figures: `p50 ${alone.toFixed(0)} ms`,
    },
  ]
  return {
    title: 'what an agent waits for before a tool runs, milliseconds',
    head: ['what', 'p50', 'p95', 'times the first of its kind'],
    rows: [
      row('cheapest', 'cheapest'),
      row('hook', 'cheapest'),
      ...(['bare', 'sent', 'alone', 'check'] as const).map((way) => row(way, 'bare')),
    ],
    notes: [
      `${requests} requests one after the other, caller and server in one process`,
      `${starts} rounds of each process in turn, of the package as npm installs it`,
    ],
    targets,
  }
}
