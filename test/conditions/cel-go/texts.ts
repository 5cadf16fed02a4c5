// The texts that every cast is tried with: what people and programs write for numbers, moments and
// spans, and what differs from those in one place. `answers.ndjson` has what cel-go says of each.
import lists from './texts.json' with { type: 'json' }

export const casts = ['int', 'double', 'bool', 'timestamp', 'duration'] as const
export type Cast = (typeof casts)[number]

const { blanks, numbers, signs, bools, days, clocks, zones, spans, others } = lists

const moments = [
  ...days.flatMap((day) => [`${day}T00:00:00Z`, `${day}T23:59:59.999999999Z`, day]),
  ...clocks.flatMap((clock) => [`2026-01-01T${clock}Z`, `2026-01-01T${clock}+01:00`]),
  ...zones.flatMap((zone) => [
    `2026-01-01T12:00:00${zone}`,
    `0001-01-01T00:00:00${zone}`,
    `9999-12-31T23:59:59.5${zone}`,
  ]),
  ...others,
]

const own = { int: numbers, double: numbers, bool: bools, timestamp: moments, duration: spans }

/** Those of each cast, none twice. */
export function textsOf(cast: Cast): readonly string[] {
  const texts = own[cast]
  const around = texts.slice(0, 6).flatMap((text) => {
    return blanks.flatMap((blank) => [`${blank}${text}`, `${text}${blank}`])
  })
  const signed = texts.flatMap((text) => signs.map((sign) => sign + text))
  return [...new Set([...texts, ...around, ...(cast === 'timestamp' ? [] : signed), ...blanks])]
}
