// The demo from its seed to its table. A second run begins a new log; Ctrl-C ends the sessions
// under way after their present step, and what was played so far is in the log and in the table.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { findLog, isRemote } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { stages } from '#workers/stages'
import { exitCodes } from '#schemas/faults/exit'
import { note, print, printJson } from '#cli/terminal/terminal'
import { comparedVerdicts, type PlayedVerdicts } from './compared-verdicts.ts'
import type { GatewayTally } from './through-gateway.ts'
import { venueApart, venueHere, type Venue } from './venue.ts'
import { airlinePiece } from './airline.ts'
import { officePiece } from './office.ts'
import type { DemoPiece } from './piece.ts'
import { isSound, type Governed } from './print-gateway.ts'
import { workPiece } from './work/piece.ts'

interface DemoOptions {
  readonly seed: keyof typeof pieces
  readonly data?: string
  readonly catalog?: string
  readonly calls?: string
  readonly gateway?: boolean
  /** Whether a console is opened on what was played. */
  readonly console?: boolean
  readonly json?: boolean
  readonly fleet: number
  readonly log?: string
}

const fleetMax = 256
const pieces = { airline: airlinePiece, office: officePiece, work: workPiece }

export async function demo(options: DemoOptions): Promise<number> {
  if (!Number.isInteger(options.fleet) || options.fleet < 1 || options.fleet > fleetMax) {
    throw new Fault('usage', `--fleet takes a whole number from 1 to ${fleetMax}`)
  }
  if (options.seed !== 'office' && (options.catalog ?? options.calls) !== undefined) {
    throw new Fault('usage', '--catalog and --calls are for recordings: add --seed office')
  }
  const piece = await pieces[options.seed](options)
  refuseConsole(options, piece)
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  process.once('SIGINT', stop)
  try {
    const bare = options.gateway === true ? await playedBare(options, abort.signal) : null
    return await played(piece, { options, bare, signal: abort.signal })
  } finally {
    process.off('SIGINT', stop)
  }
}

/** The stages run in this process while the console is open. */
function refuseConsole({ console: isOpened, log }: DemoOptions, piece: DemoPiece): void {
  if (isOpened !== true) return
  const isHere = log === undefined || !isRemote({ url: log, folder: null })
  if (isHere && piece.console !== undefined) return
  throw new Fault('usage', '--console opens on the airline’s work, on a log in a file')
}

/** What is decided without a gateway, on a log that is then removed. */
async function playedBare(options: DemoOptions, signal: AbortSignal): Promise<PlayedVerdicts> {
  const piece = await pieces[options.seed]({ ...options, gateway: false })
  const venue = await venueApart()
  try {
    await piece.seed(venue.runtime)
    await playAll(venue.runtime, { piece, progress: noProgress, fleet: options.fleet }, signal)
    return piece.verdicts
  } finally {
    await venue.close()
  }
}

interface DemoRun {
  readonly options: DemoOptions
  /** The verdicts without a gateway; null where none is played. */
  readonly bare: PlayedVerdicts | null
  readonly signal: AbortSignal
}

async function played(piece: DemoPiece, { options, bare, signal }: DemoRun): Promise<number> {
  const began = performance.now()
  const venue = await venueOf(options, piece)
  const { runtime } = venue
  try {
    await piece.seed(runtime)
    const progress = options.json === true ? noProgress : progressLine(piece)
    const playing = { piece, progress, fleet: options.fleet }
    const tally = await Promise.race([playAll(runtime, playing, signal), venue.broken])
    progress.end()
    const seconds = (performance.now() - began) / 1_000
    const facts = runtime.follower.state.position
    const replayed = await venue.drain()
    const { realm, further } = venue
    const interrupted = signal.aborted
    const differences = replayed?.report.differences ?? 0
    const governed: Governed | null =
      tally === null || bare === null
        ? null
        : { verdicts: comparedVerdicts(bare, piece.verdicts), ...tally }
    if (options.json !== true) {
      const shown = { seconds, facts, further, interrupted, replayed, governed }
      await print(piece.lines(shown))
    } else {
      const gateway = governed === null ? {} : { gateway: governed }
      const json = { ...piece.json(), ...gateway }
      await printJson(realm === null ? json : { ...json, realm, differences })
    }
    if (options.console === true && piece.console !== undefined && !interrupted) {
      const { demoConsole } = await import('./console.ts')
      await demoConsole(runtime, piece.console, signal)
    }
    // Of a recording that was interrupted twice not the same calls were played.
    const isGood = governed === null || isSound(governed, interrupted)
    const isExpected = interrupted || (piece.isAsExpected?.() ?? true)
    return differences === 0 && isGood && isExpected ? exitCodes.yes : exitCodes.differs
  } finally {
    await venue.close()
  }
}

async function venueOf({ log }: DemoOptions, { stages: own = stages }: DemoPiece): Promise<Venue> {
  if (log === undefined || !isRemote({ url: log, folder: null })) return venueHere(log, own)
  // The drivers of a server are loaded only where there is one.
  const { venueOnNats } = await import('./venue-nats.ts')
  return venueOnNats(findLog(log, configuration()), own)
}

interface Playing {
  readonly piece: DemoPiece
  readonly progress: Progress
  readonly fleet: number
}

async function playAll(
  runtime: Runtime,
  { piece, progress, fleet }: Playing,
  signal: AbortSignal,
): Promise<GatewayTally | null> {
  const playing = await piece.begin(runtime)
  let next = 0
  const one = async (): Promise<void> => {
    while (next < piece.count) {
      const index = next
      next += 1
      await playing.play(index, signal)
      if (signal.aborted) return
      progress.step()
    }
  }
  try {
    await Promise.all(Array.from({ length: fleet }, one))
    return await playing.tally()
  } finally {
    await playing.end()
  }
}

interface Progress {
  step(): void
  end(): void
}

const noProgress: Progress = { step: () => undefined, end: () => undefined }

// One line that is written over on a terminal, and a line a quarter where it is not one.
function progressLine({ count, unit }: DemoPiece): Progress {
  const { stderr } = process
  let done = 0
  return {
    step: () => {
      done += 1
      const line = `playing: ${done} of ${count} ${unit}`
      if (stderr.isTTY) stderr.write(`\r${line}`)
      else if (done % Math.max(1, Math.ceil(count / 4)) === 0) note(line)
    },
    end: () => {
      if (stderr.isTTY) stderr.write('\n')
    },
  }
}
