// What came of replaying every cell of a realm: what they share, each cell, and all together.
import { counted } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'
import type { CellReport } from './cells.ts'
import { replayLines, type Printing } from './print.ts'

/** Each report as it is for one log, with its cell; the control log's has null there. */
export function cellsJson(reports: readonly CellReport[], ms: number): unknown {
  const logs = reports.map(({ cell, report }) => ({ cell, ...report }))
  return { cells: reports.length - 1, logs, ms: Math.round(ms) }
}

export function cellsLines(reports: readonly CellReport[], printing: Printing): readonly Line[] {
  const sum = (part: 'facts' | 'derived' | 'differences') =>
    reports.reduce((total, { report }) => total + report[part], 0)
  const perSecond = Math.round((sum('derived') * 1_000) / Math.max(printing.ms, 1))
  const all = `${sum('derived')} facts derived in ${counted(reports.length - 1, 'cell')}`
  const differences = sum('differences')
  return [
    ...reports.flatMap(({ cell, report }) => [
      toned('strong', cell === null ? 'what all cells share' : `cell ${cell}`),
      ...replayLines(report, printing),
      '',
    ]),
    differences === 0
      ? toned('good', `${all}: ${perSecond} a second`)
      : toned('bad', `${counted(differences, 'difference')} in ${all}`),
  ]
}
