// Opens the log and Neo4j, and projects the one to the other, or compares them.
import { configuration } from '#wiring/config'
import { systemClock, systemTimer } from '#system/clock'
import { Neo4jLink, type Neo4jAccess } from '#neo4j/driver/link'
import type { Marks } from '#neo4j/driver/mark'
import { assert } from '#record/fault'
import type { Place } from '#record/names'
import type { Log } from '#ports/log'
import type { Follower } from '#runtime/engine/follower'
import { snapshotsFolder } from '#replay/cache/store'
import type { Listen } from '#serving/listening'
import { findLog } from '#runtime/logs/log-url'
import { silentLogger, type Logger } from '#runtime/reporting/logger'
import { neo4jAccess } from '#wiring/neo4j-access'
import { checkProjection } from '#neo4j/check'
import type { CellLog } from '#neo4j/projected'
import { runProjector, type FollowedLog } from '#neo4j/projector'
import type { Progress } from '#runtime/reporting/progress'
import type { FaultCode } from '#schemas/faults/registry'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { showProgress, withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import { projectionLines, projectedLines } from './print.ts'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { logsMeant, withControl, type LogMeant } from '#cli/terminal/opening/cells/logs'
import { loggerOf, rootKeyFor, withLogs, type OpenedToRead } from '#cli/terminal/opening/opened'

export interface ProjectOptions extends GlobalOptions {
  readonly neo4j?: string
  readonly once?: boolean
  readonly rebuild?: boolean
  readonly replace?: string
  readonly check?: boolean
  readonly listen?: Listen
}

export async function projectNeo4j(options: ProjectOptions): Promise<number> {
  const { once = false, rebuild = false, check = false, listen, replace } = options
  if (check && (once || rebuild || listen !== undefined)) {
    throw usage('--check writes nothing and ends by itself: give it alone')
  }
  if (replace !== undefined && !rebuild) throw usage('--replace says what --rebuild may wipe')
  const access = await neo4jAccess(options.neo4j, configuration())
  const all = await logsMeant(options)
  if (check) {
    return withMeant(options, all, (opened) => checked(options, opened, access))
  }
  const interrupt = onInterrupt()
  const watch = listen === undefined ? null : await watchAt(listen)
  const progress = showProgress()
  try {
    return await withMeant(options, all, async ({ log, place, cells }) => {
      const logger = (await loggerOf(once ? undefined : 'info')) ?? silentLogger
      const snapshots = snapshotsFolder(findLog(options.log, configuration()))
      const projecting = {
        log,
        cells,
        realm: options.realm,
        rootKey: rootKeyFor(options),
        open: () => Neo4jLink.open(access),
        timer: systemTimer,
        logger,
        ...(snapshots !== null && { snapshots: { folder: snapshots, clock: systemClock } }),
        once,
        rebuild,
        ...(replace !== undefined && { replaces: replace }),
        onProgress: (now: Progress) => {
          progress.on(now)
          if (now.doing === 'projecting' && now.done >= (now.total ?? 0)) progress.end()
        },
        onFold: (of: FollowedLog) => watch?.look({ place, logger, ...of }),
      }
      const projected = await runProjector(projecting, interrupt.signal)
      progress.end()
      if (projected !== null) await show(options, projected)
      return exitCodes.yes
    })
  } finally {
    progress.end()
    await watch?.close()
    interrupt.release()
  }
}

/** The log, or the control log with those of all cells. */
interface Opened extends OpenedToRead {
  /** None where there is one log. */
  readonly cells: readonly CellLog[]
}

function withMeant<T>(
  options: ProjectOptions,
  all: readonly LogMeant[],
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opening = withControl(options, all).map((each) => each.options)
  return withLogs(opening, ([first, ...others]) => {
    assert(first !== undefined, 'each log is opened')
    if (others.length === 0) return use({ ...first, cells: [] })
    const cells = others.map(({ log, place: { realm } }, cell) => ({ cell, realm, log }))
    return use({ ...first, cells })
  })
}

async function checked(
  options: ProjectOptions,
  { log, cells }: Opened,
  access: Neo4jAccess,
): Promise<number> {
  const link = await Neo4jLink.open(access)
  const rootKey = rootKeyFor(options)
  try {
    const { realm } = options
    const report = await withProgress((onProgress) => {
      return checkProjection({ log, cells, realm, rootKey, link, timer: systemTimer, onProgress })
    })
    if (options.json === true) await printJson(report)
    else await print(projectionLines(report, realm))
    return report.standing === 'same' ? exitCodes.yes : exitCodes.differs
  } finally {
    await link.close()
  }
}

async function show(
  { json, realm }: ProjectOptions,
  { control, cells: marks }: Marks,
): Promise<void> {
  const { reached: position, places, orders } = control
  const cells = marks.map(({ cell, reached }) => ({ cell, position: reached }))
  if (json !== true) await print(projectedLines({ realm, position, cells }))
  else await printJson({ realm, position, places, orders, ...(cells.length > 0 && { cells }) })
}

/** What is looked at while it projects: how far the log is folded, and so how far Neo4j is. */
interface Looked {
  readonly log: Log
  readonly place: Place
  readonly follower: Follower
  readonly logger: Logger
  /** Of several: why that one is not projected any more; null while it is. */
  readonly failure?: () => FaultCode | null
}

// Loaded only here: whom no one watches need not count.
async function watchAt(listen: Listen) {
  const { newMetrics } = await import('#health/metrics')
  const { listenHealth } = await import('#health/health')
  const metrics = newMetrics()
  const health = await listenHealth(listen, metrics)
  return {
    look: (looked: Looked): void => {
      const timer = systemTimer
      const clock = systemClock
      metrics.observe({ ...looked, clock, timer })
      health.serve({ ...looked, clock, timer })
    },
    close: () => health.close(),
  }
}
