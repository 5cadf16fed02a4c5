// Measures how many verdicts a second a replay derives again from a log in SQLite, against the
// driver alone reading the same facts and parsing them as JSON, in turn in one run.
import { join } from 'node:path'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import { replay } from '#runtime/replay/replay'
import { stages } from '#services/stages'
import { answerAll, deploy, inFolder, messages } from '../nats/deployment.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'
import { readSeconds } from './raw.ts'

const intents = 100_000
const rounds = 3
const derivedMin = 50_000

interface Measured {
  readonly verdicts: number
  readonly derived: number
  readonly facts: number
  readonly plainFacts: number
}

export function benchReplay(): Promise<Report> {
  return inFolder(async (folder) => {
    const path = join(folder, 'log.db')
    const deployment = await deploy(path)
    await answerAll(deployment, messages(deployment, intents), 512)
    await deployment.runtime.stop()
    const measured: Measured[] = []
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const one = await measure(path)
      if (round > 0) measured.push(one)
    }
    return reportOf(measured)
  })
}

async function measure(path: string): Promise<Measured> {
  const plainSeconds = readSeconds(path)
  const log = await sqliteLog(path)
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  const start = performance.now()
  const place = { realm: 'main', era: 1 }
  const report = await replay({ log, place, rootKey: null, stages, callbacks })
  const seconds = (performance.now() - start) / 1_000
  await log.close()
  await callbacks.close()
  const { facts, derived, differences } = report
  assert(differences === 0 && derived === 2 * intents, 'all is derived again, to the byte')
  return {
    verdicts: intents / seconds,
    derived: derived / seconds,
    facts: facts / seconds,
    plainFacts: facts / plainSeconds,
  }
}

function reportOf(measured: readonly Measured[]): Report {
  const verdicts = measured.map((one) => one.verdicts)
  const derived = measured.map((one) => one.derived)
  const ratios = measured.map(({ facts, plainFacts }) => facts / plainFacts)
  return {
    title: `replay of ${whole(intents)} intents`,
    head: ['verdicts/s', 'derived facts/s', 'facts/s', 'plain facts/s', 'of plain'],
    rows: [
      [
        spread(verdicts, whole),
        whole(median(derived)),
        whole(median(measured.map(({ facts }) => facts))),
        whole(median(measured.map(({ plainFacts }) => plainFacts))),
        spread(ratios, fixed(2)),
      ],
    ],
    notes: [
      `${rounds} rounds; derived are the grounding and the verdict of each intent, to the byte`,
      'plain is the driver alone reading the same facts in order, and JSON.parse of each',
    ],
    targets: [
      {
        claim: `${whole(derivedMin)} derived verdicts a second at least`,
        met: median(verdicts) >= derivedMin,
        figures: `${whole(median(verdicts))}/s, ${whole(median(derived))} derived facts/s`,
      },
    ],
  }
}
