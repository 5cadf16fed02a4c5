// Lines for people: text with a tone, and no bytes that a terminal would obey.

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'dim' | 'strong'

export interface ToneLine {
  readonly text: string
  readonly tone: Tone
}

export type Line = string | ToneLine

export { visible } from '#record/quote'

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
