// Opens the log and Neo4j, and projects the one to the other, or compares them.
import { configuration } from '#runtime/wiring/config'
import { systemClock, systemTimer } from '#adapters/system/clock'
import { Neo4jLink, type Neo4jAccess } from '#adapters/neo4j/link'
import type { ProjectionMark } from '#adapters/neo4j/mark'
import type { Place } from '#core/kernel/names'
import type { Log } from '#ports/log'
import type { Follower } from '#runtime/engine/follower'
import { snapshotsFolder } from '#runtime/cache/store'
import type { Listen } from '#runtime/operations/health'
import { findLog } from '#runtime/logs/log-url'
import { silentLogger, type Logger } from '#runtime/reporting/logger'
import { neo4jAccess } from '#runtime/wiring/neo4j-access'
import { runProjector } from '#runtime/projector/projector'
import { checkProjection } from '#runtime/projector/check'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { showProgress, withProgress } from '../terminal/progress.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { projectionLines, projectedLines } from './print.ts'
import { onInterrupt } from '../opening/interrupt.ts'
import { loggerOf, rootKeyFor, withLog } from '../opening/opened.ts'

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
  if (check) return withLog(options, (log) => checked(options, log, access))
  const interrupt = onInterrupt()
  const watch = listen === undefined ? null : await watchAt(listen)
  const progress = showProgress()
  try {
    return await withLog(options, async (log, place) => {
      const logger = (await loggerOf(once ? undefined : 'info')) ?? silentLogger
      const snapshots = snapshotsFolder(findLog(options.log, configuration()))
      const mark = await runProjector(
        {
          log,
          realm: options.realm,
          rootKey: rootKeyFor(options),
          open: () => Neo4jLink.open(access),
          timer: systemTimer,
          logger,
          ...(snapshots !== null && { snapshots: { folder: snapshots, clock: systemClock } }),
          once,
          rebuild,
          ...(replace !== undefined && { replaces: replace }),
          onProgress: (now) => {
            progress.on(now)
            if (now.doing === 'projecting' && now.done >= (now.total ?? 0)) progress.end()
          },
          onFold: (follower) => watch?.look({ log, place, follower, logger }),
        },
        interrupt.signal,
      )
      progress.end()
      if (mark !== null) await show(options, mark)
      return exitCodes.yes
    })
  } finally {
    progress.end()
    await watch?.close()
    interrupt.release()
  }
}

async function checked(options: ProjectOptions, log: Log, access: Neo4jAccess): Promise<number> {
  const link = await Neo4jLink.open(access)
  const rootKey = rootKeyFor(options)
  try {
    const { realm } = options
    const report = await withProgress((onProgress) => {
      return checkProjection({ log, realm, rootKey, link, timer: systemTimer, onProgress })
    })
    if (options.json === true) await printJson(report)
    else await print(projectionLines(report, realm))
    return report.standing === 'same' ? exitCodes.yes : exitCodes.differs
  } finally {
    await link.close()
  }
}

async function show({ json, realm }: ProjectOptions, mark: ProjectionMark): Promise<void> {
  const { reached: position, places, orders } = mark
  if (json === true) await printJson({ realm, position, places, orders })
  else await print(projectedLines(realm, position))
}

/** What is looked at while it projects: how far the log is folded, and so how far Neo4j is. */
interface Looked {
  readonly log: Log
  readonly place: Place
  readonly follower: Follower
  readonly logger: Logger
}

// Loaded only here: whom no one watches need not count.
async function watchAt(listen: Listen) {
  const { newMetrics } = await import('#runtime/operations/metrics')
  const { listenHealth } = await import('#runtime/operations/health')
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
