// What a detector found in a text, and how findings come together. It never looks at the text.

/** What was found. `secret` is a credential by its form, `opaque` one by its entropy alone. */
export type FoundKind = 'card' | 'email' | 'iban' | 'opaque' | 'phone' | 'secret' | 'ssn'

/** UTF-16 units of the text, the end excluded. */
export interface Finding {
  readonly start: number
  readonly end: number
  readonly kind: FoundKind
}

/** A part of a text in which some detectors do not look. */
export type TextRange = Pick<Finding, 'start' | 'end'>

function overlaps(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && other.start < one.end
}

/** Those that touch none of the ranges; both in order of their starts, ranges without overlap. */
export function outsideOf<T extends TextRange>(
  spans: readonly T[],
  ranges: readonly TextRange[],
): readonly T[] {
  if (ranges.length === 0) return spans
  let next = 0
  return spans.filter((span) => {
    while (next < ranges.length && (ranges[next]?.end ?? 0) <= span.start) next += 1
    const range = ranges[next]
    return range === undefined || !overlaps(span, range)
  })
}

/** In order, those that overlap as one. */
export function united(spans: readonly TextRange[]): readonly TextRange[] {
  const found: TextRange[] = []
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = found.at(-1)
    if (last === undefined || start >= last.end) found.push({ start, end })
    else if (end > last.end) found[found.length - 1] = { start: last.start, end }
  }
  return found
}
