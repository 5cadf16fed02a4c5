// Real work, the airline's recorded conversations with their sessions, signed evidence and
// callbacks, against synthetic intents that need none of it: derived again by a replay, and
// while it happens.
import { join } from 'node:path'
import { sqliteLog } from '#log/sqlite/log'
import { assert } from '#record/fault'
import type { Callbacks } from '#ports/callbacks'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { place } from '../../test/support/scene.ts'
import { answerAll, deploy, inFolder, messages } from '../deployment.ts'
import { ratioAtLeast, inRounds, sized, timed, type Bench } from '../harness.ts'
import { airlineCallbacks, playedAirline, saidAgain, spokenIn } from './airline.ts'

const intents = sized(5_000)
const outstanding = 100
const rounds = 5

const [again, plainAgain] = ['the airline, by a replay', 'synthetic intents, by a replay']
const [live, plainLive] = ['the airline while it happens', 'synthetic intents as they come']
const aims = ratioAtLeast(0.4)

export const bench: Bench = {
  title: 'Real work: sessions, signed evidence, callbacks',
  run: () =>
    inFolder(async (folder) => {
      await answered(join(folder, 'log.db'))
      const airline = playedAirline(folder)
      const spoken = await spokenIn(airline)
      const callbacks = airlineCallbacks(airline)
      const ran = await inRounds(rounds, async (round) => {
        const paths = { real: join(folder, `real${round}.db`), other: join(folder, `${round}.db`) }
        const fresh = airlineCallbacks(airline)
        return {
          [again]: await derivedRate(airline, callbacks),
          [plainAgain]: await derivedRate(folder, callbacks),
          [live]: await saidAgain(spoken, { path: paths.real, callbacks: fresh }),
          [plainLive]: await answered(paths.other),
        }
      })
      await callbacks.close()
      return [
        ran.figure(again, 'derived facts/s', { against: plainAgain, aims }),
        ran.figure(live, 'derived facts/s', { against: plainLive, aims }),
      ]
    }),
}

/** Facts derived again a second. */
async function derivedRate(folder: string, callbacks: Callbacks): Promise<number> {
  const log = await sqliteLog(join(folder, 'log.db'))
  let count = 0
  const ms = await timed(async () => {
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    assert(report.differences === 0 && report.derived > 0, 'all is derived again, to the byte')
    count = report.derived
  })
  await log.close()
  return (count * 1_000) / ms
}

/** Facts derived a second, with as many outstanding as there are conversations at once. */
async function answered(path: string): Promise<number> {
  const runtime = await deploy(path)
  const entries = [...messages(runtime, intents)]
  const ms = await timed(() => answerAll(runtime, entries, outstanding))
  await runtime.stop()
  // A grounding and a verdict each.
  return (2 * intents * 1_000) / ms
}
