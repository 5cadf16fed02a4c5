// How many verdicts a second a replay derives again from a log in SQLite, against the driver alone
// reading the same facts and parsing them as JSON.
import { join } from 'node:path'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { sqliteLog } from '#log/sqlite/log'
import { assert } from '#record/fault'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { place } from '../../test/support/scene.ts'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { atLeast, inRounds, sized, timed, type Bench } from '../harness.ts'
import { readSeconds } from './raw.ts'

const intents = sized(100_000)
const rounds = 3

const plain = 'the driver reads, JSON.parse'
const [derived, read] = ['a replay derives again', 'facts that it reads for it']

export const bench: Bench = {
  title: 'Replay',
  run: () =>
    inFolder(async (folder) => {
      const path = join(folder, 'log.db')
      const runtime = await deploy(path)
      await answerAll(runtime, messages(runtime, intents), 512)
      await runtime.stop()
      const ran = await inRounds(rounds, async () => {
        const plainSeconds = readSeconds(path)
        const { facts, seconds } = await replayed(path)
        const rates = { [read]: facts / seconds, [plain]: facts / plainSeconds }
        return { ...rates, [derived]: intents / seconds }
      })
      return [
        ran.figure(derived, 'verdicts/s', { aims: atLeast(50_000) }),
        ran.figure(read, 'facts/s', { against: plain }),
      ]
    }),
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
