// Opens the log and Neo4j, and projects the one to the other, or compares them.
import { configuration } from '#wiring/config'
import { systemClock, systemTimer } from '#system/clock'
import { Neo4jLink, type Neo4jAccess } from '#neo4j/driver/link'
import type { Marks } from '#neo4j/driver/mark'
import { assert, unreachable } from '#record/fault'
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
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { logsMeant, withControl, type LogMeant } from '#cli/terminal/opening/cells/logs'
import { loggerOf, rootKeyFor, withLogs, type OpenedToRead } from '#cli/terminal/opening/opened'
import { counted } from '#present/wording'
import type {
  Compared,
  ComparedCell,
  ProjectionCheck,
  ProjectionDifference,
  Uncompared,
} from '#neo4j/report'
import { differing } from '#cli/rules/editing/difference'
import { toned, type Line } from '#cli/terminal/line'

interface ProjectOptions extends GlobalOptions {
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

// How far a database is, and where it does not hold what the log says, for people.

interface Projected {
  readonly realm: string
  readonly position: number | null
  /** None where there is one log. */
  readonly cells: readonly { readonly cell: number; readonly position: number }[]
}

function projectedLines({ realm, position, cells }: Projected): readonly Line[] {
  const each = cells.map(({ cell, position: at }) => `  cell ${cell} up to position ${at}`)
  return [toned('good', `Neo4j holds the realm ${realm} up to position ${position ?? 0}`), ...each]
}

/** `realm` is the one that was asked about. */
function projectionLines(check: ProjectionCheck, realm: string): readonly Line[] {
  switch (check.standing) {
    case 'same':
      return [toned('good', heldText(check)), ...extentLines(check)]
    case 'behind':
      return [
        toned('warn', `${heldText(check)}${lateText(check)}: ${lagText(check)}`),
        ...extentLines(check),
        "  'warrant project neo4j' updates it, and keeps it current",
      ]
    case 'differs':
      return differsLines(check)
    default:
      return [toned('bad', uncomparedText(check, realm)), `  ${fixText(check)}`]
  }
}

function heldText({ position }: Compared): string {
  return `Neo4j holds what the log says at position ${position}`
}

function lateText({ cells, head }: Compared): string {
  return cells === undefined ? `, and the log ends at ${head}` : ', and a log goes on'
}

/** Of all logs together. */
function lagOf({ cells = [], ...control }: Compared): number {
  return [control, ...cells].reduce((sum, { head, position }) => {
    return sum + Math.max(0, head - position)
  }, 0)
}

function lagText(check: Compared): string {
  return `${counted(lagOf(check), 'fact')} behind`
}

function extentLines({ primitives, intents, from, digest, cells = [] }: Compared): readonly Line[] {
  const held = `${counted(primitives, 'primitive')}, ${counted(intents, 'intent')}`
  return [
    `  ${held}, ${digest.here}`,
    ...(from === 0
      ? []
      : [toned('dim', `  intents up to position ${from} are not there, or not in this log`)]),
    ...cells.map(cellLine),
  ]
}

function cellLine({ cell, position, head, from, intents }: ComparedCell): Line {
  const lag = position < head ? `, and its log ends at ${head}` : ''
  const part = from === 0 ? '' : `; those up to position ${from} are not there, or not in its log`
  return `  cell ${cell}: ${counted(intents, 'intent')} up to position ${position}${lag}${part}`
}

function uncomparedText(check: Uncompared, realm: string): string {
  const { cell } = check
  const text = textOfUncompared(check, realm)
  return cell === undefined ? text : `cell ${cell}: ${text}`
}

function textOfUncompared({ standing, realm: held, position, head }: Uncompared, realm: string) {
  switch (standing) {
    case 'other_realm':
      return `Neo4j says that it holds the realm ${held}, and not ${realm}`
    case 'other_log':
      return `Neo4j stands at position ${position} of another log; this one ends at ${head}`
    case 'incomplete': {
      const why = 'it is being rebuilt, or a rebuild was left unfinished'
      return `Neo4j is incomplete, at position ${position} of ${head}: ${why}`
    }
    case 'cut_off':
      return `Neo4j is at position ${position}, and this log begins after it`
    case 'broken':
      return 'the projection does not say how far it is: its node was changed'
    default:
      return unreachable(standing)
  }
}

function fixText({ standing, realm }: Uncompared): string {
  const rebuild = 'warrant project neo4j --rebuild'
  if (standing === 'other_realm') return `if that is wrong: '${rebuild} --replace ${realm}'`
  if (standing === 'incomplete') return `if no one rebuilds it: '${rebuild}'`
  return `'${rebuild}' writes it again from this log`
}

function differsLines(check: Compared): readonly Line[] {
  const { position, digest, differences, first } = check
  const left = differences - first.length
  const lag = lagOf(check) > 0 ? `; it is also ${lagText(check)}` : ''
  const many = counted(differences, 'difference')
  return [
    toned('bad', `${many} from the log at position ${position}${lag}`),
    `  the log: ${digest.here}`,
    `  Neo4j:   ${digest.there}`,
    ...first.flatMap(differenceLines),
    ...(left > 0 ? [`  and ${left} more`] : []),
    "  'warrant project neo4j --rebuild' writes it again",
  ]
}

function differenceLines(difference: ProjectionDifference): readonly Line[] {
  const { of, name, what, here, there, cell } = difference
  const where = cell === undefined ? '' : `cell ${cell}: `
  const isNamed = of === 'primitive' || of === 'count' || of === 'mark'
  const named = `${where}${isNamed ? name : `${of} ${name}`}`
  if (of === 'count' || (of === 'schema' && what === 'differs')) {
    return [toned('bad', `  ${named}: ${here ?? ''} by the log, ${there ?? ''} in Neo4j`)]
  }
  switch (what) {
    case 'missing':
      return [toned('bad', `  ${named} is missing`)]
    case 'extra':
      return [toned('bad', `  ${named} is there, and the log does not know it`)]
    case 'out_of_order':
      return [toned('bad', `  ${named} is not where it belongs in the stored order`)]
    case 'differs':
      return [
        toned('bad', `  ${named}`),
        ...differing(here ?? '', there ?? '').flatMap(({ path, recorded, derived }) => [
          `    ${path}`,
          toned('good', `      the log: ${recorded ?? 'nothing'}`),
          toned('bad', `      Neo4j:   ${derived ?? 'nothing'}`),
        ]),
      ]
    default:
      return unreachable(what)
  }
}
