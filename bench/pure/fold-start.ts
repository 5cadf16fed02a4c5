// A start on a log of many facts in one SQLite file, with a snapshot near its end, against one
// without. Run as a file it is the process that starts.
import { join } from 'node:path'
import { z } from 'zod'
import { assert } from '#record/fault'
import { snapshotsFolder } from '#replay/cache/store'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#wiring/open'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { atMost, cpuOf, inRounds, sized, timed, type Bench } from '../harness.ts'
import { printedHere } from '../process.ts'

const rounds = 3
/** Three facts each. */
const intents = { usual: 50_000, named: 700_000 }
/** After the snapshot, when a process starts again. */
const lateIntents = sized(3_000)

const Started = z.record(z.string(), z.number())
const how = { near: 'from a snapshot', far: 'without one' } as const
type How = keyof typeof how

export const bench: Bench = {
  title: 'Start on a log of many facts',
  run: ({ isNamed }) =>
    inFolder(async (folder) => {
      const path = join(folder, 'log.db')
      const count = sized(isNamed ? intents.named : intents.usual)
      await answered(path, count)
      const without = await started('far', path)
      // This one folds it all once more, and leaves a snapshot.
      await started('near', path)
      await answered(path, lateIntents)
      const ran = await inRounds(rounds, async () => {
        return { ...without, ...(await started('near', path)) }
      })
      const beside = (unit: string) => ({ against: `${how.far}, ${unit}` })
      const soon = atMost(1)
      return [
        ran.figure(`${how.near}, time`, `s, ${3 * count} facts`, beside('time')),
        ran.figure(`${how.near}, CPU`, 's', { ...beside('CPU'), aims: soon }),
        ran.figure(`${how.near}, resident`, 'MB', beside('resident')),
      ]
    }),
}

async function answered(path: string, count: number): Promise<void> {
  const runtime = await deploy(path)
  await answerAll(runtime, messages(runtime, count), 512)
  await runtime.stop()
}

async function started(which: How, path: string): Promise<z.infer<typeof Started>> {
  return Started.parse(JSON.parse(await printedHere(import.meta.filename, [which, path])))
}

/** Opens it as a command does; without snapshots where none are to be used nor written. */
async function startOn(path: string, which: How): Promise<z.infer<typeof Started>> {
  const log = findLog(path, {})
  const snapshots = which === 'near' ? snapshotsFolder(log) : null
  let [ms, stop] = [0, () => Promise.resolve()]
  const cpu = await cpuOf(async () => {
    ms = await timed(async () => {
      const runtime = await openRuntime({ log, snapshots, stages: [] })
      const { state } = runtime.follower
      assert(state.catalogRevision > 0 && state.intents.size === 0, 'it has folded what was made')
      stop = () => runtime.stop()
    })
  })
  await stop()
  const name = how[which]
  return {
    [`${name}, time`]: ms / 1_000,
    [`${name}, CPU`]: cpu / 1e6,
    [`${name}, resident`]: process.memoryUsage().rss / 1e6,
  }
}

const [, program, which, path] = process.argv
if (program === import.meta.filename && path !== undefined) {
  process.stdout.write(JSON.stringify(await startOn(path, which === 'near' ? 'near' : 'far')))
}
