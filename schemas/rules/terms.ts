// The words that entries of the catalog and its built-in rules share.
import { z } from 'zod'
import { later } from '../later.ts'

// No control characters and no lone surrogates: two spellings of one name would be two principals.
export const Id = later(() =>
  z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u),
)

const units: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^(ms|milli(second)?s?)$/, 1],
  [/^s(ec(ond)?s?)?$/, 1_000],
  [/^m(in(ute)?s?)?$/, 60_000],
  [/^h((ou)?rs?)?$/, 3_600_000],
  [/^d(ays?)?$/, 86_400_000],
  [/^w(eeks?)?$/, 7 * 86_400_000],
]
const spanPart = /(\d+(?:\.\d+)?)\s*([a-z]*)[\s,]*/y

/** What a text such as `24h`, `1h 30min` or `PT24H` comes to; null where it is no span of time. */
function msMeant(text: string): number | null {
  const parts = text
    .trim()
    .toLowerCase()
    .replace(/^pt?(?=\d)/, '')
  let ms = 0
  spanPart.lastIndex = 0
  for (let at = 0; at < parts.length; at = spanPart.lastIndex) {
    const [, count = '', name = ''] = spanPart.exec(parts) ?? []
    const isBare = name === '' && count === parts
    const unit = isBare ? 1 : units.find(([names]) => names.test(name))?.[1]
    if (count === '' || unit === undefined) return null
    ms += Number(count) * unit
  }
  return parts === '' || !Number.isSafeInteger(Math.round(ms)) ? null : Math.round(ms)
}

function msProblem(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const ms = input.length > 64 ? null : msMeant(input)
  const number = ms ?? '86400000 for a day'
  return `expected a number of milliseconds: write ${number}, without quotes`
}

/** Milliseconds up to a bound. A text such as `24h` is refused with the number to write. */
export function msUpTo(max: number) {
  return z
    .int({ error: ({ input }) => msProblem(input) })
    .min(1)
    .max(max)
}

const monthMs = 30 * 24 * 60 * 60 * 1000
export const DurationMs = msUpTo(monthMs)

export const SafetyClass = later(() => z.enum(['READ', 'WRITE', 'DESTRUCTIVE']))
export type SafetyClass = z.infer<typeof SafetyClass>

export const Sensitivity = later(() => z.enum(['NONE', 'PII', 'PCI', 'SECRETS', 'MEMORY']))

export const UsesMax = later(() => z.union([z.int().min(1).max(100_000), z.literal('unlimited')]))
