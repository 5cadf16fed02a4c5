// The demo from its seed to its table. A second run begins a new log; Ctrl-C ends the conversations
// under way after their present step, and what was played so far is in the log and in the table.
import { configuration } from '#runtime/wiring/config'
import { join } from 'node:path'
import { Fault } from '#core/kernel/fault'
import { change } from '#runtime/authoring/change'
import { findLog, isRemote } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { packageRoot } from '../opening/package-root.ts'
import { seedFolder } from '#runtime/authoring/seed'
import { connect } from '#services/client/connect'
import { policyAdmin, answerReviews, newCast, principalsOf, type Cast } from '#services/demo/cast'
import { play } from '#services/demo/player'
import { readRecording, type Recording } from '#services/demo/recording'
import { count, newScore, type Score } from '#services/demo/score'
import { exitCodes } from '#schemas/faults/exit'
import { note, print, printJson } from '../terminal/terminal.ts'
import { scoreLines } from './print.ts'
import { venueHere, type Venue } from '#services/demo/venue'

export interface DemoOptions {
  readonly data?: string
  readonly json?: boolean
  readonly fleet: number
  readonly log?: string
}

const fleetMax = 256
/** As many principals as surely fit one change set. */
const operationsMax = 256

export async function demo(options: DemoOptions): Promise<number> {
  const seed = join(packageRoot(), 'seeds', 'airline')
  if (!Number.isInteger(options.fleet) || options.fleet < 1 || options.fleet > fleetMax) {
    throw new Fault('usage', `--fleet takes a whole number from 1 to ${fleetMax}`)
  }
  const recording = await readRecording(options.data ?? seed)
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  process.once('SIGINT', stop)
  const began = performance.now()
  const venue = await venueOf(options)
  const { runtime } = venue
  try {
    const cast = newCast()
    await seedAirline(runtime, cast, seed, recording)
    const score = newScore()
    const progress = options.json === true ? noProgress : progressLine(recording)
    const playing = { runtime, cast, recording, score, progress, fleet: options.fleet }
    await Promise.race([playAll(playing, abort.signal), venue.broken])
    progress.end()
    const seconds = (performance.now() - began) / 1_000
    const facts = runtime.follower.state.position
    const replayed = await venue.drain()
    const { realm, further } = venue
    const interrupted = abort.signal.aborted
    const { conversations } = recording
    const table = { score, seconds, facts, further, interrupted, conversations, replayed }
    const differences = replayed?.report.differences ?? 0
    if (options.json !== true) await print(scoreLines(table))
    else await printJson(realm === null ? score : { ...score, realm, differences })
    return differences === 0 ? exitCodes.yes : exitCodes.differs
  } finally {
    process.off('SIGINT', stop)
    await venue.close()
  }
}

async function venueOf({ log }: DemoOptions): Promise<Venue> {
  if (log === undefined || !isRemote({ url: log, folder: null })) return venueHere(log)
  // The drivers of a server are loaded only where there is one.
  return (await import('#services/demo/venue-nats')).venueOnNats(findLog(log, configuration()))
}

async function seedAirline(
  runtime: Runtime,
  cast: Cast,
  seed: string,
  recording: Recording,
): Promise<void> {
  const author = { id: policyAdmin, privateKey: cast.keys.get(policyAdmin) ?? '' }
  await seedFolder(runtime, seed, { author })
  const operations = principalsOf(cast, recording.conversations)
  for (let from = 0; from < operations.length; from += operationsMax) {
    const some = operations.slice(from, from + operationsMax)
    await change(runtime, { kind: 'catalog', operations: some }, author)
  }
}

interface Playing {
  readonly runtime: Runtime
  readonly cast: Cast
  readonly recording: Recording
  readonly score: Score
  readonly progress: Progress
  readonly fleet: number
}

async function playAll(playing: Playing, signal: AbortSignal): Promise<void> {
  const { runtime, cast, recording, score, progress, fleet } = playing
  const client = await connect({ runtime })
  const stopAnswering = answerReviews(client, cast)
  const left = [...recording.conversations]
  const one = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const conversation = next
      await play(
        runtime,
        cast,
        conversation,
        (played) => count(score, recording, conversation, played),
        signal,
      )
      if (signal.aborted) return
      progress.step()
    }
  }
  await Promise.all(Array.from({ length: fleet }, one))
  stopAnswering()
}

interface Progress {
  step(): void
  end(): void
}

const noProgress: Progress = { step: () => undefined, end: () => undefined }

// One line that is written over on a terminal, and a line a quarter where it is not one.
function progressLine({ conversations }: Recording): Progress {
  const total = conversations.length
  const { stderr } = process
  let done = 0
  return {
    step: () => {
      done += 1
      const line = `playing: ${done} of ${total} conversations`
      if (stderr.isTTY) stderr.write(`\r${line}`)
      else if (done % Math.max(1, Math.ceil(total / 4)) === 0) note(line)
    },
    end: () => {
      if (stderr.isTTY) stderr.write('\n')
    },
  }
}
