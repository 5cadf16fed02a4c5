// Measures how long an agent waits from publishing to its verdict on a NATS server, open loop,
// against three bare legs of the library: publishes that are awaited, and queues between them.
import { answerAll, messages } from './deployment.ts'
import { fixed, median, quantile, spread, type Report } from '../figures.ts'
import { openLoop, pipelineOf, type Pipeline } from '../embedded/latency.ts'
import { openRaw, rawPipeline } from './raw.ts'
import { deployThere, makeLogOn, makeStreamOn, onServer, rawPlace } from './server.ts'

const rates = [200, 1_000, 2_000]
const rounds = 5
const secondsEach = 2
const warmUpCount = 6_000
const judgedRate = 1_000
const p50Max = 1.5
const p99Max = 2

interface Times {
  readonly p50: number
  readonly p99: number
}

interface Measured {
  readonly rate: number
  readonly ours: Times
  readonly bare: Times
}

export function benchNatsLatency(): Promise<Report> {
  return onServer({}, async (server) => {
    await makeLogOn(server)
    await makeStreamOn(server, rawPlace)
    const deployment = await deployThere(server)
    const raw = await openRaw(server.url)
    const ours = pipelineOf(deployment)
    const bare = await rawPipeline(raw, server.url)
    await answerAll(deployment, messages(deployment, warmUpCount), 256)
    const run = async (pipeline: Pipeline, rate: number): Promise<Times> => {
      const entries = [...messages(deployment, rate * secondsEach)]
      const times = await openLoop(pipeline, entries, rate)
      return { p50: median(times), p99: quantile(times, 0.99) }
    }
    const measured: Measured[] = []
    // The first round warms up both and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (const rate of rates) {
        const one = { rate, ours: await run(ours, rate), bare: await run(bare, rate) }
        if (round > 0) measured.push(one)
      }
    }
    await raw.connection.close()
    await deployment.runtime.stop()
    return reportOf(measured)
  })
}

function reportOf(measured: readonly Measured[]): Report {
  const found = rates.map((rate) => measured.filter((one) => one.rate === rate))
  const judged = found[rates.indexOf(judgedRate)] ?? []
  return {
    title: 'publish to verdict on NATS, milliseconds',
    head: ['intents a second', 'p50', 'three legs', 'ratio', 'p99', 'three legs', 'ratio'],
    rows: found.map((of) => [`${of[0]?.rate}`, ...figures(of, 'p50'), ...figures(of, 'p99')]),
    notes: [
      `open loop, ${rounds} rounds of ${secondsEach} s in turn; the median of the rounds`,
      'three legs are the library alone: each passes the message on as it came, and is through',
      'when the third publish is acknowledged',
    ],
    targets: [targetOf(judged, 'p50', p50Max), targetOf(judged, 'p99', p99Max)],
  }
}

function figures(of: readonly Measured[], which: keyof Times): readonly string[] {
  return [
    median(of.map(({ ours }) => ours[which])).toFixed(2),
    median(of.map(({ bare }) => bare[which])).toFixed(2),
    spread(ratios(of, which), fixed(2)),
  ]
}

function ratios(of: readonly Measured[], which: keyof Times): readonly number[] {
  return of.map(({ ours, bare }) => ours[which] / bare[which])
}

function targetOf(
  of: readonly Measured[],
  which: keyof Times,
  ratioMax: number,
): Report['targets'][number] {
  const ratio = median(ratios(of, which))
  return {
    claim: `${which} at most ${ratioMax} times the three legs, at ${judgedRate} a second`,
    met: ratio <= ratioMax,
    figures: ratio.toFixed(2),
  }
}
