// All things of a day, or of a part of it, that people mean: `everything tomorrow after noon`. A
// day that is given by its distance needs a result that shows which day it is. In doubt no set is
// meant.

import { caseFold } from '#record/case-fold'
import { partsOfActs, sentencesOf } from '../naming.ts'

interface Span {
  readonly days: (day: string) => boolean
  /** Minutes of the day, from the first to before the last. */
  readonly from: number
  readonly to: number
}

const all = new RegExp(
  '\\b(?:(?:all|every|everything|each|any|whatever|(?:my|our) (?:whole|entire))\\b' +
    '|(?:clear|free|empty)\\b[^.]{0,24}' +
    '\\b(?:calendar|schedule|diary|day|afternoon|morning)\\b)',
  'i',
)
const things =
  'appointments?|events?|meetings?|entries|entry|calendar|schedule|diary|day|everything' +
  '|afternoon|morning|whatever|(?:mon|tues|wednes|thurs|fri|satur|sun)day'
export const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
export const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const dayMs = 86_400_000

/** One thing that begins at a time. */
interface Begins {
  /** As `2024-05-20T13:00:00`. */
  readonly time: string
  readonly called: readonly string[]
  /** The addresses of those who take part. */
  readonly with: readonly string[]
}

interface Meant {
  readonly thing: string
  /** Which day it is; null where nothing shows it. */
  readonly today: string | null
  /** What people wrote: of each sentence what stands before a word against it, and what after. */
  readonly sentences: readonly { readonly meant: string; readonly denied: string }[]
  /** All that they wrote, of which these sentences may be a part. */
  readonly whole: readonly string[]
  /** What each thing of the kind is called that a result lists. */
  readonly listed: readonly (readonly string[])[]
}

/** Whether people's words mean each thing that begins then. */
export function meansAllAt(
  one: Begins,
  { thing, today, sentences, listed, whole }: Meant,
): boolean {
  const [, day, hours = '', minutes = ''] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})/.exec(one.time) ?? []
  if (day === undefined) return false
  const at = Number(hours) * 60 + Number(minutes)
  const noun = new RegExp(`\\b(?:${things}|${thing}s?)\\b`, 'i')
  const own = sentences.map(({ meant, denied }) => `${meant}${denied}`)
  return own.some((sentence) => {
    // What is done besides has times of its own.
    return partsOfActs(sentence).some((part, _, parts) => {
      const [act = ''] = part.split(besides)
      const exception = act.search(except)
      const set = exception === -1 ? act : act.slice(0, exception)
      const clause = moving.exec(set)?.[1] ?? set
      const head = all.exec(clause)
      if (head === null || !noun.test(clause) || against.test(clause)) return false
      const others = [...whole.flatMap(sentencesOf), ...parts].filter(
        (each) => !each.includes(part),
      )
      const kept = others.filter((each) => keeping.test(each))
      const spared = [exception === -1 ? '' : act.slice(exception), ...kept]
      const span = spanIn(clause, { today, whole })
      if (span === null || !span.days(day) || at < span.from || at >= span.to) return false
      return isOfThese(span.rest, one, thing) && !isSpared(one, spared, listed)
    })
  })
}

/** `Move my whole Thursday to Friday` moves what is there now. */
const moving = /^(\W*(?:please )?(?:move|shift|reschedule|postpone|push)\b(?:(?! from\b).)*?) to\b/i

const besides = new RegExp(
  ',\\s+(?:and|then|so|because|since|as)\\s|\\b(?:because|since) (?:I|we|of)\\b' +
    '|\\band (?:t[e]ll|inform|write|mail|let|remind|notify)\\b',
  'i',
)
const except = new RegExp(
  ',?\\s*\\b(?:except|excepting|but|apart from|other than|besides|excluding|save for|keep' +
    '|only(?= [^.]*\\b(?:stays?|remains?)\\b))\\b',
  'i',
)
const against = /\b(?:not|no|never|neither|nor|without|avoid|instead|ignore|unless|don['’]?t)\b/i
const keeping = new RegExp(
  "\\b(?:keep|leave|spare|save for|except|retain|don['’]?t (?:cancel|touch|delete|move)" +
    '|stays?|remains?)\\b',
  'i',
)

/** What may stand beside the set without a say in it. */
const mute = new RegExp(
  '\\b(?:please|could|can|would|you|just|the|my|our|of|on|in|for|from|at|that|which|are|is|I|we' +
    '|it|have|has|got|there|every|all|each|any|everything|else|single|planned|scheduled|up|coming' +
    '|calendar|schedule|diary|day|days|time|period|week|cancel|delete|remove|clear|drop|free' +
    '|empty|get|rid|whole|entire|whatever|gets?|cancell?ed' +
    '|this|these|those|and|them|then|due|take|takes|place|out|off' +
    '|find|look|move|shift|postpone|reschedule|push|by|an?|half|hours?|minutes?|later|earlier' +
    '|back|now|today|entries|entry)\\b',
  'gi',
)
const quoted = /\b(?:called|named|titled|with the (?:title|name))\s+["'“‘]([^"'”’]+)["'”’]/gi

const withPerson = /\bwith ([A-Z]\p{L}{2,})(?= |\W*$)/gu

/** Whether the words beside the set say which it is, and this is one of them. */
function isOfThese(rest: string, { called, with: who }: Begins, thing: string): boolean {
  const titles = called.map(caseFold)
  const shown = [...titles, ...who.map(caseFold)].map(foldedWords)
  const quotes = [...rest.matchAll(quoted)].map(([, title = '']) => caseFold(title))
  const persons = [...rest.matchAll(withPerson)].map(([, name = '']) => caseFold(name))
  const left = rest
    .replaceAll(quoted, ' ')
    .replaceAll(withPerson, ' ')
    .replaceAll(new RegExp(`\\b(?:${things}|${thing}s?)\\b`, 'gi'), ' ')
    .replaceAll(mute, ' ')
  return (
    quotes.every((title) => titles.includes(title)) &&
    persons.every((name) => shown.some((words) => words.includes(name))) &&
    !/[\p{L}\p{N}]/u.test(left)
  )
}

/** Whether it is what is to be kept; in doubt which one that is, all are. */
function isSpared({ called }: Begins, spared: readonly string[], listed: Meant['listed']): boolean {
  return spared.some((text) => {
    const words = foldedWords(text.replace(except, ' ').replace(keeping, ' ').replaceAll(mute, ' '))
    const kept = words.filter(
      (word) => !/^(?:for|but|not|other|than|appointment|event|meeting|with|one)s?$/.test(word),
    )
    if (kept.length === 0) return text !== ''
    if (called.some((name) => kept.some((word) => foldedWords(name).includes(word)))) return true
    // No title shows for sure which is `the one with Ann`.
    return (
      /\bone\b/i.test(text) ||
      !listed.some((names) => {
        return names.some((name) => kept.every((word) => foldedWords(name).includes(word)))
      })
    )
  })
}

/** Letters and digits that stand together, whatever their case. */
export function foldedWords(text: string): readonly string[] {
  return caseFold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

interface Dated {
  readonly today: string | null
  /** All that people wrote. */
  readonly whole: readonly string[]
}

function spanIn(clause: string, { today, whole }: Dated): (Span & { rest: string }) | null {
  const that = /\b(?:in|during|of|on) (?:that|this same|the same) (?:week|time|period|days)\b/i
  const isThat = that.test(clause)
  const named = isThat ? whole.join('\n').replace(that, ' ') : clause
  const spread = spreadDays(named)
  const found = [...daysIn(spread, today)]
  const days = found.map(({ day }) => day)
  if (days.length === 0 || days.includes(doubtful)) return null
  const ends = rangeIn(spread, found)
  if (isThat && ends === null) return null
  const isAmong =
    ends === null
      ? (day: string) => days.some((each) => isDay(each, day))
      : (day: string) => isBetween(day, ends)
  // What is left of times must be understood as a whole.
  const own = isThat ? clause.replace(that, ' ') : withoutDays(spread, found, ends !== null)
  const [part, rest] = partOf(own)
  return unread.test(rest) ? null : { days: isAmong, ...part, rest }
}

const unread =
  /\b(?:after|before|until|till|from|since|between|evening|night|noon|\d{1,2}:\d\d|[ap]m)\b/i
const noon = 12 * 60
const wholeDay = { from: 0, to: 24 * 60 }

/** `20 and 21 May` as `20 May and 21 May`. */
function spreadDays(text: string): string {
  const nth = '(\\d{1,2})(?:st|nd|rd|th)?'
  const month = `(?:${months.join('|')})[a-z]*`
  return text
    .replaceAll(
      new RegExp(`\\b${nth}(?: of)?( and | & |, ?)(?=${nth}(?: of)? (${month})\\b)`, 'gi'),
      (_, day: string, join: string, __: string, name: string) => `${day} ${name}${join}`,
    )
    .replaceAll(
      new RegExp(`\\b(${month}) ${nth}( and | & |, ?)${nth}\\b(?! ?(?:[ap]m|:))`, 'gi'),
      (_, name: string, one: string, join: string, two: string) =>
        `${name} ${one}${join}${name} ${two}`,
    )
}

/** From one day to another, where the words mean that. */
function rangeIn(text: string, found: readonly DayFound[]): readonly [string, string] | null {
  const [first, second, ...more] = found
  if (first === undefined || second === undefined || more.length > 0) return null
  const before = text.slice(0, first.at)
  const between = text.slice(first.at + first.text.length, second.at)
  const isRange =
    (/\bfrom (?:the )?$/i.test(before) &&
      /^ (?:to|until|till|through) (?:the )?$/i.test(between)) ||
    (/\bbetween (?:the )?$/i.test(before) && /^ and (?:the )?$/i.test(between)) ||
    /^(?: ?[-–] ?| (?:to|until|through) )$/.test(between)
  return isRange && first.day <= second.day ? [first.day, second.day] : null
}

function withoutDays(text: string, found: readonly DayFound[], isRange: boolean): string {
  let left = text
  for (const { at, text: day } of found.toReversed()) {
    left = `${left.slice(0, at)} ${left.slice(at + day.length)}`
  }
  return isRange
    ? left.replace(
        /\b(?:from|between)\s+(?:the )?\s*(?:to|until|till|through|and|[-–])(?: the)?/i,
        ' ',
      )
    : left
}

/** Without a year it is that day of any. */
function isDay(meant: string, day: string): boolean {
  return meant.startsWith('-') ? day.endsWith(meant) : meant === day
}

function isBetween(day: string, [first, last]: readonly [string, string]): boolean {
  const own = first.startsWith('-') ? day.slice(4) : day
  return own >= first && own <= last
}

/** The part of the day, and the words without it. */
function partOf(clause: string): readonly [{ from: number; to: number }, string] {
  const parts: readonly [RegExp, (hour: number) => { from: number; to: number }][] = [
    [/\bafter (?:noon|lunchtime)\b/i, () => ({ from: noon + 1, to: wholeDay.to })],
    [/\bfrom noon(?: on(?:wards?)?)?\b/i, () => ({ from: noon, to: wholeDay.to })],
    [/\b(?:in the |'s |’s )?afternoon\b/i, () => ({ from: noon, to: 18 * 60 })],
    [/\b(?:in the |'s |’s )?evening\b/i, () => ({ from: 17 * 60, to: wholeDay.to })],
    [/\b(?:in the |'s |’s )?morning\b/i, () => ({ from: 0, to: noon })],
    [/\bbefore noon\b/i, () => ({ from: 0, to: noon })],
    [/\bafter (\d{1,2}(?::\d\d)?) ?([ap]m)?\b/i, (at) => ({ from: at + 1, to: wholeDay.to })],
    [
      /\bfrom (\d{1,2}(?::\d\d)?) ?([ap]m)?(?: on(?:wards?)?)?\b/i,
      (at) => ({ from: at, to: wholeDay.to }),
    ],
    [/\bbefore (\d{1,2}(?::\d\d)?) ?([ap]m)?\b/i, (at) => ({ from: 0, to: at })],
  ]
  for (const [pattern, spanOf] of parts) {
    const found = pattern.exec(clause)
    if (found === null) continue
    const [, clock = '0', half = ''] = found
    const at = minutesOf(clock, half)
    // `after 3` may be in the night.
    const isOpen = found[1] !== undefined && half === '' && !clock.includes(':')
    if (isOpen || at === null) continue
    return [spanOf(at), clause.replace(pattern, ' ')]
  }
  return [wholeDay, clause]
}

function minutesOf(clock: string, half: string): number | null {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  if (hour > 24 || minute > 59 || (half !== '' && (hour < 1 || hour > 12))) return null
  const late = half.toLowerCase() === 'pm' && hour !== 12 ? 12 : 0
  const early = half.toLowerCase() === 'am' && hour === 12 ? -12 : 0
  return (hour + late + early) * 60 + minute
}

const doubtful = 'doubtful'

interface DayFound {
  /** As `2024-05-20`, or `-05-20` where no one knows the year. */
  readonly day: string
  readonly at: number
  readonly text: string
}

/** Each day that is named, in the order of the words. */
function daysIn(clause: string, today: string | null): readonly DayFound[] {
  const base = today === null ? Number.NaN : Date.parse(`${today}T00:00:00Z`)
  const name = `(${months.join('|')})[a-z]*`
  const nth = '(\\d{1,2})(?:st|nd|rd|th)?(?!:?\\d)'
  const ways: readonly (readonly [string, (one: RegExpMatchArray) => string])[] = [
    ['\\b\\d{4}-\\d{2}-\\d{2}\\b', ([day]) => day],
    [`\\b${name} ${nth}\\b`, ([, month = '', day = '']) => dateOf(base, month, day)],
    [
      `\\b(?:the )?${nth}(?: of)? ${name}\\b`,
      ([, day = '', month = '']) => dateOf(base, month, day),
    ],
    [
      '\\b(?:the day after tomorrow|today|tomorrow)\\b',
      ([word]) => {
        return plus(base, { today: 0, tomorrow: 1 }[word.toLowerCase()] ?? 2)
      },
    ],
    [
      `\\b(next |last |every |this |coming )?(${weekdays.join('|')})s?\\b`,
      ([, next = '', day = '']) => {
        // `next Monday` is one of two days.
        if (!/^(?:|this |coming )$/i.test(next)) return doubtful
        const ahead = (weekdays.indexOf(day.toLowerCase()) - new Date(base).getUTCDay() + 7) % 7
        return ahead === 0 ? doubtful : plus(base, ahead)
      },
    ],
    ['\\b(?:week|month|weekend|yesterday)\\b', () => doubtful],
  ]
  const found = ways.flatMap(([words, dayOf]) => {
    return [...clause.matchAll(new RegExp(words, 'gi'))].map((each) => {
      return { day: dayOf(each), at: each.index, text: each[0] }
    })
  })
  return found.toSorted((a, b) => a.at - b.at)
}

function plus(base: number, days: number): string {
  return Number.isNaN(base) ? 'doubtful' : new Date(base + days * dayMs).toISOString().slice(0, 10)
}

/** The one of this year; without a day of today no one knows which year it is. */
function dateOf(base: number, month: string, day: string): string {
  const index = months.indexOf(month.toLowerCase().slice(0, 3))
  const year = Number.isNaN(base) ? 2024 : new Date(base).getUTCFullYear()
  const date = new Date(Date.UTC(year, index, Number(day))).toISOString().slice(0, 10)
  return Number.isNaN(base) ? date.slice(4) : date
}
