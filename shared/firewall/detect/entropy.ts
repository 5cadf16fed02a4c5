// Tokens that no one gave a form: long runs in which capitals, small letters and digits change as
// only chance changes them. Linear.
import { withoutEnd } from '#record/reading/text-end'
import { bytesOfBase64 } from '#platform/bytes'
import { matchesIn } from './matches.ts'
import { isOfNoSecret } from './named/no-secrets.ts'
import type { Finding } from './span.ts'

// What is longer is a file or a picture: 96 bytes by chance are as many signs in base64.
const lengths = { min: 24, max: 128, ofTwoClasses: 32, ofAmazon: 40 }
const runs = new RegExp(`[A-Za-z0-9+/_-]{${lengths.min},}={0,2}`, 'g')

export function opaqueTokensIn(text: string): readonly Finding[] {
  return matchesIn(text, runs).flatMap(({ 0: run, index }) => {
    return isOpaque(run) && !isElse(text, index, run)
      ? [{ start: index, end: index + run.length, kind: 'opaque' as const }]
      : []
  })
}

/** Whether what stands around it, or what it is in base64, says that it is no token. */
function isElse(text: string, index: number, run: string): boolean {
  const before = text.slice(Math.max(0, index - 3), index)
  const after = text.slice(index + run.length, index + run.length + 8)
  // Of a text in percent encoding only the whole shows what it is.
  if (/%[0-9A-F]{0,2}$/i.test(before) || /^%[0-9A-F]{2}/i.test(after)) return true
  // The signs that an expression takes, and the name of a file.
  if (before.endsWith('[') && after.startsWith(']') && /[a-z]-[a-z]/i.test(run)) return true
  // An identifier that begins with its time, in base 62.
  if (/^[0-3][0-9A-Za-z]{26}$/.test(run)) return true
  if (fileEnd.test(after) || fileStart.test(run) || isMostlyText(run)) return true
  // Signs that no token is written beside: it is a piece of data in base 85 or the like.
  if (/[A-Za-z0-9!#$%^*?|~`][!#$%^*?|~]$/.test(before)) return true
  if (before.endsWith('...') || after.startsWith('...')) return true
  if (/^[!#$%^*?|~][A-Za-z0-9!#$%^*?|~`]/.test(after)) return true
  if (isAmongSigns(text, index, run.length)) return true
  return isPieceOf(text, index, run.length) || isOfNoSecret(text, index)
}

/** Whether so many signs of other kinds stand around it that it is a part of data in some base. */
function isAmongSigns(text: string, index: number, length: number): boolean {
  const near = text.slice(Math.max(0, index - 48), index)
  const before = near.slice(withoutEnd(near, /\S/).length)
  const after = /^\S*/.exec(text.slice(index + length, index + length + 48))?.[0] ?? ''
  const [first, last] = [before, after].map((one) => one.replaceAll(/[\w+/=.,:'"&-]/g, '').length)
  return (first ?? 0) >= 6 && (last ?? 0) >= 6
}

const pieceMax = 512

/** Whether what stands there without white space and quotes is longer than any line of settings. */
function isPieceOf(text: string, index: number, length: number): boolean {
  const before = text.slice(Math.max(0, index - pieceMax), index)
  const after = text.slice(index + length, index + length + pieceMax)
  const begun = before.length - withoutEnd(before, /[^\s"'`]/).length
  const [rest = ''] = /^[^\s"'`]*/.exec(after) ?? []
  return begun + length + rest.length > pieceMax
}

const fileEnd = /^(?:\.[a-z][a-z0-9]{0,7}){1,2}(?![\w.-])/
/** Pictures, sounds, fonts, archives and programs in base64. */
const fileStart = new RegExp(
  [
    String.raw`^(?:iVBORw0KGgo|/9j/|R0lGOD|UEsDB|JVBERi0|UklGR|AGFzbQ|d09G|AAEAAA|T1RUTw|H4sIA|`,
    String.raw`SUkq|TU0AK|Qk0|SUQz|T2dnUw)`,
  ].join(''),
  '',
)
const textShareMin = 0.62

function isMostlyText(run: string): boolean {
  const bytes = bytesOfBase64(run)
  let printed = 0
  for (const byte of bytes) if (byte >= 0x20 && byte < 0x7f) printed += 1
  return bytes.length >= 18 && printed / bytes.length > textShareMin
}

const upper = 1
const small = 2
const digit = 3
const other = 0

function isOpaque(written: string): boolean {
  // Of an identifier in a page of help that word is a part.
  const run = isAmazons(written) ? written : written.replaceAll(/EXAMPLE|example/g, '')
  if (run.length > lengths.max || !/[0-9]/.test(run) || !beyondHex.test(run)) return false
  if (isOfWords(run)) return false
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
  if (capitals >= 3 && smalls >= 3 && isMixed) {
    return changing >= 0.4 && entropyOf(run) >= (run.length < 64 ? 3.8 : 4.5)
  }
  // Names in words have signs between them, and base 16 is what digests are written in.
  if (signs > 0 || digits < 6 || run.length < lengths.ofTwoClasses) return false
  return changing >= 0.28 && /[g-zG-Z]/.test(run) && entropyOf(run) >= 3.8
}

/** Digests and addresses are in base 16; a letter beyond it may be a slip. */
const beyondHex = /[g-zG-Z].*[g-zG-Z].*[g-zG-Z]/

/** What people name has its small letters in words, and chance has not. */
const wordShareMax = 0.4

function isOfWords(run: string): boolean {
  let inWords = 0
  for (const { 0: word } of run.matchAll(words)) inWords += word.length
  // Names and paths of several words have signs between them.
  const signs = run.replaceAll(/[A-Za-z0-9]/g, '').length
  return (
    run.includes('__') ||
    isRepetitive(run) ||
    inWords / run.length > wordShareMax ||
    signs / run.length > signShareMax
  )
}

const words = /[a-z]{3,}|(?<![A-Za-z0-9])[A-Z]{3,}(?![A-Za-z0-9])/g
const signShareMax = 0.12

/** By chance hardly any sign comes as often in a run of so many different ones. */
function isRepetitive(run: string): boolean {
  const counts = new Map<string, number>()
  for (const sign of run) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return most >= 6 && most / run.length > signOftenMax
}

const signOftenMax = 0.17

function isAmazons(run: string): boolean {
  return run.length === lengths.ofAmazon && /^[A-Za-z0-9+/]+$/.test(run)
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
