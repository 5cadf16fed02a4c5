// Measures asking over HTTP against the same ask in the process of the log, and against a bare
// server of the same library, in turn; and again while a hundred wait for people at the server.
import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '#core/kernel/fault'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { findLog } from '#runtime/logs/log-url'
import { change } from '#runtime/authoring/change'
import { createToken } from '#runtime/serving/token-file'
import { listening } from '#runtime/serving/listening'
import { openRuntime } from '#runtime/wiring/open'
import { connect } from '#services/client/connect'
import { connectHttp } from '#services/client/over-http/connect-http'
import { serveHttp } from '#services/http/serving'
import { stages } from '#services/stages'
import { signedStartOf, testKey } from '#services/testing/setup'
import { median, quantile, whole, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'

const rounds = 5
const inRound = 200
const lanes = 8
/** A server lets each caller wait at 32 places. */
const waiters = ['w1', 'w2', 'w3', 'w4'] as const
const polls = 20
const streams = 5
/** Until all of them wait. */
const settleMs = 500
const root = testKey('root')
const local = { host: '127.0.0.1', port: 0 }

const look = { id: 'look', safetyClass: 'READ' as const, argsSchema: { type: 'object' } }
const asks = { name: 'each', effect: 'confirm' as const, when: 'true' }
const setup = {
  agent: 'bot',
  session: null,
  testKeys: false,
  catalog: {
    principals: [
      { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(root)] },
      ...['bot', ...waiters].map((id) => ({ id, owner: 'root', via: ['http'] })),
    ],
    capabilities: [look, { ...look, id: 'sign', conditions: [asks] }],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 60_000 }],
  },
}

const ways = {
  embedded: 'asked in the process of the log',
  bare: 'a bare server of the library',
  fetched: 'asked over HTTP',
  client: 'asked over HTTP by `warrant-runtime/http`',
  crowded: 'asked over HTTP while 100 wait',
} as const
type Way = keyof typeof ways

interface Timed {
  readonly perSecond: number
  readonly times: readonly number[]
}

type Ask = (n: string) => Promise<unknown>

export function benchOverHttp(): Promise<Report> {
  return inFolder(async (folder) => {
    const log = findLog(join(folder, 'log.db'), {})
    const runtime = await openRuntime({ log, stages })
    const { author, changes } = signedStartOf(setup)
    for (const each of changes) await change(runtime, each, author)
    const tokens = join(folder, 'tokens.ndjson')
    const tokenOf = async (principal: string) =>
      (await createToken(tokens, { principal, now: Date.now(), expiresAt: null })).token
    const rate = { perSecond: 100_000, burst: 100_000 }
    const serving = await serveHttp({ runtime, tokens, rate, listen: local })
    const token = await tokenOf('bot')
    const client = await connectHttp({ url: serving.url, token })
    const agent = await connect({ as: 'bot', runtime })
    const bare = await bareServer()
    const request = (n: string) => ({ tool: 'look', args: { n }, justification: 'it was asked' })
    const fetched = async (n: string) => post(`${serving.url}/v1/intents`, token, request(n))
    const by: Readonly<Record<Exclude<Way, 'crowded'>, Ask>> = {
      embedded: (n) => agent.ask(request(n)),
      bare: (n) => post(`${bare.url}/v1/intents`, token, request(n)),
      fetched,
      client: (n) => client.ask(request(n)),
    }
    const found = new Map<Way, Timed[]>()
    const crowd = await crowdAt(serving.url, tokenOf)
    const left: number[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const note = (way: Way, one: Timed): void => {
        if (round > 0) found.set(way, [...(found.get(way) ?? []), one])
      }
      for (const way of ['embedded', 'bare', 'fetched', 'client'] as const) {
        note(way, await timed(by[way]))
      }
      const leave = await crowd()
      note('crowded', await timed(fetched))
      left.push(await leave())
    }
    await client.close()
    await agent.close()
    bare.server.cut()
    await serving.close(0)
    await runtime.stop()
    return reportOf(found, Math.min(...left))
  })
}

interface Waiting {
  readonly path: string
  readonly authorization: string
}

/**
 * What it gives has a hundred wait, by long polls and streams; what that gives has them leave, and
 * counts those that waited to the end.
 */
async function crowdAt(
  url: string,
  tokenOf: (principal: string) => Promise<string>,
): Promise<() => Promise<() => Promise<number>>> {
  const all: Waiting[] = []
  for (const who of waiters) {
    const token = await tokenOf(who)
    const authorization = `Bearer ${token}`
    for (let each = 0; each < polls; each += 1) {
      const args = { n: randomUUID() }
      const asked = { tool: 'sign', args, justification: 'it was asked' }
      const { intent } = await post(`${url}/v1/intents`, token, asked)
      assert(intent !== undefined, 'people are asked')
      all.push({ path: `/v1/intents/${intent}?wait=60`, authorization })
    }
    for (let each = 0; each < streams; each += 1) all.push({ path: '/v1/events', authorization })
  }
  return async () => {
    const leaving = new AbortController()
    const { signal } = leaving
    const gone = { count: 0 }
    const waits = all.map(async ({ path, authorization }) => {
      try {
        const answer = await fetch(`${url}${path}`, { headers: { authorization }, signal })
        await answer.arrayBuffer()
      } catch (error) {
        if (signal.aborted) return
        throw error
      }
      gone.count += 1
    })
    await sleep(settleMs)
    return async () => {
      const stayed = all.length - gone.count
      leaving.abort()
      await Promise.all(waits)
      return stayed
    }
  }
}

const Answered = z.looseObject({ intent: z.string().optional() })

async function post(url: string, token: string, body: object): Promise<z.infer<typeof Answered>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  assert(answer.ok, 'each is answered')
  return Answered.parse(await answer.json())
}

/** Answers as much as a verdict is, and does nothing. */
async function bareServer() {
  const app = new Hono()
  const answer = { outcome: 'allow', reasons: [], gaps: [], text: 'x'.repeat(600) }
  app.post('/v1/intents', async (c) => c.json({ ...answer, asked: await c.req.json() }))
  const server = await listening({
    listen: local,
    tls: null,
    fetch: (request) => app.fetch(request),
  })
  return { url: server.url, server }
}

/** So many at once. */
async function timed(ask: Ask): Promise<Timed> {
  const rest = Array.from({ length: inRound }, () => randomUUID()).values()
  const times: number[] = []
  const begin = performance.now()
  const lane = async (): Promise<void> => {
    for (const n of rest) {
      const start = performance.now()
      await ask(n)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { perSecond: (inRound * 1_000) / (performance.now() - begin), times }
}

function reportOf(found: ReadonlyMap<Way, readonly Timed[]>, waited: number): Report {
  const rateOf = (way: Way) => median((found.get(way) ?? []).map(({ perSecond }) => perSecond))
  const row = (way: Way) => {
    const times = (found.get(way) ?? []).flatMap((one) => one.times)
    const tail = [median(times).toFixed(2), quantile(times, 0.99).toFixed(2)]
    return [ways[way], whole(rateOf(way)), ...tail]
  }
  const part = (way: Way, of: Way) => (rateOf(way) / rateOf(of)).toFixed(2)
  return {
    title: 'asking over HTTP, milliseconds',
    head: ['what', 'a second', 'p50', 'p99'],
    rows: [row('embedded'), row('bare'), row('fetched'), row('client'), row('crowded')],
    notes: [
      `${rounds} rounds of ${inRound} asks, ${lanes} at once, caller and server in one process`,
      `over HTTP ${part('fetched', 'embedded')} of the rate in the process, and ` +
        `${part('fetched', 'bare')} of that of a bare server; each ask is durable before its end`,
      `while ${waited} wait, ${part('crowded', 'fetched')} of the rate without them`,
    ],
    targets: [],
  }
}
