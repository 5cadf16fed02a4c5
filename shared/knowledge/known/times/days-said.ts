// Which days people's own words speak of: by date, by weekday, or by their distance from today.
// Words that may mean several leave each of them; what is past is no day to plan.
import { months, weekdays } from '../sentences/date-sets.ts'
import { smallNumber, units } from '../sentences/number-words.ts'

/** A day or some days, and where they stand in the words. */
export interface DaySaid {
  readonly at: number
  readonly end: number
  readonly isOf: (day: string) => boolean
}

const dayMs = 86_400_000
const ordinals = (
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth ' +
  'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
).split(' ')
const names =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?' +
  '|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
const nth = `(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:%]|\\.\\d)`
/** In `28 May 12-13` the month has its day already. */
const freshMonth = '(?<!\\d(?:st|nd|rd|th)? (?:of )?)\\b'
const year = '(?:,? (\\d{4}))?'
const count = `(\\d{1,2}|an?|${units.join('|')})`

/** `the thirty-first of May` as `the 31 of May`. */
export function withOrdinals(text: string): string {
  const dayOf = (word: string): string => String(ordinals.indexOf(word.toLowerCase()) + 1)
  const tens = `\\b(twenty|thirty)[- ](${ordinals.slice(0, 9).join('|')})\\b`
  const single = `\\b(${ordinals.join('|')})\\b`
  return text
    .replaceAll(/\bthirtieth\b/gi, '30')
    .replaceAll(new RegExp(tens, 'gi'), (_, ten: string, one: string) => {
      return String((/^tw/i.test(ten) ? 20 : 30) + Number(dayOf(one)))
    })
    .replaceAll(new RegExp(`${single}(?= (?:of )?${names})`, 'gi'), dayOf)
    .replaceAll(new RegExp(`(?<=\\b${names} (?:the )?)${single}`, 'gi'), (_, __, one: string) =>
      dayOf(one),
    )
}

interface Reading {
  /** Which day it is, in milliseconds; not a number where nothing shows it. */
  readonly base: number
}

type IsOf = DaySaid['isOf']
type Way = readonly [string, (found: RegExpMatchArray, reading: Reading) => IsOf | null]

const anyDay: IsOf = () => true
const two = (text: string): string => text.padStart(2, '0')

function ofDate(month: number, day: string, named: string | undefined, { base }: Reading): IsOf {
  const end = `-${two(String(month))}-${two(day)}`
  const thisYear = Number.isNaN(base) ? null : new Date(base).getUTCFullYear()
  return (one) => {
    if (!one.endsWith(end)) return false
    const own = Number(one.slice(0, 4))
    if (named !== undefined) return own === Number(named)
    return thisYear === null || own === thisYear || own === thisYear + 1
  }
}

/** From the one to the other; where it is only these two, those between are meant as well. */
function someDays(
  month: number,
  [from, to]: readonly [string, string],
  named: string | undefined,
  reading: Reading,
): IsOf {
  const length = Math.max(0, Number(to) - Number(from)) + 1
  const all = Array.from({ length }, (_, at) =>
    ofDate(month, String(Number(from) + at), named, reading),
  )
  return (day) => all.some((isOf) => isOf(day))
}

/** That day of a month is the next one. */
function nextOf(day: string, base: number): IsOf {
  const near = between(base, 0, 31)
  return (one) => one.endsWith(`-${two(day)}`) && near(one)
}

function between(base: number, from: number, to: number): IsOf {
  if (Number.isNaN(base)) return anyDay
  return (one) => {
    const ahead = (Date.parse(`${one}T00:00:00Z`) - base) / dayMs
    return ahead >= from && ahead <= to
  }
}

function numberIn(word: string): number {
  return /^an?$/i.test(word) ? 1 : smallNumber(word)
}

const monthOf = (word: string): number => months.indexOf(word.toLowerCase().slice(0, 3)) + 1

const patterns: readonly Way[] = [
  [
    '\\b\\d{4}-\\d{2}-\\d{2}\\b',
    ([day]) =>
      (one) =>
        one === day,
  ],
  [
    `${freshMonth}${names} (?:the )?${nth}${year}`,
    ([, month = '', day = '', y], reading) => ofDate(monthOf(month), day, y, reading),
  ],
  [
    `\\b${nth}(?: day)?(?: of)? ${names}\\b${year}`,
    ([, day = '', month = '', y], reading) => ofDate(monthOf(month), day, y, reading),
  ],
  [
    '\\b(\\d{1,2})([./])(\\d{1,2})(?:\\2(\\d{4})?(?!\\d)|(?![\\d.]))(?! ?[ap]\\.?m)',
    ([, one = '', mark, other = '', y], reading) => {
      if (mark === '.' && y === undefined && Number(other) > 12) return null
      const [first, second] = [
        ofDate(Number(other), one, y, reading),
        ofDate(Number(one), other, y, reading),
      ]
      return (day) => first(day) || second(day)
    },
  ],
  [
    '\\b(?:today|tonight|this (?:morning|afternoon|evening))\\b',
    (_, { base }) => between(base, 0, 0),
  ],
  ['\\bthe day after tomorrow\\b', (_, { base }) => between(base, 2, 2)],
  ['\\b(?<!day after )tomorrow\\b', (_, { base }) => between(base, 1, 1)],
  [
    `\\b(?:(next|last|past|previous|every|each|this|coming) )?(${weekdays.join('|')})s?\\b` +
      `( (?:of|in) (?=${names}))?`,
    ([, next = '', day = '', ofMonth], { base }) => {
      if (/^(?:last|past|previous)$/i.test(next) && ofMonth === undefined) return null
      const isIt = onWeekday(day)
      const far = /^(?:every|each|last)$/i.test(next) ? 366 : /^next$/i.test(next) ? 14 : 7
      const near = between(base, 0, far)
      return (one) => isIt(one) && near(one)
    },
  ],
  [
    `\\bin ${count} (day|week|fortnight)s?\\b`,
    ([, many = '', unit = ''], { base }) => {
      const days = numberIn(many) * (/^d/i.test(unit) ? 1 : /^w/i.test(unit) ? 7 : 14)
      return between(base, days, days)
    },
  ],
  [
    `\\b${count} (day|week)s? from (?:today|now)\\b`,
    ([, many = '', unit = ''], { base }) => {
      const days = numberIn(many) * (/^d/i.test(unit) ? 1 : 7)
      return between(base, days, days)
    },
  ],
  ['\\bnext (?:week|weekend)\\b', (_, { base }) => between(base, 1, 14)],
  [
    '\\b(?:this|the coming) (?:week|weekend)\\b|\\bat the weekend\\b',
    (_, { base }) => between(base, 0, 7),
  ],
  ['\\bnext month\\b', (_, { base }) => between(base, 1, 62)],
  [
    `\\b(?:in|of|during|early|late|mid|and) (?:next )?${names}(?! \\d)`,
    ([, month = '']) =>
      (one) =>
        Number(one.slice(5, 7)) === monthOf(month),
  ],
  [
    `(?<![:.])\\b${nth}( ?(?:-|–|to|till|until|through|and|&|,) ?)${nth}(?: of)? ${names}${year}`,
    ([, from = '', , to = '', month = '', y], reading) =>
      someDays(monthOf(month), [from, to], y, reading),
  ],
  [
    `${freshMonth}${names} (?:the )?${nth}( ?(?:-|–|to|till|until|through|and|&) ?)${nth}` +
      `(?! ?[ap]\\.?m)${year}`,
    ([, month = '', from = '', , to = '', y], reading) =>
      someDays(monthOf(month), [from, to], y, reading),
  ],
  ['\\b(?:right )?now\\b|\\bimmediately\\b|\\bat once\\b', (_, { base }) => between(base, 0, 0)],
  [
    '\\b(?:(?:on|for|to|by) the |(?<=day,? (?:the )?))(\\d{1,2})(?:st|nd|rd|th)\\b',
    ([, day = ''], { base }) => nextOf(day, base),
  ],
  [
    '\\bthe (\\d{1,2})(?:st|nd|rd|th)? of (?:this|the) month\\b',
    ([, day = ''], { base }) => nextOf(day, base),
  ],
]

const ways = patterns.map(([pattern, isOfIn]) => [new RegExp(pattern, 'gi'), isOfIn] as const)

/** It says of which mail or person people speak, or what was. */
const ofOther = new RegExp(
  '(?:\\b(?:(?:e-?)?mails?|messages?|notes?|letters?|invitations?|bills?|invoices?)' +
    '(?: [\\w-]+){0,2} (?:of|from|on|dated)' +
    '|\\b(?:born|since|dated|birthday(?: is)?(?: on)?|ago))(?: the)?[ (:]*$',
  'i',
)
/** It is the day that is not to be. */
const unmeant = /\b(?:not|instead of|rather than)(?: (?:on|the|for))* $/i
const theirs = /^(?:['’]s)? (?:(?:e-?)?mails?|messages?|notes?|letters?|invitations?)\b/i

/** Each day that the words speak of as one to come. */
export function daysSaid(words: string, today: string | null): readonly DaySaid[] {
  const base = today === null ? Number.NaN : Date.parse(`${today}T00:00:00Z`)
  const found = ways.flatMap(([pattern, isOfIn]) => {
    return [...words.matchAll(pattern)].flatMap((one): DaySaid[] => {
      const end = one.index + one[0].length
      if (
        [ofOther, unmeant].some((is) => is.test(words.slice(0, one.index))) ||
        theirs.test(words.slice(end))
      )
        return []
      const isOf = isOfIn(one, { base })
      return isOf === null ? [] : [{ at: one.index, end, isOf }]
    })
  })
  return joined(words, apart(found))
}

/** Of two that stand in one place the longer. */
function apart(found: readonly DaySaid[]): readonly DaySaid[] {
  const longest = found.toSorted((a, b) => b.end - b.at - (a.end - a.at) || a.at - b.at)
  const kept: DaySaid[] = []
  for (const one of longest) {
    if (!kept.some((other) => one.at < other.end && other.at < one.end)) kept.push(one)
  }
  return kept.toSorted((a, b) => a.at - b.at)
}

const sameDay = /^(?:,|\(|\s|\bthe\b|\bon\b|\bmorning\b|\bafternoon\b|\bevening\b|['’]s)*$/i
const isWeekday = new RegExp(
  `^(?:.* )?(?:${weekdays.join('|')})s?|^(?:today|tonight|tomorrow|the day after)`,
  'i',
)

const weekdayAlone = new RegExp(`^(?:this |coming |next )?(${weekdays.join('|')})$`, 'i')

function onWeekday(named: string): IsOf {
  const index = weekdays.indexOf(named.toLowerCase())
  return (day) => new Date(`${day}T00:00:00Z`).getUTCDay() === index
}

/** `Friday, 24 May` is one day. */
function joined(words: string, found: readonly DaySaid[]): readonly DaySaid[] {
  const all: DaySaid[] = []
  for (const one of found) {
    const last = all.at(-1)
    const isSame =
      last !== undefined &&
      sameDay.test(words.slice(last.end, one.at)) &&
      [last, one].some(({ at, end }) => isWeekday.test(words.slice(at, end)))
    if (isSame) {
      // Beside a date a weekday may be of any week.
      const [before, after] = [last, one].map(({ isOf, at, end }) => {
        const [, named] = weekdayAlone.exec(words.slice(at, end)) ?? []
        return named === undefined ? isOf : onWeekday(named)
      })
      const isOf: IsOf = (day) => before?.(day) === true && after?.(day) === true
      all[all.length - 1] = { at: last.at, end: one.end, isOf }
    } else all.push(one)
  }
  return all
}
