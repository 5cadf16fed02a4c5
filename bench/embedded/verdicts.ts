// Measures verdicts a second, with the log and all three stages in one process, against the driver
// alone inserting the very same three rows a verdict, round by round in one run.
import { join } from 'node:path'
import { median, spread, whole, fixed, type Report } from '../figures.ts'
import type { Warrant } from '#services/client/warrant'
import { connect } from '#services/client/connect'
import {
  answerAll,
  crowd,
  deploy,
  factsAbout,
  inFolder,
  intentOf,
  messages,
  type Deployment,
} from '../nats/deployment.ts'
import { insertRate, type Row } from './raw.ts'

const rounds = 5
const count = 8_000
const hundred = 100
const perSecondMin = 5_000
const ratioMin = 1 / 3

interface Side {
  readonly what: string
  readonly outstanding: number
  readonly run: (deployment: Deployment, outstanding: number) => Promise<number>
}

const sides: readonly Side[] = [
  { what: 'messages from elsewhere', outstanding: 256, run: published },
  { what: 'messages from elsewhere', outstanding: 1_000, run: published },
  { what: 'client.ask in this process', outstanding: 256, run: asked },
  { what: 'client.ask in this process', outstanding: 1_000, run: asked },
]

/** Agents are other processes in real life: their messages are bytes already. */
async function published(deployment: Deployment, outstanding: number): Promise<number> {
  const entries = [...messages(deployment, count)]
  const start = performance.now()
  await answerAll(deployment, entries, outstanding)
  return seconds(start)
}

async function asked({ runtime }: Deployment, outstanding: number): Promise<number> {
  const agents = await Promise.all(crowd.map((as) => connect({ as, runtime })))
  let next = 0
  const lane = async (agent: Warrant): Promise<void> => {
    for (let index = next++; index < count; index = next++) await agent.ask(intentOf(index))
  }
  const start = performance.now()
  const perAgent = Array.from({ length: outstanding / agents.length })
  await Promise.all(agents.flatMap((agent) => perAgent.map(() => lane(agent))))
  return seconds(start)
}

interface Ran {
  readonly perSecond: number
  readonly rows: readonly Row[]
  /** Facts a transaction, in the middle. */
  readonly group: number
}

async function runSide({ run, outstanding }: Side, path: string): Promise<Ran> {
  const deployment = await deploy(path)
  const { position } = deployment.runtime.follower.state
  const took = await run(deployment, outstanding)
  const rows = await factsAbout(deployment, position + 1)
  await deployment.runtime.stop()
  // Facts of one transaction have one time, and hardly two transactions fall in one millisecond.
  const transactions = new Set(rows.map(({ appendedAt }) => appendedAt)).size
  return { perSecond: count / took, rows, group: Math.round(rows.length / transactions) }
}

interface Measured {
  readonly side: Side
  readonly group: number
  readonly perSecond: number
  /** Verdicts a second that the driver alone would make of it, in groups of as many facts. */
  readonly alikePerSecond: number
  readonly hundredPerSecond: number
}

// All sides of a round are measured within seconds of each other, the driver beside each of them.
async function measureSide(side: Side, folder: string, round: number): Promise<Measured> {
  const path = (name: string): string => join(folder, `${name}-${round}-${side.outstanding}.db`)
  const { perSecond, rows, group } = await runSide(side, path(side.run.name))
  const raw = (name: string, size: number): number => insertRate(path(name), rows, size) / 3
  const [alikePerSecond, hundredPerSecond] = [raw('alike', group), raw('hundred', hundred)]
  return { side, group, perSecond, alikePerSecond, hundredPerSecond }
}

export async function benchVerdicts(): Promise<Report> {
  const measured: Measured[] = []
  // The first round warms up the process and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const one = await inFolder((folder) => measureSide(side, folder, round))
      if (round > 0) measured.push(one)
    }
  }
  const found = sides.map((side) => measured.filter((one) => one.side === side))
  return {
    title: 'verdicts a second',
    head: [
      'publishing',
      'outstanding',
      'verdicts/s',
      'facts a commit',
      'driver alike/s',
      'driver by 100/s',
      'of alike',
      'of 100',
    ],
    rows: found.map(rowOf),
    notes: [
      `${rounds} rounds of ${whole(count)} verdicts each, the driver beside every run`,
      'medians, and the extremes; the driver inserts the very same rows, durable at each',
      'commit, with as many facts a commit (alike) or a hundred',
    ],
    targets: targetsOf(found),
  }
}

function rowOf(of: readonly Measured[]): readonly (number | string)[] {
  const { what = '', outstanding = 0 } = of[0]?.side ?? {}
  return [
    what,
    outstanding,
    spread(perSeconds(of), whole),
    whole(median(of.map(({ group }) => group))),
    whole(median(of.map(({ alikePerSecond }) => alikePerSecond))),
    whole(median(of.map(({ hundredPerSecond }) => hundredPerSecond))),
    spread(ratios(of, 'alikePerSecond'), fixed(2)),
    spread(ratios(of, 'hundredPerSecond'), fixed(2)),
  ]
}

// Judged by messages from elsewhere, and against whichever transactions serve the driver better.
function targetsOf(found: readonly (readonly Measured[])[]): Report['targets'] {
  const fromElsewhere = found.filter((of) => of[0]?.side.run === published)
  const best =
    fromElsewhere.toSorted((a, b) => median(perSeconds(b)) - median(perSeconds(a)))[0] ?? []
  const perSecond = median(perSeconds(best))
  const alike = median(ratios(best, 'alikePerSecond'))
  const byHundred = median(ratios(best, 'hundredPerSecond'))
  const ratio = Math.min(alike, byHundred)
  return [
    {
      claim: 'verdicts at a third of the raw rate or better',
      met: ratio >= ratioMin,
      figures: `${ratio.toFixed(2)} of the driver alone, at its better size of transactions`,
    },
    {
      claim: `${whole(perSecondMin)} verdicts a second at least`,
      met: perSecond >= perSecondMin,
      figures: `${whole(perSecond)}/s`,
    },
  ]
}

function perSeconds(of: readonly Measured[]): readonly number[] {
  return of.map(({ perSecond }) => perSecond)
}

function ratios(
  of: readonly Measured[],
  to: 'alikePerSecond' | 'hundredPerSecond',
): readonly number[] {
  return of.map((one) => one.perSecond / one[to])
}

function seconds(start: number): number {
  return (performance.now() - start) / 1000
}
