// A standing over its steps as a chart of plain characters, with the bound of each level marked.
import { levelBounds } from '#rules/catalog/earned-standing'

/** So many of the latest values fit beside each other. */
const columnsMax = 60
/** A row is a tenth. */
const rowsPerOne = 10

/** One line a row, from the best value down. */
export function plainStandingChart(values: readonly number[]): readonly string[] {
  const shown = values.slice(-columnsMax)
  const rows = shown.map(rowOf)
  const lowest = Math.min(0, ...rows)
  const lines: string[] = []
  for (let row = rowsPerOne; row >= lowest; row -= 1) {
    const bound = levelBounds.find(([above]) => rowOf(above) === row)
    const fill = bound === undefined ? ' ' : '-'
    const marks = rows.map((one) => (one === row ? '*' : fill)).join(fill)
    const label = (row / rowsPerOne).toFixed(1).padStart(labelWidth)
    const named = bound === undefined ? '' : `${fill} above: ${bound[1]}`
    lines.push(`${label} |${fill}${marks}${named}`.trimEnd())
  }
  return lines
}

const labelWidth = 4

function rowOf(value: number): number {
  return Math.round(value * rowsPerOne)
}
