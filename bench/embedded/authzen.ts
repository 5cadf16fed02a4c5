// Measures a decision point over HTTP: recorded evaluations a second, one by one and in batches,
// and how long one takes at half of that, beside an intent from publishing to its verdict.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { newestRules } from '#core/catalog/rules-version'
import { assert } from '#core/kernel/fault'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#runtime/wiring/open'
import { change } from '#runtime/authoring/change'
import { createToken } from '#runtime/serving/token-file'
import { routes } from '#schemas/http/routes'
import { serveHttp } from '#services/http/serving'
import { stages } from '#services/stages'
import { signedStartOf } from '#services/testing/setup'
import { messagesIn, inFolder } from '../nats/deployment.ts'
import { median, quantile, whole, type Report } from '../figures.ts'
import { openLoop } from './latency.ts'

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
  readonly path: string
  readonly each: number
  readonly count: number
  readonly lanes?: number
  readonly rate?: number
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
    const load = (of: Load) => loaded(serving.url, token, of)
    const one = { path: routes.evaluation.path, each: 1, count: inRound, lanes }
    const batch = {
      path: routes.evaluations.path,
      each: inBatch,
      count: inRound / inBatch,
      lanes: lanesOfBatches,
    }
    const ones: Timed[] = []
    const batches: Timed[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const [single, several] = [await load(one), await load(batch)]
      if (round > 0) ones.push(single)
      if (round > 0) batches.push(several)
    }
    const half = Math.round(median(ones.map((each) => perSecond(each, 1))) / 2)
    const open = await load({ path: one.path, each: 1, count: half * openSeconds, rate: half })
    const entries = [
      ...messagesIn(runtime.place, half * openSeconds, { agents: users, tool: 'file.read' }),
    ]
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
    await serving.close(0)
    await runtime.stop()
    return reportOf({ ones, batches, half, open: open.times, published })
  })
}

const client = fileURLToPath(new URL('evaluating-client.ts', import.meta.url))

/** As another process asks. */
async function loaded(url: string, token: string, of: Load): Promise<Timed> {
  const { path, each, count, lanes: atOnce = 0, rate = 0 } = of
  const words = [url, token, path, each, count, atOnce, rate].map(String)
  const child = spawn(process.execPath, [...process.execArgv, client, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert(code === 0, 'every evaluation is answered')
  return Timed.parse(JSON.parse(text))
}

function perSecond({ seconds, times }: Timed, each: number): number {
  return (times.length * each) / seconds
}

interface Measured {
  readonly ones: readonly Timed[]
  readonly batches: readonly Timed[]
  readonly half: number
  readonly open: readonly number[]
  readonly published: readonly number[]
}

function reportOf({ ones, batches, half, open, published }: Measured): Report {
  const rate = (all: readonly Timed[], each: number) =>
    median(all.map((one) => perSecond(one, each)))
  const row = (what: string, a: string, times: readonly number[]) => {
    return [what, a, median(times).toFixed(2), quantile(times, 0.99).toFixed(2)]
  }
  const timesOf = (all: readonly Timed[]) => all.flatMap(({ times }) => times)
  const [one, batch] = [rate(ones, 1), rate(batches, inBatch)]
  const tail = quantile(open, 0.99) / quantile(published, 0.99)
  return {
    title: 'evaluations over HTTP, each recorded, milliseconds',
    head: ['what', 'a second', 'p50', 'p99'],
    rows: [
      row(`one by one, ${lanes} at once`, whole(one), timesOf(ones)),
      row(`in batches of ${inBatch}, ${lanesOfBatches} at once`, whole(batch), timesOf(batches)),
      row('one by one, open loop', whole(half), open),
      row('publish to verdict, open loop', whole(half), published),
    ],
    notes: [
      `${rounds} rounds of ${inRound} evaluations; the client is a process of its own`,
      'a log in a file, the stages in the process of the server; three facts an evaluation',
    ],
    targets: [
      { claim: `${whole(wanted.one)} a second`, met: one >= wanted.one, figures: whole(one) },
      {
        claim: `${whole(wanted.batch)} a second in batches`,
        met: batch >= wanted.batch,
        figures: whole(batch),
      },
      {
        claim: 'p99 at most twice that of publish to verdict',
        met: tail <= 2,
        figures: tail.toFixed(1),
      },
    ],
  }
}
