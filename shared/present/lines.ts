// Lines for people: text with a tone, and rows that stand in columns. Where they are shown decides
// what a tone looks like, and how wide a column is.

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'dim' | 'strong'

export interface ToneLine {
  readonly text: string
  readonly tone: Tone
}

export type Line = string | ToneLine

export function toned(tone: Tone, text: string): ToneLine {
  return { text, tone }
}

export function textOfLine(line: Line): string {
  return typeof line === 'string' ? line : line.text
}

/** The lines of a text that may have several, each indented. */
export function indented(text: string, by = 2): string[] {
  return text.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`))
}

export function indentedLines(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) =>
    typeof line === 'string' ? `  ${line}` : toned(line.tone, `  ${line.text}`),
  )
}

/** Rows in columns, as wide as the place where they are shown lets them be. */
export interface Rows {
  readonly head: readonly string[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly tone: Tone }[]
  /** By how many characters it stands apart from the edge; by none if absent. */
  readonly indent?: number
}

/** What is shown of an answer. */
export type OnScreen = Line | Rows

/** As one text, for whom no columns are drawn. */
export function plainTexts(shown: readonly OnScreen[]): readonly string[] {
  return shown.flatMap((one) => {
    if (typeof one === 'string') return [one]
    return 'text' in one ? [one.text] : one.rows.map(({ cells }) => cells.join('  ').trimEnd())
  })
}
