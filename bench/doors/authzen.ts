// Measures a decision point over HTTP: recorded evaluations a second, one by one and in batches,
// and how long one takes at half of that, beside an intent from publishing to its verdict, and
// beside other deciders.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { z } from 'zod'
import { newestRules } from '#core/catalog/rules-version'
import { assert } from '#core/kernel/fault'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#runtime/wiring/open'
import { change } from '#runtime/authoring/change'
import { createToken } from '#runtime/serving/token-file'
import { listening } from '#runtime/serving/listening'
import { routes } from '#schemas/http/routes'
import { serveHttp } from '#services/http/serving'
import { stages } from '#services/stages'
import { signedStartOf } from '#services/testing/setup'
import { messagesIn, inFolder } from '../nats/deployment.ts'
import { median, quantile, whole, type Report } from '../figures.ts'
import { startDeciders, type Decider } from './deciders.ts'
import { openLoop } from '../embedded/latency.ts'

const rounds = 3
const inRound = 6_000
const inBatch = 20
const lanes = 64
const lanesOfBatches = 12
const openSeconds = 5
const wanted = { one: 3_000, batch: 6_000 }

const users = Array.from({ length: 8 }, (_, index) => `user${index}`)
const argsSchema = { type: 'object' }

const setup = {
  agent: 'gate',
  session: null,
  catalog: {
    rules: newestRules,
    principals: [
      {
        id: 'gate',
        via: ['http'],
        evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
      },
      ...users.map((id) => ({ id, roles: ['staff'] })),
    ],
    capabilities: [{ id: 'file.read', safetyClass: 'READ' as const, argsSchema }],
  },
}

const Timed = z.strictObject({ seconds: z.number(), times: z.array(z.number()) })
type Timed = z.infer<typeof Timed>

interface Load {
  readonly shape: 'authzen' | Decider['shape']
  readonly url: string
  readonly token?: string
  readonly path: string
  readonly each: number
  readonly count: number
  readonly lanes?: number
  readonly rate?: number
}

/** A server, and how it is asked in turn with the others. */
interface Side {
  readonly what: string
  readonly load: Load
  readonly ran: Timed[]
}

export function benchAuthzen(): Promise<Report> {
  return inFolder(async (folder) => {
    const runtime = await openRuntime({ log: findLog(join(folder, 'log.db'), {}), stages })
    const { author, changes } = signedStartOf(setup)
    for (const each of changes) await change(runtime, each, author)
    const tokens = join(folder, 'tokens.ndjson')
    const made = { principal: 'gate', now: Date.now(), expiresAt: null }
    const { token } = await createToken(tokens, made)
    const listen = { host: '127.0.0.1', port: 0 }
    const rate = { perSecond: 1_000_000, burst: 1_000_000 }
    const serving = await serveHttp({ runtime, listen, tokens, rate })
    const others = await startDeciders(folder)
    const bare = await listening({ listen, tls: null, fetch: (request) => bareApp.fetch(request) })
    const own = { shape: 'authzen', url: serving.url, token } as const
    const one = sideOf('one by one', { ...own, path: routes.evaluation.path, each: 1 })
    const batch = sideOf(`by ${inBatch}`, { ...own, path: routes.evaluations.path, each: inBatch })
    const path = routes.evaluation.path
    const beside = [
      sideOf('a bare server, one by one', { shape: 'authzen', url: bare.url, path, each: 1 }),
      ...others.flatMap(besideOf),
    ]
    await inTurns([one, batch, ...beside])
    const half = Math.round(rateOf(one) / 2)
    const openly = async (side: Side) => {
      const { each } = side.load
      const load = { ...side.load, count: half * openSeconds, rate: half }
      return each > 1 ? [] : [{ what: side.what, times: (await loaded(load)).times }]
    }
    const open = []
    for (const side of [one, ...beside]) open.push(...(await openly(side)))
    const asking = { agents: users, tool: 'file.read' }
    const entries = [...messagesIn(runtime.place, half * openSeconds, asking)]
    const published = await openLoop(
      {
        publish: (entry) => void runtime.log.append(entry),
        listen: (through) =>
          runtime.follower.listen((_, { parts }) => {
            if (parts?.kind === 'verdict') through(parts.address ?? '')
          }),
      },
      entries,
      half,
    )
    for (const other of others) other.stop()
    bare.cut()
    await bare.drained()
    await serving.close(0)
    await runtime.stop()
    return reportOf({ one, batch, beside, half, open, published })
  })
}

/** Of the same library, it reads the request and answers as much. */
const bareApp = new Hono().post(routes.evaluation.path, async (c) => {
  const { subject } = z.looseObject({ subject: z.unknown() }).parse(await c.req.json())
  return c.json({
    decision: true,
    context: { id: 'x'.repeat(60), intent: 'x'.repeat(40), subject },
  })
})

function sideOf(what: string, load: Omit<Load, 'count' | 'lanes'>): Side {
  const { each } = load
  const counted = { count: inRound / each, lanes: each === 1 ? lanes : lanesOfBatches }
  return { what, load: { ...load, ...counted }, ran: [] }
}

function besideOf({ name, shape, url, path }: Decider): readonly Side[] {
  const one = sideOf(`${name}, one by one`, { shape, url, path, each: 1 })
  if (shape === 'opa') return [one]
  return [one, sideOf(`${name}, by ${inBatch}`, { shape, url, path, each: inBatch })]
}

async function inTurns(sides: readonly Side[]): Promise<void> {
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { load, ran } of sides) {
      const timed = await loaded(load)
      if (round > 0) ran.push(timed)
    }
  }
}

const client = fileURLToPath(new URL('evaluating-client.ts', import.meta.url))

/** As another process asks. */
async function loaded(of: Load): Promise<Timed> {
  const { shape, url, token = '', path, each, count, lanes: atOnce = 0, rate = 0 } = of
  const words = [shape, url, token, path, each, count, atOnce, rate].map(String)
  const child = spawn(process.execPath, [...process.execArgv, client, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert(code === 0, 'every evaluation is answered')
  return Timed.parse(JSON.parse(text))
}

/** Evaluations a second, of the round in the middle. */
function rateOf({ load, ran }: Side): number {
  return median(ran.map(({ seconds, times }) => (times.length * load.each) / seconds))
}

interface Measured {
  readonly one: Side
  readonly batch: Side
  readonly beside: readonly Side[]
  readonly half: number
  readonly open: readonly { readonly what: string; readonly times: readonly number[] }[]
  readonly published: readonly number[]
}

function reportOf({ one, batch, beside, half, open, published }: Measured): Report {
  const row = (what: string, rate: number, times: readonly number[]) => {
    return [what, whole(rate), median(times).toFixed(2), quantile(times, 0.99).toFixed(2)]
  }
  const inTurn = [one, batch, ...beside].map((side) => {
    const { lanes: atOnce = 0 } = side.load
    const times = side.ran.flatMap((ran) => ran.times)
    return row(`${side.what}, ${atOnce} at once`, rateOf(side), times)
  })
  const [own] = open
  const tail = quantile(own?.times ?? [], 0.99) / quantile(published, 0.99)
  const [ones, batches] = [rateOf(one), rateOf(batch)]
  return {
    title: 'evaluations over HTTP, each recorded, milliseconds',
    head: ['what', 'a second', 'p50', 'p99'],
    rows: [
      ...inTurn,
      ...open.map(({ what, times }) => row(`${what}, open loop`, half, times)),
      row('publish to verdict, open loop', half, published),
    ],
    notes: [
      `${rounds} rounds of ${inRound} evaluations, in turn; the client is a process of its own`,
      'a log in a file, the stages in the process of the server; three facts an evaluation',
      'a bare server of the same library reads the request, and answers as much',
      beside.length === 1
        ? 'WARRANT_OPA and WARRANT_CERBOS name programs to measure beside it'
        : 'the others with their decision logs on, which they write after they answer',
    ],
    targets: [
      { claim: `${whole(wanted.one)} a second`, met: ones >= wanted.one, figures: whole(ones) },
      {
        claim: `${whole(wanted.batch)} a second in batches`,
        met: batches >= wanted.batch,
        figures: whole(batches),
      },
      {
        claim: 'p99 at most twice that of publish to verdict',
        met: tail <= 2,
        figures: tail.toFixed(1),
      },
    ],
  }
}
