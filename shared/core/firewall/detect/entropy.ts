// Tokens that no one gave a form: long runs in which capitals, small letters and digits change as
// only chance changes them. Linear.
import { matchesIn } from './matches.ts'
import type { Finding } from './span.ts'

const lengths = { min: 24, max: 512, ofTwoClasses: 32, ofAmazon: 40 }
const runs = new RegExp(`[A-Za-z0-9+/_-]{${lengths.min},}={0,2}`, 'g')

export function opaqueTokensIn(text: string): readonly Finding[] {
  return matchesIn(text, runs).flatMap(({ 0: run, index }) => {
    return isOpaque(run) ? [{ start: index, end: index + run.length, kind: 'opaque' as const }] : []
  })
}

const upper = 1
const small = 2
const digit = 3
const other = 0

function isOpaque(run: string): boolean {
  if (run.length > lengths.max || !/[0-9]/.test(run)) return false
  const counts = [0, 0, 0, 0]
  let changes = 0
  let before = -1
  for (let at = 0; at < run.length; at += 1) {
    const now = classOf(run.charCodeAt(at))
    counts[now] = (counts[now] ?? 0) + 1
    if (now !== before) changes += 1
    before = now
  }
  const changing = changes / run.length
  const [signs = 0, capitals = 0, smalls = 0, digits = 0] = counts
  const isMixed = digits >= 2 || (digits === 1 && run.length === lengths.ofAmazon)
  if (capitals >= 3 && smalls >= 3 && isMixed) return changing >= 0.4 && entropyOf(run) >= 3.8
  // Names in words have signs between them, and base 16 is what digests are written in.
  if (signs > 0 || digits < 6 || run.length < lengths.ofTwoClasses) return false
  return changing >= 0.28 && /[g-zG-Z]/.test(run) && entropyOf(run) >= 3.8
}

function classOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return digit
  if (unit >= 65 && unit <= 90) return upper
  return unit >= 97 && unit <= 122 ? small : other
}

/** Bits a character. */
function entropyOf(run: string): number {
  const units = new Map<string, number>()
  for (const unit of run) units.set(unit, (units.get(unit) ?? 0) + 1)
  let bits = 0
  for (const count of units.values()) bits -= (count / run.length) * Math.log2(count / run.length)
  return bits
}
