// Statistics for people, for programs and for spreadsheets.
import { counted as countedText, duration, utc } from '#present/wording'
import { csvLine, type CsvCell } from '#cli/terminal/csv'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'
import type { BudgetLeft } from '#client/reading/budgets-left'
import { spreadOf, type Counted, type Spread, type Tally } from '#client/reading/tallies'

export const groupings = ['tool', 'agent', 'reason', 'confirmer'] as const
export type Grouping = (typeof groupings)[number]

/** What became of the calls of a tool, as the table of the demo shows it too. */
export interface ToolRow {
  readonly name: string
  readonly allowed: number
  readonly confirmed: number
  readonly denied: number
  readonly open?: number
  readonly reasons: readonly (readonly [code: string, count: number])[]
}

/** The most asked for first; `open` is a column where it is counted. */
export function toolTable(rows: readonly ToolRow[], head = 'tool'): readonly Line[] {
  const hasOpen = rows.some(({ open }) => open !== undefined)
  const titles = [head, 'allowed', 'confirmed', 'denied', ...(hasOpen ? ['open'] : [])]
  const cells = rows
    .toSorted(byCalls)
    .map(({ name, allowed, confirmed, denied, open, reasons }) => {
      const counts = [allowed, confirmed, denied, ...(hasOpen ? [open ?? 0] : [])]
      return [name, ...counts.map(String), reasonsText(reasons)]
    })
  return tableLines([...titles, 'by first reason'], cells)
}

function byCalls(one: ToolRow, other: ToolRow): number {
  return callsIn(other) - callsIn(one)
}

function callsIn({ allowed, denied, open = 0 }: ToolRow): number {
  return allowed + denied + open
}

function reasonsText(reasons: ToolRow['reasons']): string {
  return mostFirst(reasons)
    .map(([code, times]) => `${code} ${times}`)
    .join(', ')
}

function mostFirst<T extends readonly [string, number]>(counts: Iterable<T>): readonly T[] {
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

function rowsOf(tallies: ReadonlyMap<string, Tally>): readonly ToolRow[] {
  return [...tallies].map(([name, { reasons, ...tally }]) => ({
    name,
    ...tally,
    reasons: [...reasons],
  }))
}

export function statsLines(of: Counted, left: readonly BudgetLeft[]): readonly Line[] {
  const { all, tools, agents, confirmers } = of
  const budgets = sectionOf(leftRows(left), ['budget', 'for', 'used', 'of', 'left', 'frees'])
  if (all.intents === 0) return ['no intent is meant', ...budgets]
  const observed = all.observed === 0 ? '' : `, ${all.observed} of them observed only`
  const parts = [
    `${all.allowed} allowed (${all.confirmed} after people agreed)`,
    `${all.denied} denied`,
    `${all.open} open`,
  ]
  return [
    toned('strong', `${countedText(all.intents, 'intent')}: ${parts.join(', ')}${observed}`),
    '',
    ...toolTable(rowsOf(tools)),
    '',
    ...toolTable(rowsOf(agents).toSorted(byCalls).slice(0, agentsShownMax), 'agent'),
    ...(agents.size > agentsShownMax
      ? [toned('dim', `and ${agents.size - agentsShownMax} more`)]
      : []),
    ...sectionOf(reasonRows(of), ['reason', 'denials', 'share']),
    ...(confirmers.size === 0 ? [] : sectionOf(confirmerRows(of), confirmerHead)),
    ...sectionOf(timeRows(of), ['time to decide', 'verdicts', 'median', '95 %', 'longest']),
    ...sectionOf(
      mostFirst(of.calls).map(([outcome, count]) => [outcome, String(count)]),
      ['what came of the call', 'calls'],
    ),
    ...budgets,
    ...(left.length > leftShownMax ? [toned('dim', `and ${left.length - leftShownMax} more`)] : []),
    ...(all.allowed > 0 ? ['', toned('dim', asRecordedText)] : []),
  ]
}

// To derive each again costs a decision, where counting folds the log alone.
const asRecordedText =
  'Allows are counted as recorded: `warrant log --void` derives each again and names the forged.'

const agentsShownMax = 20
const leftShownMax = 20
const confirmerHead = ['confirmer', 'agreed', 'declined', 'median', '95 %', 'longest']

function sectionOf(rows: readonly (readonly string[])[], head: readonly string[]): readonly Line[] {
  return rows.length === 0 ? [] : ['', ...tableLines(head, rows)]
}

// As of now, whatever time is asked about.
function leftRows(left: readonly BudgetLeft[]): readonly (readonly string[])[] {
  return left.slice(0, leftShownMax).map(({ budget, key, used, limit, left: rest, freesAt }) => {
    return [budget, key ?? 'all', used, limit, rest, utc(freesAt)]
  })
}

function reasonRows({ all }: Counted): readonly (readonly string[])[] {
  return mostFirst(all.reasons).map(([code, count]) => {
    const share = Math.round((100 * count) / Math.max(1, all.denied))
    return [code, String(count), `${share} %`]
  })
}

function confirmerRows({ confirmers }: Counted): readonly (readonly string[])[] {
  return [...confirmers].map(([name, { yes, no, waitsMs }]) => {
    return [name, String(yes), String(no), ...spreadTexts(spreadOf(waitsMs))]
  })
}

function timeRows({ alone, withPeople }: Counted): readonly (readonly string[])[] {
  const rows = [
    ['without people', spreadOf(alone)],
    ['with people', spreadOf(withPeople)],
  ] as const
  return rows
    .filter(([, { count }]) => count > 0)
    .map(([name, spread]) => [name, String(spread.count), ...spreadTexts(spread)])
}

function spreadTexts({ medianMs, p95Ms, maxMs }: Spread): readonly string[] {
  return [medianMs, p95Ms, maxMs].map((ms) => (ms === null ? '' : duration(ms)))
}

/** Rows by one of the groupings, with a head. */
export function statsCsv(of: Counted, by: Grouping): string {
  const lines: readonly (readonly CsvCell[])[] =
    by === 'reason' ? reasonCells(of) : by === 'confirmer' ? confirmerCells(of) : tallyCells(of, by)
  return lines.map(csvLine).join('')
}

function tallyCells({ tools, agents }: Counted, by: 'tool' | 'agent') {
  const head = [by, 'intents', 'allowed', 'confirmed', 'denied', 'open', 'observed', 'reasons']
  const rows = [...(by === 'tool' ? tools : agents)].map(([name, tally]) => {
    const { intents, allowed, confirmed, denied, open, observed, reasons } = tally
    const why = reasonsText([...reasons])
    return [name, intents, allowed, confirmed, denied, open, observed, why]
  })
  return [head, ...rows]
}

function reasonCells({ all }: Counted) {
  return [['reason', 'denials'], ...mostFirst(all.reasons)]
}

function confirmerCells({ confirmers }: Counted) {
  const rows = [...confirmers].map(([name, { yes, no, waitsMs }]) => {
    const { medianMs, p95Ms, maxMs } = spreadOf(waitsMs)
    return [name, yes, no, medianMs, p95Ms, maxMs]
  })
  return [['confirmer', 'agreed', 'declined', 'median_ms', 'p95_ms', 'longest_ms'], ...rows]
}
