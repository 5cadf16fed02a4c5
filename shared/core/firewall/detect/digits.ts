// Numbers of cards, accounts, telephones and social security, in a text of ASCII digits. Cards must
// pass Luhn and accounts mod-97, unless a key word stands before them. Linear.
import { ibanLengths } from './iban-lengths.ts'
import { eachMatch, matchesIn } from './matches.ts'
import type { TextRange, Finding } from './span.ts'

/** Digits without a gap. */
type Group = TextRange

const digitsOfCard = { min: 13, max: 16 }
const gapMax = 3

/** Cards among all groups of digits, and what is as long as a card but not one. */
export function cardsIn(text: string): {
  readonly cards: readonly Finding[]
  readonly others: readonly TextRange[]
} {
  const cards: Finding[] = []
  const others: TextRange[] = []
  for (const groups of sequencesIn(text)) {
    if (digitsOf(groups) < digitsOfCard.min) continue
    for (let first = 0; first < groups.length; first += 1) {
      const begins = groups[first] ?? { start: 0, end: 0 }
      // Groups as printed have at least four digits; others must begin as cards of people do.
      if (begins.end - begins.start < 4 && !/[2-6]/.test(text.charAt(begins.start))) continue
      let digits = ''
      for (let last = first; last < groups.length; last += 1) {
        const { start, end } = groups[last] ?? { start: 0, end: 0 }
        if (digits.length + end - start > digitsOfCard.max) break
        digits += text.slice(start, end)
        if (digits.length < digitsOfCard.min) continue
        const range = { start: begins.start, end }
        const isShaped = last - first < 4 && isShapedAsCard(groups.slice(first, last + 1))
        if (!isShaped && !passesLuhn(digits)) continue
        if (!standsApart(text, range)) continue
        if (isCard(digits, { isShaped, isWhole: first === last }))
          cards.push({ ...range, kind: 'card' })
        else if (isShaped) others.push(range)
      }
    }
  }
  return { cards, others }
}

function digitsOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** Groups with at most so many spaces or hyphens between them. */
function* sequencesIn(text: string): Generator<readonly Group[]> {
  let groups: Group[] = []
  const digits = /[0-9]+/g
  for (let match = digits.exec(text); match !== null; match = digits.exec(text)) {
    const last = groups.at(-1)
    if (last !== undefined && !isGap(text, last.end, match.index)) {
      yield groups
      groups = []
    }
    groups.push({ start: match.index, end: digits.lastIndex })
  }
  if (groups.length > 0) yield groups
}

function isGap(text: string, start: number, end: number): boolean {
  if (end - start > gapMax) return false
  for (let at = start; at < end; at += 1) {
    if (!' \t\r\n-'.includes(text.charAt(at))) return false
  }
  return true
}

const wordOrPart = /[A-Za-z0-9_]/

/** Not a part of a word, nor of a decimal fraction. */
function standsApart(text: string, { start, end }: TextRange): boolean {
  const [before, after] = [text.charAt(start - 1), text.charAt(end)]
  if (wordOrPart.test(before) || wordOrPart.test(after)) return false
  if (before === '.' && isDigitAt(text, start - 2)) return false
  return !(after === '.' && isDigitAt(text, end + 1))
}

function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 48 && unit <= 57
}

function isCard(
  digits: string,
  { isShaped, isWhole }: { readonly isShaped: boolean; readonly isWhole: boolean },
): boolean {
  if (!passesLuhn(digits) || /^(.)\1*$/.test(digits)) return false
  if (isWhole) return !isTime(digits)
  // In groups that no card has, a row of numbers passes by chance.
  return isShaped || /^[2-6]/.test(digits)
}

/** In groups as they are printed on cards. */
function isShapedAsCard(window: readonly Group[]): boolean {
  const lengths = window.map(({ start, end }) => end - start).join('-')
  return /^(?:1[3-6]|4-4-4-[1-4]|4-6-[45]|8-8)$/.test(lengths)
}

/** Milliseconds or microseconds since 1970, or the digits of a date with a time. */
function isTime(digits: string): boolean {
  return (
    /^1[0-9]{12}$/.test(digits) ||
    /^1[0-9]{15}$/.test(digits) ||
    /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])/.test(digits)
  )
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const telephones = new RegExp(
  [
    String.raw`(?<![0-9])(?<![0-9]\.)(?<!\/)(?:\+[0-9]{1,3}[\s.-])?`,
    String.raw`(?:\([0-9]{2,4}\)[\s.-]?|[0-9]{2,4}[\s.-])[0-9]{3,4}[\s.-]?[0-9]{3,5}`,
    String.raw`(?![0-9])(?![./][0-9])(?!\/)`,
  ].join(''),
  'g',
)
const international = /(?<![0-9A-Za-z])\+[1-9](?:[\s.()-]{0,2}[0-9]){7,14}(?![0-9])/g
const social = /(?<![0-9A-Za-z_])[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}(?![0-9A-Za-z_])/g

export function phonesIn(text: string): readonly Finding[] {
  return [...spansOf(text, telephones, 'phone'), ...spansOf(text, international, 'phone')].toSorted(
    (one, other) => one.start - other.start,
  )
}

export function socialNumbersIn(text: string): readonly Finding[] {
  return spansOf(text, social, 'ssn')
}

export function spansOf(text: string, expression: RegExp, kind: Finding['kind']): Finding[] {
  const found: Finding[] = []
  eachMatch(text, expression, ({ 0: match, index }) => {
    found.push({ start: index, end: index + match.length, kind })
  })
  return found
}

const countries = /(?<![0-9A-Za-z])[A-Za-z]{2}[ -]?[0-9]{2}/g

/** IBANs, in any groups. */
export function ibansIn(text: string): readonly Finding[] {
  return matchesIn(text, countries).flatMap(({ index }) => {
    const length = ibanLengths.get(text.slice(index, index + 2).toUpperCase())
    const found = length === undefined ? null : charactersFrom(text, index, length)
    if (found === null || wordOrPart.test(text.charAt(found.end)) || !passesMod97(found.joined)) {
      return []
    }
    return [{ start: index, end: found.end, kind: 'iban' as const }]
  })
}

function charactersFrom(
  text: string,
  start: number,
  length: number,
): { readonly joined: string; readonly end: number } | null {
  let joined = ''
  let gap = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (/[0-9A-Za-z]/.test(character)) {
      joined += character.toUpperCase()
      gap = 0
      if (joined.length === length) return { joined, end: at + 1 }
    } else {
      gap += 1
      if (gap > gapMax || !' \t\r\n-'.includes(character)) return null
    }
  }
  return null
}

function passesMod97(joined: string): boolean {
  let rest = 0
  for (const character of joined.slice(4) + joined.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
