// Rows as CSV (RFC 4180) for spreadsheets. What others wrote must never be taken for a formula.

export type CsvCell = string | number | boolean | null

/** One row, with its end. A null is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

const formula = /^[=+\-@\t\r]/
const needsQuotes = /[",\r\n]/

function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = formula.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
