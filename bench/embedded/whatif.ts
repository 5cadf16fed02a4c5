// Measures how many recorded intents a second `whatif` derives twice, by the catalog of the log and
// by one with more conditions, against a replay of the same log, in turn in one run.
import { join } from 'node:path'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { sqliteLog } from '#adapters/sqlite/log'
import type { Catalog } from '#core/catalog/catalog'
import { catalogFromFile, catalogToFile } from '#core/catalog/catalog-file'
import { assert } from '#core/kernel/fault'
import type { Graph } from '#core/graph/revision'
import type { Entry } from '#ports/log'
import { replay } from '#runtime/replay/replay'
import { whatIfHistory, type HistoryOptions } from '#runtime/replay/what-if/history'
import { stages } from '#services/stages'
import { fixed, median, spread, whole, type Report } from '../figures.ts'
import { answerAll, deploy, inFolder, messages, type Deployment } from '../nats/deployment.ts'

const intents = 20_000
const inSession = 10
const rounds = 3
const intentsMin = 5_000
const place = { realm: 'main', era: 1 }

/** One that flips a tenth, one that holds for all, one that reads the session. */
const conditions = [
  { name: 'line', when: 'args.line % 10 == 0', effect: 'deny' },
  { name: 'hours', when: "now.getHours('Europe/Berlin') >= 0", effect: 'require' },
  { name: 'said', when: "session.evidence.exists(e, e.sender == 'polite')", effect: 'deny' },
]

interface Written {
  readonly path: string
  readonly before: { readonly graph: Graph; readonly catalog: Catalog }
}

export function benchWhatIf(): Promise<Report> {
  return inFolder(async (folder) => {
    const alone = await written(join(folder, 'alone.db'), (to) => messages(to, intents))
    const sessions = await written(join(folder, 'sessions.db'), sessionsOf)
    const rows = [await measured('alone', alone), await measured('in sessions of ten', sessions)]
    return reportOf(rows)
  })
}

function* sessionsOf(deployment: Deployment): Generator<Entry> {
  for (let index = 0; index < intents / inSession; index += 1) {
    const session = `S-2026-01-01-bench-${String(index).padStart(6, '0')}`
    yield* messages(deployment, inSession, session, [`bot${index % 8}`])
  }
}

async function written(
  path: string,
  entries: (deployment: Deployment) => Iterable<Entry>,
): Promise<Written> {
  const deployment = await deploy(path)
  await answerAll(deployment, entries(deployment), 128)
  const { graph, catalog } = deployment.runtime.follower.state
  await deployment.runtime.stop()
  return { path, before: { graph, catalog } }
}

type Reading = Parameters<typeof replay>[0] & Pick<HistoryOptions, 'callbacks' | 'log'>

interface Measured {
  readonly what: string
  readonly perSecond: readonly number[]
  readonly ofReplay: readonly number[]
}

async function measured(what: string, of: Written): Promise<Measured> {
  const perSecond: number[] = []
  const ofReplay: number[] = []
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const replaySeconds = await secondsOf(of, replayed)
    const seconds = await secondsOf(of, tried)
    if (round === 0) continue
    perSecond.push(intents / seconds)
    ofReplay.push(replaySeconds / seconds)
  }
  return { what, perSecond, ofReplay }
}

async function secondsOf(
  of: Written,
  run: (reading: Reading, of: Written) => Promise<void>,
): Promise<number> {
  const log = await sqliteLog(of.path)
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  const start = performance.now()
  await run({ log, place, rootKey: null, stages, callbacks }, of)
  const seconds = (performance.now() - start) / 1_000
  await log.close()
  await callbacks.close()
  return seconds
}

async function replayed(reading: Reading): Promise<void> {
  const { derived, differences } = await replay(reading)
  assert(differences === 0 && derived === 2 * intents, 'all is derived again, to the byte')
}

async function tried(reading: Reading, { before }: Written): Promise<void> {
  const { catalog, refused } = catalogFromFile({ ...catalogToFile(before.catalog), conditions })
  assert(refused === undefined, 'the conditions are sound')
  const after = { graph: before.graph, catalog }
  let flips = 0
  const report = await whatIfHistory({ ...reading, before, after }, ({ isFlip }) => {
    if (isFlip) flips += 1
  })

  assert(report.tried === intents && flips > 0, 'all are derived, and some flip')
}

function reportOf(measures: readonly Measured[]): Report {
  const slowest = Math.min(...measures.map(({ perSecond }) => median(perSecond)))
  return {
    title: `what-if over ${whole(intents)} intents`,
    head: ['intents', 'intents/s', 'of a replay'],
    rows: measures.map(({ what, perSecond, ofReplay }) => {
      return [what, spread(perSecond, whole), spread(ofReplay, fixed(2))]
    }),
    notes: [`${rounds} rounds; three conditions are added, and one of them flips a tenth`],
    targets: [
      {
        claim: `${whole(intentsMin)} intents a second at least`,
        met: slowest >= intentsMin,
        figures: `${whole(slowest)}/s`,
      },
    ],
  }
}
