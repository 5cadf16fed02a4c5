// What is counted as rows for a spreadsheet.
import { mostFirst, reasonsText } from '#operations/counts'
import type { OperationAnswer } from '#schemas/operations/table'
import { csvLine, type CsvCell } from '#cli/terminal/csv'

export const groupings = ['tool', 'agent', 'reason', 'confirmer'] as const
export type Grouping = (typeof groupings)[number]

type Counts = OperationAnswer<'counts'>

/** Rows by one of the groupings, with a head. */
export function statsCsv(of: Counts, by: Grouping): string {
  return cellsBy(of, by).map(csvLine).join('')
}

function cellsBy(of: Counts, by: Grouping): readonly (readonly CsvCell[])[] {
  switch (by) {
    case 'tool':
      return tallyCells(
        by,
        of.tools.map(({ tool, ...tally }) => [tool, tally]),
      )
    case 'agent':
      return tallyCells(
        by,
        of.agents.map(({ agent, ...tally }) => [agent, tally]),
      )
    case 'reason':
      return [['reason', 'denials'], ...mostFirst(of.all.reasons)]
    case 'confirmer':
      return confirmerCells(of)
  }
}

function tallyCells(by: Grouping, rows: readonly (readonly [name: string, Counts['all']])[]) {
  const head = [by, 'intents', 'allowed', 'confirmed', 'denied', 'open', 'observed', 'reasons']
  const cells = rows.map(([name, tally]) => {
    const { intents, allowed, confirmed, denied, open, observed, reasons } = tally
    return [name, intents, allowed, confirmed, denied, open, observed, reasonsText(reasons)]
  })
  return [head, ...cells]
}

function confirmerCells({ confirmers }: Counts) {
  const rows = confirmers.map(({ confirmer, agreed, declined, timeToAnswer }) => {
    const { medianMs, p95Ms, maxMs } = timeToAnswer
    return [confirmer, agreed, declined, medianMs, p95Ms, maxMs]
  })
  return [['confirmer', 'agreed', 'declined', 'median_ms', 'p95_ms', 'longest_ms'], ...rows]
}

export function observedCsv({ rows }: OperationAnswer<'observedCounts'>): string {
  const lines = rows.map(({ tool, would, reason, calls }) => [tool, would, reason ?? '', calls])
  return [['tool', 'would', 'reason', 'calls'], ...lines].map(csvLine).join('')
}
