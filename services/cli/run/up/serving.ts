// What all that `up` runs have in common: from their options to an end in order. A process goes on
// until it is asked to stop, or until its log is followed no more. Then it drains, and what cannot
// be ended in time is left.
import { assert } from '#record/fault'
import type { Stage } from '#stages/stage'
import { aborted, timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import { findLog, isRemote } from '#runtime/logs/log-url'
import { keepEras, type EraKeeper } from '#replay/eras/era-keeper'
import type { Health } from '#health/health'
import type { Metrics } from '#health/metrics'
import type { ServingAt } from '#health/serving'
import { missingPackage } from '#runtime/reporting/missing-package'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import type { Listen } from '#serving/listening'
import { isLoopback } from '#serving/loopback'
import { configuration } from '#wiring/config'
import { drainMsDefault } from '#wiring/open'
import { exitCodes } from '#schemas/faults/exit'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { withCells } from '#cli/terminal/opening/cells/logs'
import { clientStages, withRuntime, type LogUse } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'

export interface UpServerOptions extends GlobalOptions {
  readonly listen?: Listen
  /** Milliseconds. */
  readonly drain?: number
  readonly url?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  /** Which cells of the realm; all if not stated. */
  readonly cells?: readonly number[]
}

export interface ServerUp {
  readonly opening?: LogUse
  /** Whether it serves one log, and not all cells of a realm. */
  readonly isOfOneLog?: true
  /** Whether it keeps the eras of logs in files, where that is allowed; it does if not stated. */
  readonly keepsEras?: false
  readonly begin: (runtimes: readonly Runtime[], first: Runtime) => Promise<BegunServer>
}

export interface BegunServer {
  /** That end it as well. */
  readonly ends?: readonly Promise<unknown>[]
  readonly close: (drainMs: number) => Promise<void>
  /** What is reported where that takes too long: it is where the log has it. */
  readonly left: string
}

/** Releasing the log may take this much longer than what is under way. */
const closeMsMax = 5_000

/** The exit code. */
export async function upUntilStopped(options: UpServerOptions, up: ServerUp): Promise<number> {
  const interrupt = onInterrupt()
  const { signal } = interrupt
  let hasBegun = false
  // Before, nothing is under way that could be ended in order: it just ends.
  signal.addEventListener('abort', () => {
    if (!hasBegun) process.exit(exitCodes.yes)
  })
  const opening = { level: 'info', awaits: true, ...up.opening }
  const use = async (runtimes: readonly Runtime[]): Promise<void> => {
    hasBegun = true
    const [first] = runtimes
    assert(first !== undefined, 'there is a log to serve')
    const { ends = [], ...begun } = await up.begin(runtimes, first)
    const keepers = up.keepsEras === false ? [] : keptEras(runtimes, options)
    try {
      await Promise.race([aborted(signal), ...runtimes.map(lost), ...ends])
    } finally {
      const close = async (drainMs: number): Promise<void> => {
        const stopped = keepers.map((keeper) => keeper.stop())
        await Promise.all([begun.close(drainMs), ...stopped])
      }
      await drained(first, options.drain ?? drainMsDefault, { ...begun, close })
    }
  }
  try {
    if (up.isOfOneLog === true) await withRuntime(options, opening, (runtime) => use([runtime]))
    else await withCells(options, opening, options.cells, use)
  } finally {
    interrupt.release()
  }
  return exitCodes.yes
}

/** On servers a process of its own does it. */
function keptEras(runtimes: readonly Runtime[], options: UpServerOptions): readonly EraKeeper[] {
  if (isRemote(findLog(options.log, configuration()))) return []
  return runtimes.map((runtime) =>
    keepEras(runtime, async () => {
      const { eraKeeping } = await import('./era-keeping.ts')
      return eraKeeping(runtime, { ...options, key: undefined })
    }),
  )
}

/** Rejects when the log is followed no more: nothing can be done here then. */
async function lost({ follower }: Runtime): Promise<never> {
  throw await follower.failed
}

/** Ends in order what is under way. */
async function drained(
  { logger, timer }: Runtime,
  drainMs: number,
  { close, left }: BegunServer,
): Promise<void> {
  logger.info({ drainMs }, 'draining')
  if ((await withTimeout(timer, drainMs + closeMsMax, close(drainMs))) !== timedOut) return
  logger.warn(left)
  process.exit(exitCodes.yes)
}

/**
 * On this machine at that port, if not said otherwise. Throws a usage fault where one of the two
 * files for TLS is missing.
 */
export function placeOf(
  { listen, tlsCert, tlsKey }: UpServerOptions,
  port: number,
): Omit<ServingAt, 'url'> {
  const at = { listen: listen ?? { host: '127.0.0.1', port } }
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { ...at, tls: { certFile: tlsCert, keyFile: tlsKey } }
  }
  if (tlsCert === undefined && tlsKey === undefined) return at
  throw usage('--tls-cert goes with --tls-key')
}

export interface StagesBeside {
  readonly stages: readonly Stage[]
  /** How it is reported where they run. */
  readonly fields: { readonly log: string; readonly stages: 'here' | 'elsewhere' }
  /** That end when the stages do, where they run here. */
  readonly ends: (runtime: Runtime) => readonly Promise<unknown>[]
}

/** On a log in a file the stages run in the server too, unless others do. */
export async function stagesBeside(options: GlobalOptions): Promise<StagesBeside> {
  const place = findLog(options.log, configuration())
  const areHere = options.stages && !isRemote(place)
  return {
    stages: await clientStages(options),
    fields: { log: withoutSecrets(place.url), stages: areHere ? 'here' : 'elsewhere' },
    ends: ({ workers }) => (areHere ? [workers] : []),
  }
}

/**
 * The metrics of a server's process, where only its own machine can look, and where the package for
 * them is installed; null where none are to be seen.
 */
export async function metricsAt({ host }: Listen): Promise<Metrics | null> {
  if (!isLoopback(host)) return null
  try {
    return (await import('#health/metrics')).newMetrics()
  } catch (error) {
    if (missingPackage(error) !== null) return null
    throw error
  }
}

/** The metrics and the health of a process that is watched there. */
export async function watchedAt(listen: Listen): Promise<{ health: Health; metrics: Metrics }> {
  // Loaded only here: whom no one watches need not count.
  const { newMetrics } = await import('#health/metrics')
  const { listenHealth } = await import('#health/health')
  const metrics = newMetrics()
  return { health: await listenHealth(listen, metrics), metrics }
}
