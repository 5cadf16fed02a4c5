// Measures how many verdicts a second a replay derives again from a log in SQLite, against the
// driver alone reading the same facts and parsing them as JSON, in turn in one run.
import { join } from 'node:path'
import { assert } from '#core/fault'
import { replay } from '#runtime/replay'
import { stages } from '#services/stages'
import { answerAll, deploy, inFolder, messages } from './deployment.ts'
import { fixed, median, spread, whole, type Report } from './figures.ts'
import { readSeconds } from './raw.ts'

const intents = 100_000
const rounds = 3
const derivedMin = 50_000

export function benchReplay(): Promise<Report> {
  return inFolder(async (folder) => {
    const path = join(folder, 'log.db')
    const deployment = await deploy(path)
    const { runtime } = deployment
    await answerAll(deployment, messages(deployment, intents), 512)
    const measured: { derived: number; plain: number; facts: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const plain = readSeconds(path)
      const start = performance.now()
      const { log, place, callbacks } = runtime
      const report = await replay({ log, place, rootKey: null, stages, callbacks })
      const seconds = (performance.now() - start) / 1_000
      assert(report.differences === 0, 'the replay finds no difference')
      const { facts } = report
      const derived = report.derived / seconds
      // The first round warms up and is not counted.
      if (round > 0) measured.push({ derived, plain: facts / plain, facts: facts / seconds })
    }
    await runtime.stop()
    return reportOf(measured)
  })
}

function reportOf(measured: readonly { derived: number; plain: number; facts: number }[]): Report {
  const derived = measured.map((one) => one.derived)
  const ratios = measured.map(({ facts, plain }) => facts / plain)
  return {
    title: 'replay',
    head: ['log', 'derived/s', 'facts/s', 'plain facts/s', 'of plain'],
    rows: [
      [
        `${whole(intents)} intents`,
        spread(derived, whole),
        whole(median(measured.map(({ facts }) => facts))),
        whole(median(measured.map(({ plain }) => plain))),
        spread(ratios, fixed(2)),
      ],
    ],
    notes: [
      `${rounds} rounds; a plain allow is two derived facts, its grounding and its verdict`,
      'plain is the driver alone reading the same facts in order and JSON.parse of each',
    ],
    targets: [
      {
        claim: `${whole(derivedMin)} derived facts a second at least`,
        met: median(derived) >= derivedMin,
        figures: `${whole(median(derived))}/s, ${median(ratios).toFixed(2)} of plain parsing`,
      },
    ],
  }
}
