// Lines for people: text with a tone, and no bytes that a terminal would obey. Anyone who wrote
// what is shown, it must neither move the cursor nor turn letters around.

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'dim' | 'strong'

export interface ToneLine {
  readonly text: string
  readonly tone: Tone
}

export type Line = string | ToneLine

// Controls, and format characters such as those that reverse the direction of writing. A tag of an
// emoji is a format character too; shown as its number it does no harm.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** One line of text in which nothing is hidden. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}

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
