// Measures a replay of the airline's recorded work, with its sessions and callbacks, against a
// replay of synthetic intents that need neither: derived facts a second, in turn in one run.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { sqliteLog } from '#adapters/log/sqlite'
import { assert } from '#core/fault'
import { loadModule } from '#runtime/callback-store'
import { packageRoot } from '#runtime/package-root'
import { replay } from '#runtime/replay'
import { stages } from '#services/stages'
import { answerAll, deploy, inFolder, messages } from './deployment.ts'
import { fixed, median, spread, whole, type Report } from './figures.ts'

const intents = 5_000
const rounds = 7
const ratioMin = 1 / 5

export function benchCallbacks(): Promise<Report> {
  return inFolder(async (folder) => {
    const path = join(folder, 'log.db')
    const deployment = await deploy(path)
    await answerAll(deployment, messages(deployment, intents), 512)
    await deployment.runtime.stop()
    const airline = played(folder)
    const real: number[] = []
    const synthetic: number[] = []
    // The first rounds warm up and are not counted.
    for (let round = -2; round < rounds; round += 1) {
      const [one, other] = [await derivedRate(airline), await derivedRate(folder)]
      if (round < 0) continue
      real.push(one)
      synthetic.push(other)
    }
    return reportOf(real, synthetic)
  })
}

/** The folder of a new log with all conversations of the airline, as the demo plays them. */
function played(folder: string): string {
  const root = packageRoot()
  const airline = join(folder, 'airline')
  const program = join(root, 'services', 'cli', 'main.ts')
  const args = [...process.execArgv, program, 'demo', '--log', airline, '--json']
  execFileSync(process.execPath, args, { cwd: root, stdio: 'ignore' })
  return airline
}

/** Derived facts a second. */
async function derivedRate(folder: string): Promise<number> {
  const log = await sqliteLog(join(folder, 'log.db'))
  const callbacks = threadCallbacks((digest) => loadModule(folder, digest))
  const start = performance.now()
  const place = { realm: 'main', era: 1 }
  const { derived, differences } = await replay({ log, place, rootKey: null, stages, callbacks })
  const seconds = (performance.now() - start) / 1_000
  await log.close()
  await callbacks.close()
  assert(differences === 0 && derived > 0, 'all is derived again, to the byte')
  return derived / seconds
}

function reportOf(real: readonly number[], synthetic: readonly number[]): Report {
  const ratios = real.map((one, round) => one / (synthetic[round] ?? 1))
  const ratio = median(ratios)
  return {
    title: 'replay of real work: sessions, signed evidence, callbacks',
    head: ['log', 'derived facts/s', 'of synthetic'],
    rows: [
      ['the airline', spread(real, whole), spread(ratios, fixed(2))],
      [`${whole(intents)} synthetic intents`, spread(synthetic, whole), ''],
    ],
    notes: [`${rounds} rounds in turn; each starts its own threads and compiles its own module`],
    targets: [
      {
        claim: 'at least a fifth of the synthetic rate',
        met: ratio >= ratioMin,
        figures: `${ratio.toFixed(2)} of it`,
      },
    ],
  }
}
