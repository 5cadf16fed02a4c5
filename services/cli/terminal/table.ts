// Rows in columns, as wide as their widest cell counted in terminal columns.
import stringWidth from 'string-width'
import { toned, visible, type Line } from './line.ts'

const gap = '  '

/** The head and the rows. A cell that is not there is empty. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Line[] {
  const clean = rows.map((row) => head.map((_, column) => visible(row[column] ?? '')))
  const widths = head.map((title, column) => {
    return Math.max(stringWidth(title), ...clean.map((row) => stringWidth(row[column] ?? '')))
  })
  const lineOf = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => {
      return cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)))
    })
    return cells.join(gap).trimEnd()
  }
  return [toned('strong', lineOf(head)), ...clean.map(lineOf)]
}
