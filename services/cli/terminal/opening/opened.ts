// Opens the log that the options mean, for as long as a command needs it. A command that only reads
// never makes a log where none is.
import { configuration } from '#wiring/config'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '#record/names'
import { assert, Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import type { Log } from '#ports/log'
import type { Model } from '#ports/models'
import { findLog, isRemote, logExists, openLog, type LogPlace } from '#runtime/logs/log-url'
import type { FoldListener } from '#runtime/engine/follower'
import { lastPlace } from '#replay/eras/last-era'
import { marksFor } from '#replay/marks/mark-files'
import { logIdentity, rolledBackOf } from '#replay/marks/read-only-mark'
import type { Logger } from '#runtime/reporting/logger'
import type { Observe } from '#runtime/engine/observer'
import type { Runtime } from '#runtime/engine/runtime'
import { demandedRootKey, refuseOtherLog, refuseOtherRoot } from '#replay/eras/root-key'
import type { GlobalOptions } from './options.ts'
import { withProgress } from '../progress.ts'
import { note, noteOnce } from '../terminal.ts'
import { utc } from '#present/wording'
import { quietSince } from '#runtime/logs/clock-doubt'
import { openQuestions } from '../questions.ts'
import { setTimeout as sleep } from 'node:timers/promises'

// Waits for a log on servers that is out of reach when a process starts: it may be down just then,
// or between two leaders. What trying again cannot help is thrown.

const againMs = 1_000
const reportMs = 5_000

/** Opens it again and again; `report` is called with the reason every few seconds. */
async function untilReached<T>(open: () => Promise<T>, report: (fault: Fault) => void): Promise<T> {
  for (let reportedAt = -Infinity; ;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof Fault) || error.retry !== 'soon') throw error
      if (performance.now() - reportedAt >= reportMs) {
        reportedAt = performance.now()
        report(error)
      }
    }
    await sleep(againMs)
  }
}

export interface LogUse {
  /** Whether it only reads: then a log that may not be written to will do, and no stage runs. */
  readonly reads?: boolean
  /** Whether it only shows what is there: also of a log that was rolled back, which it reports. */
  readonly shows?: boolean
  /** The stages that run here while it is open. */
  readonly stages?: readonly Stage[]
  /** Whether a log is made where none is; one in memory is gone with the command. */
  readonly create?: 'in_file' | 'in_memory'
  /** Of the runtime's own log lines; silent unless `WARRANT_LOG_LEVEL` says otherwise. */
  readonly level?: string
  /** An observer while the stages work. */
  readonly observe?: readonly Observe[]
  /** Fills in what learning proposes; if not given, the one that `WARRANT_MODEL` names. */
  readonly model?: Model
  /** Whether all of the log is folded, whatever snapshots there are: who signs for it must. */
  readonly foldsAll?: boolean
  /** Called for each fact that is folded before it is open. */
  readonly onFolded?: FoldListener
  /** Whether a log on servers that is out of reach is waited for, and the reason logged. */
  readonly awaits?: boolean
  /** Called when there is a connection to the servers of a log, and when there is none any more. */
  readonly onConnection?: (isThere: boolean) => void
}

/** Where the log is. Throws a Fault if none is there and none is to be made. */
export async function locate(
  options: GlobalOptions,
  { create }: Pick<LogUse, 'create'> = {},
): Promise<LogPlace> {
  const place = findLog(options.log, configuration())
  if (logExists(place)) return place
  if (create === 'in_memory') return { ...place, url: 'memory:' }
  if (create === undefined) {
    const where = givenLog(options) === undefined ? 'here' : `at \`${place.url}\``
    throw new Fault('no_log', `no log ${where}: run 'warrant init' or give --log`)
  }
  if (place.folder !== null) await mkdir(place.folder, { recursive: true })
  return place
}

/** Opens the runtime, hands it over, and stops it whatever happens. */
export async function withRuntime<T>(
  options: GlobalOptions,
  opening: LogUse,
  use: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const log = await locate(options, opening)
  const { openRuntime } = await import('#wiring/open')
  const logger = await loggerOf(opening.level)
  const { stages = [], observe = [], reads = false, shows = false, onConnection } = opening
  const appends = !reads || stages.length > 0
  const acceptClock = appends && (await isClockAccepted(options, log))
  const { realm } = options
  const model = opening.model ?? (await modelFor(stages))
  const open = () =>
    withProgress((onProgress) =>
      openRuntime({
        log,
        realm,
        stages,
        reads,
        acceptClock,
        observe,
        onProgress,
        showsRolledBack: shows,
        rootKey: rootKeyFor(options),
        logId: configuration().logId,
        ...(model !== null && { model }),
        ...(opening.foldsAll === true && { snapshots: null }),
        ...(opening.onFolded !== undefined && { onFolded: opening.onFolded }),
        ...(logger !== null && { logger }),
        ...(onConnection !== undefined && { onConnection }),
      }),
    )
  const runtime = await (isRemote(log) ? reached(opening, open) : open())
  try {
    if (runtime.rolledBack !== null) noteOnce(`warrant: ${runtime.rolledBack.fault.message}`)
    // Where the workers have a logger they say it themselves.
    const missing = logger === null ? await runtime.missingModule() : null
    if (missing !== null) note(`warrant: ${missing.message}`)
    return await use(runtime)
  } finally {
    if (appends) await sweptContents(runtime)
    await runtime.stop()
  }
}

/** What was kept for reviews that this command has ended goes with them. */
async function sweptContents(runtime: Runtime): Promise<void> {
  if (runtime.folder === null || !existsSync(join(runtime.folder, 'contents'))) return
  await (await import('#judging/kept-contents')).contentsBeside(runtime).sweep()
}

/** Waits for a log on servers that is out of reach, where that is asked. */
export async function reached<T>({ awaits, level }: LogUse, open: () => Promise<T>): Promise<T> {
  if (awaits !== true) return open()
  const logger = await loggerOf(level)
  return untilReached(open, (error) => logger?.warn({ error }, 'log not reached yet'))
}

async function modelFor(stages: readonly Stage[]): Promise<Model | null> {
  if (!stages.some(({ name }) => name === 'learning')) return null
  return (await import('./model.ts')).modelOf({}, configuration())
}

/** Opens the log alone, to read it without folding it; of several cells it is their control log. */
export async function withOneLog<T>(
  options: GlobalOptions,
  use: (log: Log, place: Place, rolledBack: Fault | null) => Promise<T>,
): Promise<T> {
  return withLogs([options], ([opened]) => {
    assert(opened !== undefined, 'each log is opened')
    return use(opened.log, opened.place, opened.rolledBack)
  })
}

export interface OpenedToRead {
  readonly log: Log
  readonly place: Place
  /** Why it is not what this user saw of it before; null where it goes on from there. */
  readonly rolledBack: Fault | null
}

/** The same for each of these, all at once. */
export async function withLogs<T>(
  all: readonly GlobalOptions[],
  use: (opened: readonly OpenedToRead[]) => Promise<T>,
): Promise<T> {
  const opening = await Promise.allSettled(all.map(openToRead))
  try {
    return await use(valuesOf(opening))
  } finally {
    const there = opening.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    await Promise.all(there.map(({ log }) => log.close()))
  }
}

async function openToRead(options: GlobalOptions): Promise<OpenedToRead> {
  const at = await locate(options)
  const { log } = await openLog(at, options.realm, { reads: true })
  try {
    const rootKey = rootKeyFor(options)
    await refuseOtherRoot(log, options, rootKey)
    const place = await lastPlace(log, options.realm)
    const { logId } = configuration()
    if (logId !== undefined) {
      refuseOtherLog({ log: await logIdentity({ log, place, rootKey }) }, logId)
    }
    const marks = marksFor(at, configuration())
    const seen = marks === null ? null : await rolledBackOf({ log, place, rootKey, ...marks })
    const rolledBack = seen?.fault ?? null
    if (rolledBack !== null) noteOnce(`warrant: ${rolledBack.message}`)
    return { log, place, rolledBack }
  } catch (error) {
    await log.close()
    throw error
  }
}

/** What each came to. Throws what the first that failed threw, once all have ended. */
export function valuesOf<T>(settled: readonly PromiseSettledResult<T>[]): readonly T[] {
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}

/** The key that must have begun the log; null where none is demanded. */
export function rootKeyFor({ rootKey }: GlobalOptions): string | null {
  return demandedRootKey(rootKey, configuration())
}

/** The stages that a client of an embedded log runs itself, unless it is asked not to. */
export async function clientStages({ log, stages }: GlobalOptions): Promise<readonly Stage[]> {
  const areElsewhere = !stages || isRemote(findLog(log, configuration()))
  return areElsewhere ? [] : (await import('#workers/stages')).stages
}

function givenLog({ log }: GlobalOptions): string | undefined {
  return log ?? configuration().log
}

/** Null where nothing is to be logged; `WARRANT_LOG_LEVEL` has the last word. */
export async function loggerOf(level: string | undefined): Promise<Logger | null> {
  const asked = configuration().logLevel ?? level
  if (asked === undefined) return null
  const { logger, stderrLogger } = await import('#runtime/reporting/logger')
  if (!process.stderr.isTTY) return stderrLogger(asked)
  const { peopleLine } = await import('./people-line.ts')
  return logger(asked, { write: (line) => void process.stderr.write(peopleLine(line)) })
}

// Whether this machine's clock is right where the log was quiet for long: said by a flag, or by a
// person at a terminal. Nothing else does.

async function isClockAccepted(
  { acceptClock = false }: GlobalOptions,
  place: LogPlace,
): Promise<boolean> {
  const { stdin: input, stderr: output } = process
  if (acceptClock || !input.isTTY || !output.isTTY) return acceptClock
  const since = await quietSince(place)
  if (since === null) return false
  const questions = openQuestions({ input, output })
  try {
    const now = utc(Date.now())
    const question = `the last fact of the log is of ${utc(since)}; is it ${now} now`
    return await questions.yes({ question, flag: '--accept-clock' })
  } finally {
    questions.close()
  }
}
