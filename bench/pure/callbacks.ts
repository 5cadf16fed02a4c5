// Measures real work, the airline's recorded conversations with their sessions, signed evidence and
// callbacks, against synthetic intents that need none of it: facts derived again by a replay, and
// facts derived while it happens, in turn in one run.
import { join } from 'node:path'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import type { Callbacks } from '#ports/callbacks'
import { replay } from '#runtime/replay/replay'
import { stages } from '#services/stages'
import { airlineCallbacks, playedAirline, saidAgain, spokenIn } from '../embedded/airline.ts'
import { answerAll, deploy, inFolder, messages } from '../nats/deployment.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'

const intents = 5_000
const outstanding = 100
const rounds = 7
const ratioMin = 1 / 5

/** Of each round, a second. */
interface Rates {
  readonly real: number[]
  readonly synthetic: number[]
}

export function benchCallbacks(): Promise<Report> {
  return inFolder(async (folder) => {
    const path = join(folder, 'log.db')
    const deployment = await deploy(path)
    await answerAll(deployment, messages(deployment, intents), outstanding)
    await deployment.runtime.stop()
    const airline = playedAirline(folder)
    const spoken = await spokenIn(airline)
    const callbacks = airlineCallbacks(airline)
    const replayed: Rates = { real: [], synthetic: [] }
    const started: Rates = { real: [], synthetic: replayed.synthetic }
    const live: Rates = { real: [], synthetic: [] }
    // The first rounds warm up and are not counted.
    for (let round = -2; round < rounds; round += 1) {
      const paths = { real: join(folder, `real${round}.db`), other: join(folder, `${round}.db`) }
      const fresh = airlineCallbacks(airline)
      const found = {
        real: await derivedRate(airline, callbacks),
        started: await derivedRate(airline, fresh),
        synthetic: await derivedRate(folder, callbacks),
        live: await saidAgain(spoken, { path: paths.real, callbacks: airlineCallbacks(airline) }),
        syntheticLive: await answeredRate(paths.other),
      }
      await fresh.close()
      if (round < 0) continue
      replayed.real.push(found.real)
      replayed.synthetic.push(found.synthetic)
      started.real.push(found.started)
      live.real.push(found.live)
      live.synthetic.push(found.syntheticLive)
    }
    await callbacks.close()
    return reportOf({ replayed, started, live })
  })
}

/** Facts derived again a second. */
async function derivedRate(folder: string, callbacks: Callbacks): Promise<number> {
  const log = await sqliteLog(join(folder, 'log.db'))
  const start = performance.now()
  const place = { realm: 'main', era: 1 }
  const { derived, differences } = await replay({ log, place, rootKey: null, stages, callbacks })
  const seconds = (performance.now() - start) / 1_000
  await log.close()
  assert(differences === 0 && derived > 0, 'all is derived again, to the byte')
  return derived / seconds
}

/** Facts derived a second, with as many outstanding as there are conversations at once. */
async function answeredRate(path: string): Promise<number> {
  const deployment = await deploy(path)
  const entries = [...messages(deployment, intents)]
  const start = performance.now()
  await answerAll(deployment, entries, outstanding)
  const seconds = (performance.now() - start) / 1_000
  await deployment.runtime.stop()
  // A grounding and a verdict each.
  return (2 * intents) / seconds
}

interface Measured {
  readonly replayed: Rates
  /** The same, with a callback thread that is started for it. */
  readonly started: Rates
  readonly live: Rates
}

function reportOf({ replayed, started, live }: Measured): Report {
  const rows = (what: string, { real, synthetic }: Rates): string[] => [
    what,
    spread(real, whole),
    spread(synthetic, whole),
    spread(ratiosOf({ real, synthetic }), fixed(2)),
  ]
  return {
    title: 'real work: sessions, signed evidence, callbacks',
    head: ['a second', 'the airline', `${whole(intents)} synthetic intents`, 'of synthetic'],
    rows: [
      rows('facts derived again', replayed),
      rows('the same, a thread started for it', started),
      rows('facts derived while it happens', live),
    ],
    notes: [`${rounds} rounds in turn; while it happens, ${outstanding} conversations at once`],
    targets: [
      targetOf('a replay derives at least a fifth of the synthetic rate', replayed),
      targetOf('while it happens, at least a fifth of the synthetic rate', live),
    ],
  }
}

function ratiosOf({ real, synthetic }: Rates): number[] {
  return real.map((one, round) => one / (synthetic[round] ?? 1))
}

function targetOf(claim: string, rates: Rates): Report['targets'][number] {
  const ratio = median(ratiosOf(rates))
  return { claim, met: ratio >= ratioMin, figures: `${ratio.toFixed(2)} of it` }
}
