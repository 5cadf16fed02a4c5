// Patterns of others that repeat one character more often than RE2 does. Where all else in such a
// pattern is one character each, the repeating is a matter of length, which JSON Schema can say.

/** RE2 repeats no more often. */
const timesMax = 1_000

const escaped = String.raw`\\[dDwWsStnrvf.*+?^$()[\]{}|/-]`
const inClass = String.raw`\[(?:\\.|[^\]\\])+\]`
const one = String.raw`(?:${escaped}|${inClass}|[^\\^$.*+?()[\]{}|]|\.)`
const single = String.raw`(?:${one}|\((?:\?:)?${one}(?:\|${one})*\))`
const times = String.raw`\{(?<least>\d+)(?:,(?<most>\d*))?\}`
const shape = new RegExp(
  String.raw`^\^(?<before>${single}*)(?<repeated>${single})${times}(?<after>${single}*)\$$`,
  'u',
)

export interface CountedPattern {
  readonly pattern: string
  /** How many characters a text has that it matches. */
  readonly least: number
  /** Infinity where there is no bound. */
  readonly most: number
}

/** Null where RE2 counts as far itself, or where the length does not say it. */
export function countedPattern(pattern: string): CountedPattern | null {
  const parts = shape.exec(pattern)?.groups
  if (parts === undefined) return null
  const { before = '', repeated = '', least = '', most = least, after = '' } = parts
  const [from, to] = [Number(least), most === '' ? Infinity : Number(most)]
  if (from <= timesMax && (to <= timesMax || to === Infinity)) return null
  // Each of them is one character, however it is written.
  const beside = charactersIn(before) + charactersIn(after)
  return { pattern: `^${before}${repeated}*${after}$`, least: from + beside, most: to + beside }
}

function charactersIn(singles: string): number {
  return singles.match(new RegExp(single, 'gu'))?.length ?? 0
}
