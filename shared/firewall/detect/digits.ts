// Numbers of cards, accounts and social security, in a text of ASCII digits. Cards must pass Luhn
// and begin as an issuer's do, and accounts pass mod-97, unless a key word stands before them.
// A column of numbers stays, whatever its digits add up to. Linear.
import { eachMatch, matchesIn } from './matches.ts'
import type { TextRange, Finding } from './span.ts'

// How long the account numbers of each country are: the registry of ISO 13616.

const byCountry =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 ' +
  'DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 ' +
  'IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
  'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
  'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'

const ibanLengths: ReadonlyMap<string, number> = new Map(
  byCountry.split(' ').map((one) => [one.slice(0, 2), Number(one.slice(2))]),
)

// Which numbers of cards are given out: how those of each network begin, and how long they are.

interface Issued {
  /** Of the first four digits. */
  readonly from: number
  readonly to: number
  readonly lengths: readonly number[]
}

const maestro: readonly number[] = [13, 14, 15, 16]

const issued: readonly Issued[] = [
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
  { from: 2200, to: 2204, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 3000, to: 3059, lengths: [14, 16] },
  { from: 3095, to: 3095, lengths: [14, 16] },
  { from: 3056, to: 3099, lengths: [14] },
  { from: 3400, to: 3499, lengths: [15] },
  { from: 3500, to: 3599, lengths: [16] },
  { from: 3600, to: 3699, lengths: [14, 16] },
  { from: 3700, to: 3799, lengths: [15] },
  { from: 3800, to: 3999, lengths: [14, 16] },
  { from: 4000, to: 4999, lengths: [13, 16] },
  { from: 5000, to: 5099, lengths: maestro },
  { from: 5100, to: 5599, lengths: [16] },
  { from: 5600, to: 5899, lengths: maestro },
  { from: 6000, to: 6099, lengths: maestro },
  { from: 6100, to: 6999, lengths: [16] },
]

/** Whether a network gives out numbers that begin and are as long as this one. */
function issuesLength(digits: string): boolean {
  const first = Number(digits.slice(0, 4))
  return issued.some(({ from, to, lengths }) => {
    return from <= first && first <= to && lengths.includes(digits.length)
  })
}

/** Digits without a gap. */
type Group = TextRange

const digitsOfCard = { min: 13, max: 16 }
const gapMax = 3

/** Cards among all groups of digits, and what is as long as a card but not one. */
export function cardsIn(text: string): {
  readonly cards: readonly Finding[]
  readonly others: readonly TextRange[]
} {
  const cards: Finding[] = oddlySeparatedIn(text)
  const others: TextRange[] = []
  for (const groups of sequencesIn(text)) {
    if (digitsOf(groups) < digitsOfCard.min) continue
    for (let first = 0; first < groups.length; first += 1) {
      let digits = ''
      for (let last = first; last < groups.length; last += 1) {
        const { start, end } = groups[last] ?? { start: 0, end: 0 }
        if (digits.length + end - start > digitsOfCard.max) break
        digits += text.slice(start, end)
        if (digits.length < digitsOfCard.min) continue
        const window = { first, last, digits }
        const range = { start: groups[first]?.start ?? 0, end }
        if (!standsApart(text, range)) continue
        const isShaped = isShapedAsCard(groups.slice(first, last + 1))
        if (isCard(text, groups, { ...window, isShaped })) cards.push({ ...range, kind: 'card' })
        else if (isShaped) others.push(range)
      }
    }
  }
  return { cards: cards.toSorted((one, other) => one.start - other.start), others }
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

/** A sign of emphasis is no part of a word: `_4111 1111 1111 1111_`. */
const wordBefore = /[A-Za-z0-9]$|\w_$/
const wordBehind = /^[A-Za-z0-9]|^_\w/

/** Not a part of a word, nor of a decimal fraction. */
function standsApart(text: string, { start, end }: TextRange): boolean {
  if (wordBefore.test(text.slice(Math.max(0, start - 2), start))) return false
  if (wordBehind.test(text.slice(end, end + 2))) return false
  const [before, after] = [text.charAt(start - 1), text.charAt(end)]
  // A factor of a term.
  if (/^\*{1,2}[A-Za-z(]/.test(text.slice(end, end + 3))) return false
  if (before === '.' && isDigitAt(text, start - 2)) return false
  return !(after === '.' && isDigitAt(text, end + 1))
}

function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 48 && unit <= 57
}

/** The groups from `first` to `last` of a sequence, and their digits. */
interface Window {
  readonly first: number
  readonly last: number
  readonly digits: string
  readonly isShaped: boolean
}

function isCard(text: string, groups: readonly Group[], window: Window): boolean {
  const { first, last, digits, isShaped } = window
  if (!isCardNumber(digits)) return false
  if (first === last) return !isTime(digits)
  // In groups that no card has, or among more of them, a row of numbers passes by chance.
  const isAlone = first === 0 && last === groups.length - 1
  return isAlone || (isShaped && !isPartOfRow(text, groups, window))
}

function isCardNumber(digits: string): boolean {
  return issuesLength(digits) && passesLuhn(digits) && !/^(.)\1*$/.test(digits)
}

/** A date or a code may stand beside a card in its line. */
const besideMax = 2

/** Whether more groups of its width stand in the same line than may stand beside a card. */
function isPartOfRow(text: string, groups: readonly Group[], { first, last }: Window): boolean {
  // Over lines it is a part of a column.
  for (let at = first + 1; at <= last; at += 1) if (!isSameLine(text, groups, at)) return true
  // What stands between the groups of a card is the same each time.
  const isEven = new Set(groups.slice(first, last).map(({ end }) => text.charAt(end))).size === 1
  const before: Group[] = []
  for (let at = first; at > 0 && before.length < reach && isSameLine(text, groups, at); at -= 1) {
    before.unshift(groups[at - 1] ?? { start: 0, end: 0 })
  }
  const after: Group[] = []
  for (let at = last + 1; at < groups.length && after.length < reach; at += 1) {
    if (!isSameLine(text, groups, at)) break
    after.push(groups[at] ?? { start: 0, end: 0 })
  }
  return [before, after].some((beside) => {
    const alike = isEven ? beside.filter(({ start, end }) => end - start === 4) : beside
    const digits = beside.map(({ start, end }) => text.slice(start, end)).join('')
    // Another card, and none of a row beyond it.
    return alike.length > besideMax && !(beside.length < reach && isCardNumber(digits))
  })
}

/** One group more than a card has. */
const reach = 5

function isSameLine(text: string, groups: readonly Group[], at: number): boolean {
  return !text.slice(groups[at - 1]?.end ?? 0, groups[at]?.start ?? 0).includes('\n')
}

// Any one sign between the groups, the same between all, and no further group behind it.
const odd = '(?:[ ]?[^0-9A-Za-z\\s"\'-]{1,3}[ ]?)'
const oddlySeparated = new RegExp(
  [
    `(?<![0-9A-Za-z])(?<![0-9][./:_-])`,
    `(?:[1-6][0-9]{3}(?<one>${odd})[0-9]{4}\\k<one>[0-9]{4}\\k<one>[0-9]{1,4}`,
    `|3[0-9]{3}(?<two>${odd})[0-9]{6}\\k<two>[0-9]{4,5})`,
    `(?![0-9A-Za-z])(?![./:_-][0-9])`,
  ].join(''),
  'g',
)

function oddlySeparatedIn(text: string): Finding[] {
  return spansOf(text, oddlySeparated, 'card').filter(({ start, end }) => {
    const number = text.slice(start, end)
    const sign = /[^0-9\s]/.exec(number)?.[0] ?? ''
    return isCardNumber(number.replaceAll(/[^0-9]/g, '')) && !isOfRow(text, { start, end }, sign)
  })
}

/** Whether what stands between the groups goes on to other numbers, or stands on both sides. */
function isOfRow(text: string, { start, end }: TextRange, sign: string): boolean {
  const [before, after] = [text.slice(Math.max(0, start - 4), start), text.slice(end, end + 4)]
  const [begins, ends] = [before.trimEnd().endsWith(sign), after.trimStart().startsWith(sign)]
  return (
    (begins && (ends || /[0-9]\s?\S\s?$/.test(before))) || (ends && /^\s?\S\s?[0-9]/.test(after))
  )
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

// Among other numbers of one line it is one of them. No office has given out what begins so.
const social = new RegExp(
  [
    String.raw`(?<![0-9A-Za-z.-]|\w_)(?:(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}`,
    String.raw`|(?<![0-9],? )(?!000|666|9)[0-9]{3} (?!00)[0-9]{2} (?!0000)[0-9]{4}`,
    String.raw`(?![ ,]{1,2}[0-9]))`,
    String.raw`(?![0-9A-Za-z]|_\w)(?! ?[.-] ?[0-9])`,
  ].join(''),
  'g',
)

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
    if (
      found === null ||
      wordBehind.test(text.slice(found.end, found.end + 2)) ||
      !passesMod97(found.joined)
    ) {
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
