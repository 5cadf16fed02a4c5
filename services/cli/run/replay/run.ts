// Replays the log with the deciders of this version, and prints what came of it.
import { configuration } from '#wiring/config'
import { cellIn, controlPlace, realmOfCell } from '#record/names'
import { findLog } from '#runtime/logs/log-url'
import type { ChainHead } from '#replay/chain'
import { findingKinds } from '#replay/findings'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import { realmCells } from '#cli/terminal/opening/cells/logs'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import { isReported } from './print-finding.ts'
import { hintsFor } from '#cli/terminal/hint'
import { inThread, sumOfProgress, type ReplayError, type LogReport } from './in-thread.ts'
import { replayOne } from './one.ts'
import { replayLines, type Printing } from './print.ts'
import { counted } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'
import { availableParallelism } from 'node:os'
import { assert } from '#record/fault'
import type { OnProgress, Progress } from '#runtime/reporting/progress'

interface ReplayCommandOptions extends GlobalOptions {
  readonly intent?: string
  readonly head?: ChainHead
  /** Facts that are late or overtaken count like differences. */
  readonly strict?: boolean
  /** What only eras or callback modules that are not here could show does not. */
  readonly allowUnchecked?: boolean
}

export async function replayLog(options: ReplayCommandOptions): Promise<number> {
  const place = findLog(options.log, configuration())
  const { head, intent, realm } = options
  if (head !== undefined && intent !== undefined) {
    throw usage('`--head` is of the whole log: leave `--intent` out')
  }
  const known = await realmCells({ ...options, realm: controlPlace(realm).realm })
  const cells = known?.count ?? null
  const isOne = cells === null || cellIn(realm) !== null
  if (!isOne && (head !== undefined || intent !== undefined)) {
    throw usage('`--head` and `--intent` are of one cell: name it, as in `--realm main-c2`')
  }
  const began = performance.now()
  const hints = hintsFor(options, configuration())
  if (!isOne) {
    const reports = await withProgress((progress) => replayCells(options, cells, progress))
    const ms = performance.now() - began
    if (options.json === true) await printJson(cellsJson(reports, ms))
    else await print(cellsLines(reports, { ms, hints, folder: place.folder }))
    return cellsExitCode(reports, options)
  }
  const report = await withProgress((progress) => replayOne({ ...options, cells }, progress))
  const ms = performance.now() - began
  if (options.json === true) await printJson({ ...report, ms: Math.round(ms) })
  else await print(replayLines(report, { ms, hints, folder: place.folder }))
  return replayExitCodeOf(report, options)
}

/** What cannot be read is not as it was recorded. */
function cellsExitCode(reports: readonly CellReport[], options: ReplayCommandOptions): number {
  const codes = reports.map((each) =>
    'report' in each ? replayExitCodeOf(each.report, options) : exitCodes.differs,
  )
  return codes.includes(exitCodes.differs) ? exitCodes.differs : Math.max(...codes)
}

export function replayExitCodeOf(
  { differences, unchecked, findings, hasHead, rolledBack }: LogReport,
  {
    strict = false,
    allowUnchecked = false,
  }: Pick<ReplayCommandOptions, 'strict' | 'allowUnchecked'>,
): number {
  const counting = findingKinds.filter((kind) => strict || !isReported(kind))
  const found = counting.reduce((sum, kind) => sum + findings.counts[kind], 0)
  const isOther = hasHead === false || rolledBack !== undefined
  if (differences > 0 || found > 0 || isOther) return exitCodes.differs
  return unchecked === 0 || allowUnchecked ? exitCodes.yes : exitCodes.unchecked
}

// What came of replaying every cell of a realm: what they share, each cell, and all together.

/** Each report as it is for one log, with its cell; the control log's has null there. */
function cellsJson(reports: readonly CellReport[], ms: number): unknown {
  const logs = reports.map((each) =>
    'report' in each ? { cell: each.cell, ...each.report } : { cell: each.cell, error: each.error },
  )
  return { cells: reports.length - 1, logs, ms: Math.round(ms) }
}

function cellsLines(reports: readonly CellReport[], printing: Printing): readonly Line[] {
  const whole = reports.flatMap((each) => ('report' in each ? each : []))
  const sum = (part: 'facts' | 'derived' | 'differences') =>
    whole.reduce((total, { report }) => total + report[part], 0)
  const perSecond = Math.round((sum('derived') * 1_000) / Math.max(printing.ms, 1))
  const cells = reports.length - 1
  const read = whole.filter(({ cell }) => cell !== null).length
  const of = read === cells ? counted(cells, 'cell') : `${read} of ${counted(cells, 'cell')}`
  const all = `${sum('derived')} facts derived in ${of}`
  const differences = sum('differences')
  const lost = reports.flatMap((each) => ('report' in each ? [] : nameOf(each.cell)))
  return [
    ...reports.flatMap((each) => [
      toned('strong', nameOf(each.cell)),
      ...('report' in each ? replayLines(each.report, printing) : lostLines(each.error)),
      '',
    ]),
    differences === 0 && lost.length === 0
      ? toned('good', `${all}: ${perSecond} a second`)
      : toned('bad', `${counted(differences, 'difference')} in ${all}`),
    ...(lost.length === 0 ? [] : [toned('bad', `not replayed: ${lost.join(', ')}`)]),
  ]
}

function nameOf(cell: number | null): string {
  return cell === null ? 'what all cells share' : `cell ${cell}`
}

function lostLines({ message }: ReplayError): readonly Line[] {
  return [toned('bad', 'its log cannot be read, so nothing of it was reproduced'), `  ${message}`]
}

// Replays every cell of a realm, each in a thread of its own, and the control log that they share.

/** The report of one log, or why there is none; the cell is null for the control log. */
type CellReport = { readonly cell: number | null } & (
  | { readonly report: LogReport }
  | { readonly error: ReplayError }
)

/** As many at a time as there are cores, the control log first. */
async function replayCells(
  { realm, log, rootKey, stages }: GlobalOptions,
  cells: number,
  onProgress: OnProgress,
): Promise<readonly CellReport[]> {
  const wanted = [null, ...Array.from({ length: cells }, (_, index) => index)]
  const far = new Map<number | null, Progress>()
  const reports: CellReport[] = []
  const next = async (): Promise<void> => {
    for (let cell = wanted.shift(); cell !== undefined; cell = wanted.shift()) {
      const one = cell
      const of = one === null ? realm : realmOfCell({ of: realm, index: one })
      const given = { realm: of, cells, stages, log, rootKey }
      const outcome = await inThread(given, {
        onProgress(progress) {
          far.set(one, progress)
          onProgress(sumOfProgress(far.values(), progress))
        },
      })
      assert(!('range' in outcome), 'it was given a log')
      reports.push({ cell: one, ...outcome })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
  return reports.toSorted((one, other) => (one.cell ?? -1) - (other.cell ?? -1))
}
