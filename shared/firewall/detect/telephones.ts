// Telephone numbers. Groups of digits alone are none: a prefix makes them one, which is a `+` or
// `00`, a zero before the area, an area in parentheses, or the form of North America; or else a key
// word beside them. Behind a prefix they have to fit how numbers are given out there. Linear.
import { matchesIn } from './matches.ts'
import type { Finding } from './span.ts'
import { isInternational, isNational, isNorthAmerican } from './telephone-plans.ts'

/** Neither a word nor more digits go on before or behind it; `_` may be a sign of emphasis. */
const before = String.raw`(?<![0-9A-Za-z/]|\w_)(?<![0-9][.:-])`
const behindDigits = String.raw`(?<![0-9][ ./:-])`
const extension = '(?:[ ]?(?:x|ext\\.?)[ ]?[0-9]{1,6})?'
const noWord = String.raw`(?![0-9A-Za-z]|_\w)`
const after = String.raw`${noWord}(?![ ./:-][0-9])(?!,[0-9]{1,4}[ ])(?!/)`
/** In base 16 two digits stand beside two as well. */
const noBytes = String.raw`(?<![0-9][A-Fa-f] |[A-Fa-f][0-9] )`
const noBytesBehind = '(?! (?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{2,4}(?![0-9A-Za-z]))'

function zeroLed(piece: string): RegExp {
  return new RegExp(
    [
      `${before}${behindDigits}(?<![0-9A-F]?\\.)${noBytes}`,
      `${piece}${extension}${after}${noBytesBehind}`,
    ].join(''),
    'gi',
  )
}

// A line may end behind a group of a number that is wrapped.
const gap = String.raw`(?:[ ().\t-]{0,2}|\r?\n)`

/** What has one point and no other gap is a decimal fraction. */
const notFraction = String.raw`(?![0-9]+\.[0-9]+(?![0-9.]))`

const international = new RegExp(
  `${before}\\+${notFraction}[1-9](?:${gap}[0-9]){8,14}(?![0-9])${extension}${noWord}`,
  'gi',
)

const areaInParentheses = [
  String.raw`\((?:0[0-9]{1,4}|[1-9][0-9]{1,2})\)[ .-]?[0-9]{3,5}[ .-][0-9]{3,5}`,
  String.raw`\([1-9][0-9]{2,3}\)[ ]?[0-9]{3}-[0-9]{2}-[0-9]{2}`,
  String.raw`\(0[0-9]{1,4}\)[ ]?[0-9]{5,8}`,
].join('|')
const parentheses = new RegExp(
  [
    `(?<![0-9A-Za-z)]|\\w_)(?:${areaInParentheses})${extension}`,
    `${noWord}(?!\\.[0-9]|,[0-9]{3}(?![0-9]))`,
  ].join(''),
  'gi',
)

const northAmerica = new RegExp(
  [
    before,
    '(?:(?:1-)?[0-9]{3}-[0-9]{3}-[0-9]{4}|(?:1\\.)?[2-9][0-9]{2}\\.[0-9]{3}\\.[0-9]{4}',
    '|(?<![-,.0-9] ?)[2-9][0-9]{2} [0-9]{3}-[0-9]{4}(?![ ,-]{1,2}[0-9])',
    '|\\([2-9][0-9]{2}\\)[ ]?[0-9]{7}',
    '|1 8(?:00|33|44|55|66|77|88) [0-9]{3} [0-9]{4})',
    extension,
    `${noWord}(?![./-][0-9])(?!/)`,
  ].join(''),
  'gi',
)

const withCountry = zeroLed(
  String.raw`00[1-9][0-9]{0,2}(?<gap>[ .-])[0-9]{1,4}(?:\k<gap>[0-9]{2,8}){1,4}`,
)

/** The zero that is dialled before an area. */
const withZeros = [
  String.raw`0[1-9][0-9]{0,3}[ /-][0-9]{2,4}(?<gap>[ -])[0-9]{2,4}(?:\k<gap>[0-9]{2,4}){0,2}`,
  String.raw`0[1-9](?<gap>[.])[0-9]{2}(?:\k<gap>[0-9]{2}){3}`,
  String.raw`0[1-9][0-9]{1,3}[ /-][0-9]{6,8}`,
  String.raw`0[1-9][ /-](?!20[0-9]{6})[0-9]{7,8}`,
  String.raw`0[1-9][0-9]{4} [0-9]{5}`,
].map(zeroLed)

/** Dates have fewer, and rows of numbers have more. */
const digitsWithZero = { min: 9, max: 15 }

/** Behind one of these a number needs no sign between. */
const ofPhones = [
  '(?:tele|cell|mobile |home |work |office |smart)?phones?|fax|mobile|tel|whatsapp',
  'hotline|landline',
].join('|')
const label = [
  `${ofPhones}|cell|ph|sms|contact(?=[ _-](?:n|#))`,
  'desk|office|switchboard|telefono?|telefone|telefoon|handy|celular',
  'tel[eé]fono|t[eé]l[eé]phone|m[oó]vil|портативный|телефон|тел|моб|电话|手机|電話|携帯|전화',
].join('|')
const numbered = '(?:[ _-]?(?:numbers?|num|no\\.?|nr\\.?|line|#))?'
const quote = `["'\\s]{0,3}`
const written = String.raw`\+?[(0-9][0-9 ().-]{4,20}[0-9]`

const labelled = new RegExp(
  `(?<![\\p{L}])(?:${label})${numbered}${quote}[:=#.]${quote}(${written})(?![0-9A-Za-z])`,
  'dgiu',
)
/** What is counted is no telephone number. */
const counted =
  '(?![ ]?(?:[kmgt]?i?b|bytes?|times|users?|units?|calls?|rows?|lines?|words?|m?s|%)(?![a-z]))'
const beside = new RegExp(
  [
    `(?<![\\p{L}_.-])(?:(?:${ofPhones}|contact(?= n)|cell(?= n))${numbered}(?: is| are)?`,
    '|(?:my|our|h(?:is|er)|their|your) number(?: is|:)',
    `|(?:call|dial|ring|text|sms)(?: (?:me|us))?:?)[ ](${written})(?![0-9A-Za-z])${counted}`,
  ].join(''),
  'dgiu',
)
const spoken = new RegExp(
  [
    '(?<![a-z])(?:(?:call|phone|ring|text|reach|contact|dial|fax|whatsapp)(?: back)?',
    '(?: (?:me|us|h[ie][mr]|them|you|back|again|directly|someone)){0,2} (?:on|at|under|via)',
    '|dial|answering (?:at|on)|(?:messages|texts|sms|calls) (?:to|from|on|at)',
    '|registered(?: (?:phone|mobile|number)){0,2}|(?:phone|mobile|cell|fax) number is)',
    [
      ` (${written})(?=["')\\]\\s.,;!?]*(?:$|\\n|[.!?;,]|\\s[A-Z]|\\s(?:or|and|before|a`,
      `fter|to|if)\\b))`,
    ].join(''),
  ].join(''),
  'dgi',
)
const named = new RegExp(
  [
    `${before}${behindDigits}(${written})[ -]{1,2}\\(?(?:office|fax|mobile|cell|phone|t`,
    `el)\\)?(?=[ \\t]*(?:$|\\n|[.,;)\\\\]))`,
  ].join(''),
  'dgi',
)

const digitsBesideWord = { min: 7, max: 15 }

/** In order of where they begin. */
export function phonesIn(text: string): readonly Finding[] {
  const isDifference = difference.test(text)
  // Then a `+` at the start of a line is the sign of one that is added.
  const isAdded = ({ start }: Finding): boolean => {
    return isDifference && (start === 0 || text.charAt(start - 1) === '\n')
  }
  const found = [
    ...among(text, international, isInternational).filter((one) => !isAdded(one)),
    ...among(text, parentheses),
    ...among(text, northAmerica, isNorthAmerican).filter((one) => !isOfThing(text, one)),
    ...among(text, withCountry, (number) => isInternational(number.slice(2))),
    ...withZeros.flatMap((form) => {
      return among(text, form, isNational).filter((one) => hasDigits(text, one, digitsWithZero))
    }),
  ]
  return found.toSorted((one, other) => one.start - other.start)
}

/** Digits that only a word beside them makes a telephone number. */
export function phonesNamedIn(text: string): readonly Finding[] {
  return [labelled, spoken, named, beside].flatMap((form) => {
    return matchesIn(text, form).flatMap(({ indices }) => {
      const [start, end] = indices?.[1] ?? [0, 0]
      const found = { start, end, kind: 'phone' as const }
      if (form === beside && isMoment(text.slice(start, end))) return []
      return hasDigits(text, found, digitsBesideWord) ? [found] : []
    })
  })
}

const year = '(?:19|20)[0-9]{2}'
const dayOrMonth = '[ .-]?[0-3][0-9]'
const moment = new RegExp(
  [
    `^(?:${year}(?:${dayOrMonth}){2}|[0-3][0-9]${dayOrMonth}[ .-]?${year}`,
    `|${year}(?:[ -]{1,3}${year})+|1[5-9][0-9]{8})(?![0-9])`,
  ].join(''),
)

/** Whether digits are a date, years, or seconds since 1970. */
function isMoment(digits: string): boolean {
  return moment.test(digits)
}

const always = (): boolean => true

/** Those that hold without the extension behind them. */
function among(
  text: string,
  form: RegExp,
  holds: (number: string) => boolean = always,
): readonly Finding[] {
  return matchesIn(text, form).flatMap(({ 0: match, index }) => {
    const number = match.replace(/[ ]?(?:x|ext).*$/i, '')
    return holds(number)
      ? [{ start: index, end: index + match.length, kind: 'phone' as const }]
      : []
  })
}

const thing = [
  '(?:part|sku|serial|model|item|order|invoice|ticket|stock|lot|batch|catalog(?:ue)?|product',
  '|version|build|chapter|section|[ps]\\/n)',
].join('')
const behindThing = new RegExp(
  `\\b${thing}(?:[ _-]?(?:numbers?|num|no|nr|id))?[ .:=#"'_-]{0,4}$`,
  'i',
)
const beforeThing = new RegExp(`^[ ]{1,2}\\(?${thing}[ _-](?:numbers?|num|no|nr|id)\\b`, 'i')
const reach = 32

/** Whether a word beside it says that it is the number of a thing. */
export function isOfThing(text: string, { start, end }: Finding): boolean {
  return (
    behindThing.test(text.slice(Math.max(0, start - reach), start)) ||
    beforeThing.test(text.slice(end, end + reach))
  )
}

const difference = /^@@ -[0-9]/m

interface Bounds {
  readonly min: number
  readonly max: number
}

function hasDigits(text: string, { start, end }: Finding, { min, max }: Bounds): boolean {
  const count = text.slice(start, end).replaceAll(/[^0-9]/g, '').length
  return min <= count && count <= max
}
