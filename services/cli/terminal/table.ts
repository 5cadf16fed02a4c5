// Rows in columns, as wide as their widest cell counted in terminal columns. On a terminal that is
// too narrow cells with several words take several lines; where that is not enough, each row is a
// list of its cells.
import { toned, visible, type Line } from './line.ts'
import { brokenAt, columnsOfText, terminalColumns } from './width.ts'

const gap = '  '
const lastColumnsMin = 24

/** The head and the rows. A cell that is not there is empty. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null = terminalColumns(process.stdout),
): readonly Line[] {
  const { top, blocks } = tableBlocks(head, rows, columns)
  return [...top, ...blocks.flat()]
}

/** The same with the lines of each row for themselves. */
export function tableBlocks(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null = terminalColumns(process.stdout),
): { readonly top: readonly Line[]; readonly blocks: readonly (readonly string[])[] } {
  const clean = rows.map((row) => head.map((_, column) => visible(row[column] ?? '')))
  const widths = fitting([head, ...clean], columns)
  if (widths === null) return { top: [], blocks: clean.map((row) => listOf(head, row)) }
  const top = linesOf(head, widths).map((line) => toned('strong', line))
  return { top, blocks: clean.map((row) => linesOf(row, widths)) }
}

/** How wide each column is; null where they do not fit beside each other. */
function fitting(
  rows: readonly (readonly string[])[],
  columns: number | null,
): readonly number[] | null {
  const places = (rows[0] ?? []).map((_, place) => place)
  const widest = (measure: (cell: string) => number): number[] =>
    places.map((place) => Math.max(...rows.map((row) => measure(row[place] ?? ''))))
  const widths = widest(columnsOfText)
  if (columns === null) return widths
  const least = widest((cell) => Math.max(...cell.split(' ').map((word) => columnsOfText(word))))
  // What is too long in the last column pushes nothing aside.
  least.push(Math.min(least.pop() ?? 0, lastColumnsMin))
  let left = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - columns
  while (left > 0) {
    const [place] = places
      .filter((one) => (widths[one] ?? 0) > (least[one] ?? 0))
      .toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))
    if (place === undefined) return null
    widths[place] = (widths[place] ?? 0) - 1
    left -= 1
  }
  return widths
}

function linesOf(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = row.map((cell, column) => brokenAt(cell, widths[column] ?? 0))
  const height = Math.max(1, ...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((cell, column) => {
      const text = cell[line] ?? ''
      return text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columnsOfText(text)))
    })
    return parts.join(gap).trimEnd()
  })
}

function listOf(head: readonly string[], row: readonly string[]): readonly string[] {
  const width = Math.max(0, ...head.map((title) => columnsOfText(title)))
  const lines = head.flatMap((title, column) => {
    const cell = row[column] ?? ''
    return cell === '' ? [] : [`${title.padEnd(width)}${gap}${cell}`.trimStart()]
  })
  return [...lines, '']
}
