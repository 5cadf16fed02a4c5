// The demo from its seed to its table. A second run begins a new log; Ctrl-C ends the conversations
// under way after their present step, and what was played so far is in the log and in the table.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Fault } from '#core/fault'
import { change } from '#runtime/change'
import { openRuntime, type Runtime } from '#runtime/open'
import { packageRoot } from '#runtime/package-root'
import { seedFolder } from '#runtime/seed'
import { connect } from '#services/client/connect'
import { stages } from '#services/stages'
import { administrator, answerReviews, newCast, principalsOf, type Cast } from './cast.ts'
import { play } from './player.ts'
import { readRecording, type Recording } from './recording.ts'
import { count, newScore, type Score } from './score.ts'
import { note, print, printJson } from '../terminal.ts'
import { scoreLines } from './table.ts'

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
    throw new Fault('usage', 'never', `--fleet takes a whole number from 1 to ${fleetMax}`)
  }
  const recording = await readRecording(options.data ?? seed)
  const folder = resolve(options.log ?? join('.warrant', `demo-${stampOf(new Date(Date.now()))}`))
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'log.db')
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  process.once('SIGINT', stop)
  const began = performance.now()
  const runtime = await openRuntime({ log: { url: file, folder }, stages })
  try {
    const cast = newCast()
    await seedAirline(runtime, cast, seed, recording)
    const score = newScore()
    const progress = options.json === true ? noProgress : progressLine(recording)
    await playAll({ runtime, cast, recording, score, progress, fleet: options.fleet }, abort.signal)
    progress.end()
    const seconds = (performance.now() - began) / 1_000
    const facts = runtime.follower.world.position
    const interrupted = abort.signal.aborted
    const table = {
      score,
      seconds,
      facts,
      file,
      interrupted,
      conversations: recording.conversations,
    }
    await (options.json === true ? printJson(score) : print(scoreLines(table)))
  } finally {
    process.off('SIGINT', stop)
    await runtime.stop()
  }
  return 0
}

async function seedAirline(
  runtime: Runtime,
  cast: Cast,
  seed: string,
  recording: Recording,
): Promise<void> {
  const author = { id: administrator, privateKey: cast.keys.get(administrator) ?? '' }
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

function stampOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').replace('.', '-').slice(0, 19)
}
