// Figures out of many measurements, and a table of them. It measures nothing itself.

export interface Target {
  readonly claim: string
  readonly met: boolean
  /** What was measured, in words. */
  readonly figures: string
}

/** What one bench found, for a person and for a program alike. */
export interface Report {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (number | string)[])[]
  /** What must be known to read the table. */
  readonly notes: readonly string[]
  readonly targets: readonly Target[]
}

/** The value below which that part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The median, and between which values all lie. */
export function spread(values: readonly number[], write: (value: number) => string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return `${write(median(values))} (${write(low)}–${write(high)})`
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function fixed(digits: number): (value: number) => string {
  return (value) => value.toFixed(digits)
}

/** The first column reads from the left, all others are figures. */
export function tableOf({ head, rows }: Pick<Report, 'head' | 'rows'>): string {
  const lines = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const cell = (text: string, column: number): string => {
    const width = widths[column] ?? 0
    return column === 0 ? text.padEnd(width) : text.padStart(width)
  }
  return lines.map((line) => `  ${line.map(cell).join('   ').trimEnd()}`).join('\n')
}
