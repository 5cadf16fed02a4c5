// Measures a gateway over HTTP against a bare proxy of the same library, in turn: calls of a tool
// that only answers, on a durable log, with a proof and a warrant each.
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { assert } from '#core/kernel/fault'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { dpopFor } from '#core/warrants/minted'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#runtime/wiring/open'
import { change } from '#runtime/authoring/change'
import { gatewayOn } from '#runtime/wiring/own-gateway'
import { mintedToken } from '#runtime/verdicts/minting'
import { provingOn } from '#runtime/verdicts/proving'
import { connect } from '#services/client/connect'
import { serveGateway } from '#services/gateway/serving'
import { stages } from '#services/stages'
import { signedStartOf, testKey } from '#services/testing/setup'
import { median, quantile, whole, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'

const rounds = 5
const inRound = 100
const lanes = 8
const keys = { bot: testKey('bot'), gate: testKey('gate'), root: testKey('root') }

const capability = {
  id: 'look',
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object' },
  driver: { kind: 'local' as const, operation: 'look' },
  execution: { concurrency: 64, agentConcurrency: 64 },
}

const setup = {
  agent: 'bot',
  session: null,
  testKeys: false,
  catalog: {
    principals: [
      { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] },
      { id: 'gate', roles: ['issuer'], keys: [publicKeyOf(keys.gate)] },
      { id: 'bot', owner: 'root', keys: [publicKeyOf(keys.bot)] },
    ],
    capabilities: [capability],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 60_000 }],
  },
}

interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Timed {
  readonly perSecond: number
  readonly times: readonly number[]
}

export function benchGateway(): Promise<Report> {
  return inFolder(async (folder) => {
    const log = findLog(join(folder, 'log.db'), {})
    const runtime = await openRuntime({ log, stages })
    const { author, changes } = signedStartOf(setup)
    for (const each of changes) await change(runtime, each, author)
    const look = () => ({ rows: [{ id: 1 }, { id: 2 }] })
    const proving = provingOn(runtime, stages, null)
    const gateway = await gatewayOn({ runtime, proving }, { tools: { look } })
    const listen = { host: '127.0.0.1', port: 0 }
    const serving = await serveGateway({
      served: [{ runtime, proving, gateway }],
      close: () => gateway.close(),
      listen,
    })
    const bare = await bareServer(look)
    const issuer = { id: 'gate', privateKey: keys.gate }
    const agent = await connect({ as: 'bot', privateKey: keys.bot, runtime })
    const warrants = () =>
      inLanes(Array.from({ length: inRound }), async () => {
        const args = { n: randomUUID() }
        const { intent } = await agent.ask({ tool: 'look', args, justification: 'it was asked' })
        const { token } = await mintedToken(runtime, intent, { proving, issuer })
        return callOf(`${serving.url}/v1/calls`, { intent, token })
      })
    const ours: Timed[] = []
    const theirs: Timed[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const calls = await warrants()
      const governed = await timed(calls)
      const plain = await timed(calls.map((call) => ({ ...call, url: bare.url })))
      if (round === 0) continue
      ours.push(governed)
      theirs.push(plain)
    }
    bare.close()
    await serving.close(0)
    proving.stop()
    await runtime.stop()
    return reportOf(ours, theirs)
  })
}

function callOf(url: string, { intent, token }: { intent: string; token: string }): Sent {
  const target = { method: 'POST', url }
  const shown = { token, target, now: Date.now(), id: randomUUID() }
  const headers = {
    'content-type': 'application/json',
    authorization: `DPoP ${token}`,
    dpop: dpopFor(shown, keys.bot),
  }
  return { url, headers, body: JSON.stringify({ intent }) }
}

async function bareServer(run: () => object) {
  const app = new Hono()
  app.post('/call', async (c) => c.json({ asked: await c.req.json(), answer: run() }))
  const server = createAdaptorServer({ fetch: (request) => app.fetch(request) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'it listens')
  return { url: `http://127.0.0.1:${address.port}/call`, close: () => void server.close() }
}

async function timed(calls: readonly Sent[]): Promise<Timed> {
  const begin = performance.now()
  const times = await inLanes(calls, async ({ url, headers, body }) => {
    const start = performance.now()
    const answer = await fetch(url, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    assert(answer.ok, 'each call is carried out')
    return performance.now() - start
  })
  return { perSecond: (calls.length * 1_000) / (performance.now() - begin), times }
}

/** So many at once, in order. */
async function inLanes<A, B>(all: readonly A[], run: (one: A) => Promise<B>): Promise<B[]> {
  const rest = all.entries()
  const results: B[] = []
  const lane = async (): Promise<void> => {
    for (const [index, one] of rest) results[index] = await run(one)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

function reportOf(ours: readonly Timed[], theirs: readonly Timed[]): Report {
  const row = (what: string, all: readonly Timed[]) => {
    const times = all.flatMap((one) => one.times)
    const rate = whole(median(all.map(({ perSecond }) => perSecond)))
    return [what, rate, median(times).toFixed(2), quantile(times, 0.99).toFixed(2)]
  }
  const ratios = ours.map(({ perSecond }, index) => perSecond / (theirs[index]?.perSecond ?? 0))
  return {
    title: 'a gateway over HTTP, milliseconds',
    head: ['what', 'a second', 'p50', 'p99'],
    rows: [row('a bare proxy', theirs), row('the gateway', ours)],
    notes: [
      `${rounds} rounds of ${inRound} calls, ${lanes} at once, client and server in one process`,
      `the gateway serves ${median(ratios).toFixed(2)} of what a bare proxy does`,
      'it verifies a token and a proof for each call, and binds start and outcome durably',
    ],
    targets: [],
  }
}
