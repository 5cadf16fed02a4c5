// Rows as CSV (RFC 4180) for spreadsheets. What others wrote must never be taken for a formula.

export type CsvCell = string | number | boolean | null

/** One row, with its end. A null is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

// A spreadsheet passes over what shows nothing before a formula, reads full-width signs as their
// plain twins, and may take a semicolon or a tab for the end of a cell that is not quoted.
const formula = /^[\s\p{C}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]/u
const blankFirst = /^[\t\r\n]/
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = formula.test(cell) || blankFirst.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
