// Makes a log in a file and replays it with so many threads as each word says, one report a line;
// `killed` has threads that end without a word.
import { dirname } from 'node:path'
import { replayOnCores } from '#cli/run/replay/on-cores'
import { sqliteLog } from '#log/sqlite/log'
import type { Log } from '#ports/log'
import type { Progress } from '#runtime/reporting/progress'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { stages } from '#workers/stages'
import { messagesIn, readingBy } from '../../support/intents.ts'
import { testRuntime } from '../../support/runtime.ts'

const agents = Array.from({ length: 16 }, (_, index) => `bot${index}`)
const intents = 4_200

async function filled(path: string): Promise<void> {
  const log = await sqliteLog(path)
  const { runtime } = await testRuntime({ log, ...readingBy(agents) })
  let decided = 0
  const done = new Promise<void>((resolve) => {
    runtime.follower.listen((_, { parts }) => {
      if (parts?.kind !== 'verdict') return
      decided += 1
      if (decided === intents) resolve()
    })
  })
  for (const entry of messagesIn(runtime.place, intents, { agents })) await log.append(entry)
  await done
  await runtime.stop()
}

async function report(log: Log, path: string, word: string): Promise<unknown> {
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  const far: Progress[] = []
  const place = { realm: 'main', era: 1 }
  const progress = (one: Progress): void => void far.push(one)
  const options = { log, place, rootKey: null, stages, callbacks, cells: null, progress }
  const entry = new URL('data:text/javascript,process.exit(0)')
  const how = word === 'killed' ? { threads: 2, entry } : { threads: Number(word) }
  try {
    const found = await replayOnCores(
      options,
      { file: path, folder: dirname(path) },
      { ...how, factsMin: 1_000 },
    )
    const isWhole = far.every(({ done, total }) => total !== null && done <= total)
    return { report: found, isWhole, shown: far.length > 0 }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : 'unknown' }
  } finally {
    await callbacks.close()
  }
}

const [path = '', ...words] = process.argv.slice(2)
await filled(path)
const log = await sqliteLog(path)
for (const word of words) process.stdout.write(`${JSON.stringify(await report(log, path, word))}\n`)
await log.close()
