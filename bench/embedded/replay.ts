// How many verdicts a second a replay derives again from a log in SQLite, against the driver alone
// reading the same facts and parsing them as JSON; and on all cores, against one thread.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { sqliteLog } from '#log/sqlite/log'
import { assert } from '#record/fault'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { place } from '../../test/support/scene.ts'
import { builtFile } from '../../test/support/vitest/built.ts'
import { setup as compile } from '../../test/support/vitest/compile.ts'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { atLeast, inRounds, ratioAtLeast, sized, timed, type Bench } from '../harness.ts'
import { printed } from '../process.ts'
import { readSeconds } from './raw.ts'

const intents = sized(100_000)
const rounds = 3

const plain = 'the driver reads, JSON.parse'
const [derived, read] = ['a replay derives again', 'facts that it reads for it']
const [cores, thread] = ['compiled, a thread for each core', 'compiled, one thread']

/** Threads start from what is compiled; it prints how many milliseconds the replay took. */
function program(): string {
  const from = (path: string): string => JSON.stringify(pathToFileURL(builtFile(path)).href)
  return `
    import { dirname } from 'node:path'
    import { replayOnCores } from ${from('services/cli/run/replay/on-cores.ts')}
    import { sqliteLog } from ${from('shared/log/sqlite/log.ts')}
    import { threadCallbacks } from ${from('shared/runtime/callbacks/thread.ts')}
    import { stages } from ${from('services/workers/stages.ts')}
    const [path, threads] = process.argv.slice(2)
    const log = await sqliteLog(path)
    const callbacks = threadCallbacks(() => Promise.resolve(null))
    const options = { log, place: ${JSON.stringify(place)}, rootKey: null, stages, callbacks }
    const file = { file: path, folder: dirname(path) }
    const began = performance.now()
    const how = threads === 'all' ? {} : { threads: Number(threads) }
    const { differences, derived } = await replayOnCores(options, file, how)
    const ms = performance.now() - began
    process.stdout.write(JSON.stringify({ differences, derived, ms }))
    await callbacks.close()
    await log.close()
  `
}

const Replayed = z.object({ differences: z.literal(0), derived: z.number(), ms: z.number() })

export const bench: Bench = {
  title: 'Replay',
  run: () =>
    inFolder(async (folder) => {
      const path = join(folder, 'log.db')
      const runtime = await deploy(path)
      await answerAll(runtime, messages(runtime, intents), 512)
      await runtime.stop()
      compile()
      const ran = await inRounds(rounds, async () => {
        const plainSeconds = readSeconds(path)
        const { facts, seconds } = await replayed(path)
        const rates = { [read]: facts / seconds, [plain]: facts / plainSeconds }
        const inThreads = {
          [thread]: await compiledRate(path, '1'),
          [cores]: await compiledRate(path, 'all'),
        }
        return { ...rates, ...inThreads, [derived]: intents / seconds }
      })
      return [
        ran.figure(derived, 'verdicts/s', { aims: atLeast(50_000) }),
        ran.figure(read, 'facts/s', { against: plain }),
        ran.figure(cores, 'verdicts/s', { against: thread, aims: ratioAtLeast(1.7) }),
      ]
    }),
}

async function compiledRate(path: string, threads: string): Promise<number> {
  const file = join(dirname(path), 'replay.mjs')
  writeFileSync(file, program())
  const found = Replayed.parse(JSON.parse(await printed([file, path, threads])))
  assert(found.derived === 2 * intents, 'all is derived again, to the byte')
  return (intents * 1_000) / found.ms
}

async function replayed(path: string) {
  const log = await sqliteLog(path)
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  let facts = 0
  const ms = await timed(async () => {
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    const isWhole = report.differences === 0 && report.derived === 2 * intents
    assert(isWhole, 'all is derived again, to the byte')
    facts = report.facts
  })
  await log.close()
  await callbacks.close()
  return { facts, seconds: ms / 1_000 }
}
