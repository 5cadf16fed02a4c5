// Measures verdicts a second on a NATS server, with all three stages in one process, against the
// library alone publishing the very same three facts a verdict, round by round in one run.
import type { NatsServer } from '../../test/support/servers/nats-server.ts'
import { answerAll, factsAbout, messages, type Deployment } from './deployment.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'
import { openRaw, publishSeconds, type Raw } from './raw.ts'
import { deployThere, makeLogOn, makeStreamOn, onServer, rawPlace } from './server.ts'

const rounds = 5
/** Fewer where each publish of the library by itself waits for the disk. */
const counts = { default: 6_000, always: 3_000 }
const rawOutstanding = 256
const factsEach = 3
const ratioMin = 0.5
const ratioWanted = 1
const durableMin = 3_000

type Sync = keyof typeof counts

interface Side {
  readonly sync: Sync
  readonly outstanding: number
}

const sides: readonly Side[] = [
  { sync: 'default', outstanding: 256 },
  { sync: 'default', outstanding: 1_000 },
  { sync: 'always', outstanding: 256 },
  { sync: 'always', outstanding: 1_000 },
]

interface Measured {
  readonly side: Side
  readonly perSecond: number
  /** Verdicts a second that the library alone would make of it. */
  readonly rawPerSecond: number
  /** Microseconds of this process a verdict, and three bare publishes. */
  readonly cpu: number
  readonly rawCpu: number
}

interface Place {
  readonly deployment: Deployment
  readonly raw: Raw
}

export async function benchNats(): Promise<Report> {
  const measured = await onServer({}, (relaxed) =>
    onServer({ syncAlways: true }, (durable) => measureAll(relaxed, durable)),
  )
  const found = sides.map((side) => measured.filter((one) => one.side === side))
  return {
    title: 'verdicts a second on NATS',
    head: [
      'sync_interval',
      'outstanding',
      'verdicts/s',
      'three publishes/s',
      'ratio',
      'CPU µs a verdict',
      'three publishes',
    ],
    rows: found.map(rowOf),
    notes: [
      `${rounds} rounds, of ${whole(counts.default)} verdicts at the default sync and`,
      `${whole(counts.always)} at always, the library beside every run; medians, and the extremes`,
      `the library publishes the very same facts, ${rawOutstanding} outstanding, into a stream`,
      'configured alike, with no mirror and no queue; CPU is that of this process alone, without',
      'the server',
    ],
    targets: targetsOf(found),
  }
}

async function measureAll(relaxed: NatsServer, durable: NatsServer): Promise<readonly Measured[]> {
  const places: Readonly<Record<Sync, Place>> = {
    default: await placeOn(relaxed),
    always: await placeOn(durable),
  }
  const measured: Measured[] = []
  // The first round warms up the process and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const one = await measureSide(side, places[side.sync])
      if (round > 0) measured.push(one)
    }
  }
  for (const { deployment, raw } of Object.values(places)) {
    await raw.connection.close()
    await deployment.runtime.stop()
  }
  return measured
}

async function placeOn(server: NatsServer): Promise<Place> {
  await makeLogOn(server)
  await makeStreamOn(server, rawPlace)
  return { deployment: await deployThere(server), raw: await openRaw(server.url) }
}

async function measureSide(side: Side, { deployment, raw }: Place): Promise<Measured> {
  const { position } = deployment.runtime.follower.state
  const count = counts[side.sync]
  const entries = [...messages(deployment, count)]
  const ours = await used(() => answerAll(deployment, entries, side.outstanding))
  const facts = await factsAbout(deployment, position + 1)
  const theirs = await used(async () => void (await publishSeconds(raw, facts, rawOutstanding)))
  return {
    side,
    perSecond: count / ours.seconds,
    rawPerSecond: facts.length / factsEach / theirs.seconds,
    cpu: ours.cpu / count,
    rawCpu: theirs.cpu / (facts.length / factsEach),
  }
}

async function used(
  work: () => Promise<void>,
): Promise<{ readonly seconds: number; readonly cpu: number }> {
  const [before, start] = [process.cpuUsage(), performance.now()]
  await work()
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(before)
  return { seconds, cpu: user + system }
}

function rowOf(of: readonly Measured[]): readonly (number | string)[] {
  const { sync = '', outstanding = 0 } = of[0]?.side ?? {}
  return [
    sync,
    outstanding,
    spread(perSeconds(of), whole),
    whole(median(of.map(({ rawPerSecond }) => rawPerSecond))),
    spread(ratios(of), fixed(2)),
    whole(median(of.map(({ cpu }) => cpu))),
    whole(median(of.map(({ rawCpu }) => rawCpu))),
  ]
}

function targetsOf(found: readonly (readonly Measured[])[]): Report['targets'] {
  const bestOf = (sync: Sync, figure: (of: readonly Measured[]) => readonly number[]): number =>
    Math.max(...found.filter((of) => of[0]?.side.sync === sync).map((of) => median(figure(of))))
  const ratio = bestOf('default', ratios)
  const durable = bestOf('always', perSeconds)
  const figures = `${ratio.toFixed(2)} of the library alone, at the default sync`
  return [
    { claim: 'verdicts at half the raw rate or better', met: ratio >= ratioMin, figures },
    { claim: 'verdicts at the raw rate', met: ratio >= ratioWanted, figures },
    {
      claim: `${whole(durableMin)} verdicts a second with every fact synced`,
      met: durable >= durableMin,
      figures: `${whole(durable)}/s`,
    },
  ]
}

function perSeconds(of: readonly Measured[]): readonly number[] {
  return of.map(({ perSecond }) => perSecond)
}

function ratios(of: readonly Measured[]): readonly number[] {
  return of.map(({ perSecond, rawPerSecond }) => perSecond / rawPerSecond)
}
