// When something is to be: a day and an hour of a call must be such that people's own words can
// mean them, as far as these say when. What is moved by a distance is moved from where a list shows
// it, and keeps its length. Where the words leave the time open, any will do.
import { itemsOf, quotes } from '../together/said-values.ts'
import { imperatives, openings } from '../../grounding/moods.ts'
import { partsOfActs, sentencesOf } from '../naming.ts'
import { clocksSaid, type ClocksSaid, type MinuteSpan } from './clocks-said.ts'
import { daysSaid, withOrdinals } from './days-said.ts'
import { movesSaid } from './distances-said.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** What a call has of times, and what is shown of that which it changes. */
export interface TimeAround {
  /** All that people wrote. */
  readonly texts: readonly string[]
  /** Whether words speak of what the call is about. */
  readonly speaksOf: (words: string) => boolean
  readonly today: string | null
  /** When it begins and ends now. */
  readonly now: { readonly begins: string | null; readonly ends: string | null }
  /** Of an end, when that begins which is to end then. */
  readonly start: string | null
}

interface Said {
  readonly isDay: ((day: string) => boolean) | null
  readonly clocks: ClocksSaid
  readonly by: readonly number[]
  readonly lengths: readonly number[]
}

/** Null where the words leave it open; else whether they can mean it. */
export function canMean(form: string, around: TimeAround): boolean | null {
  const texts = around.texts.map(withOrdinals)
  if (form === around.today && isUndated(texts, around)) return null
  const said = saidIn(ofThis(texts, around, form.includes(' ')), around)
  if (around.start !== null) return canEnd(form, around.start, said, around)
  const { begins } = around.now
  const moves = begins === null ? [] : said.by.filter((by) => !isOtherWay(by, begins, said))
  if (said.isDay === null && isTimeless(said.clocks) && moves.length === 0) return null
  const [day = '', hour] = form.split(' ')
  if (moves.some((by) => begins !== null && moved(begins, by) === form)) return true
  const clock = hour === undefined ? null : minutesOf(hour)
  return (
    isDayMeant(day, moves, said, around) &&
    (clock === null || isClockMeant(clock, moves, said, around.now))
  )
}

/** A payment of today, of which people say no day where they speak of it. */
function isUndated(texts: readonly string[], around: TimeAround): boolean {
  const parts = texts.flatMap(sentencesOf).flatMap(partsOfActs).filter(around.speaksOf)
  const own = parts.map((part) => part.replaceAll(quotes, ' '))
  return own.length > 0 && own.every((part) => daysSaid(part, around.today).length === 0)
}

/** `A day back, to the 22nd`: the day says which way that is. */
function isOtherWay(by: number, begins: string, { isDay }: Said): boolean {
  const [here = '', there = ''] = [by, -by].map((one) => moved(begins, one).split(' ')[0])
  return isDay !== null && isDay(there) && !isDay(here)
}

function isTimeless({ hours, bounds }: ClocksSaid): boolean {
  return hours.length === 0 && bounds.length === 0
}

function saidIn(texts: readonly string[], { today }: TimeAround): Said {
  const found = texts.map((text) => ({ text, days: daysSaid(text, today) }))
  const days = found.flatMap((one) => one.days)
  // What is read as a day is no hour.
  const left = found.map(({ text, days: own }) => {
    return own.reduceRight(
      (rest, { at, end }) => `${rest.slice(0, at)}${',  '.padEnd(end - at)}${rest.slice(end)}`,
      text,
    )
  })
  const clocks = left.map(clocksSaid)
  const moves = left.map(movesSaid)
  return {
    isDay: days.length === 0 ? null : (day) => days.some((one) => one.isOf(day)),
    clocks: {
      hours: clocks.flatMap(({ hours }) => hours),
      bounds: clocks.flatMap(({ bounds }) => bounds),
    },
    by: moves.flatMap(({ by }) => by),
    lengths: moves.flatMap(({ lengths }) => lengths),
  }
}

/**
 * What is asked for it alone, where people ask for more than one thing: not what they want done to
 * something else.
 */
function ofThis(
  texts: readonly string[],
  { speaksOf }: TimeAround,
  hasHour: boolean,
): readonly string[] {
  const parts = texts.flatMap(sentencesOf).flatMap(partsOfActs)
  if (!parts.some(speaksOf)) return texts
  // A date by itself is of a payment or the like: what is stated of a visit is not about it.
  const isAlone = hasHour || !parts.some((part) => !speaksOf(part) && beginsAct.test(part))
  const begin = parts.findIndex(speaksOf)
  return parts.flatMap((part, index) => {
    const starts = itemsOf(part)
    const items = starts.map((start, at) => part.slice(start, starts[at + 1]))
    const first = items.findIndex((item) => {
      return speaksOf(item) || (index >= begin && goesOn.test(item))
    })
    if (first === -1) return beginsAct.test(part) || !isAlone ? [] : [part]
    const last = items.findIndex((item, at) => at > first && isOther(item))
    const from = isOther(items[first] ?? '') ? first : 0
    return [items.slice(from, last === -1 ? undefined : last).join('')]
  })
}

/** An act, or an entry of a list. */
const beginsAct = new RegExp(
  `^\\W*(?:(?:${openings})\\W+)*(?:${imperatives})\\b|^\\s*(?:[-*•]|\\d+[.)])\\s`,
  'i',
)
/** It goes on with what was spoken of before; `ann@shop.it` does not. */
const goesOn = /(?<![.@/-])\b(?:it|this|that|them|these|those|they)\b(?![@-]|\.\w)/i

/** `and the dinner to …` begins with a thing of its own. */
function isOther(item: string): boolean {
  return /^\W*(?:and|then|but)\W+(?:then )?(?:the|my|our|an?) \p{L}+ (?:to|on|at|by)\b/iu.test(item)
}

function isDayMeant(
  day: string,
  moves: readonly number[],
  said: Said,
  { now }: TimeAround,
): boolean {
  const present = now.begins?.split(' ')[0]
  const byDays = moves.filter((by) => by % dayMinutes === 0)
  if (present !== undefined && now.begins !== null) {
    const begins = now.begins
    if (byDays.some((by) => moved(begins, by).startsWith(day))) return true
    const isKept =
      said.isDay === null
        ? byDays.length === 0
        : !isTimeless(said.clocks) || moves.length > byDays.length
    if (day === present && isKept) return true
    return said.isDay?.(day) === true
  }
  return said.isDay === null || said.isDay(day)
}

function isClockMeant(
  clock: number,
  moves: readonly number[],
  { clocks }: Said,
  now: TimeAround['now'],
): boolean {
  const [present, presentEnd] = [now.begins, now.ends].map(clockOf)
  const shifted =
    present === undefined
      ? []
      : moves
          .filter((by) => by % dayMinutes !== 0)
          .map((by) => (present + by + 2 * dayMinutes) % dayMinutes)
  if (shifted.includes(clock)) return true
  // `(23 May 16:00-17:00)` is when it is now.
  const isNow = clocks.hours.some((spans) => present !== undefined && isAmong(present, spans))
  const others = clocks.hours.filter((spans) => {
    const kept = isNow ? [present, presentEnd] : [present]
    return !kept.some((one) => one !== undefined && isAmong(one, spans))
  })
  if (others.length > 0) return others.some((spans) => isAmong(clock, spans))
  if (clocks.hours.length > 0) {
    return clocks.hours.some((spans) => isAmong(present ?? -1, spans) && isAmong(clock, spans))
  }
  if (clocks.bounds.length > 0) return clocks.bounds.every((span) => isWithin(clock, span))
  if (present === undefined) return true
  return shifted.length === 0 && clock === present
}

function isAmong(clock: number, spans: readonly MinuteSpan[]): boolean {
  return spans.some((span) => isWithin(clock, span))
}

function isWithin(clock: number, [from, to]: MinuteSpan): boolean {
  return clock >= from && clock <= to
}

/** Whether it may end then, as the words, its length so far, or a day alone say. */
function canEnd(
  form: string,
  start: string,
  { isDay, clocks, lengths }: Said,
  { now }: TimeAround,
): boolean | null {
  const [day = '', hour] = form.split(' ')
  const [first = '', from] = start.split(' ')
  if (hour === undefined || from === undefined) return day === first || isDay?.(day) === true
  const long = between(start, form)
  if (long <= 0) return false
  const length = now.begins === null || now.ends === null ? null : between(now.begins, now.ends)
  const isOpen = isDay === null && isTimeless(clocks) && lengths.length === 0
  if (isOpen && length === null) return null
  if (lengths.some((one) => one === long)) return true
  if (length !== null && length === long) return true
  const begin = minutesOf(from)
  const others = clocks.hours.filter((spans) => !isAmong(begin, spans))
  const isNear = long <= dayMinutes || isDay?.(day) === true
  if (others.length > 0) return isNear && others.some((spans) => isAmong(minutesOf(hour), spans))
  if (length !== null || lengths.length > 0) return false
  return isNear
}

function clockOf(form: string | null): number | undefined {
  return form === null ? undefined : minutesOf(form.split(' ')[1] ?? '00:00')
}

function minutesOf(hour: string): number {
  const [hours = 0, minutes = 0] = hour.split(':').map(Number)
  return hours * 60 + minutes
}

function stampOf(form: string): number {
  const [day = '', hour = '00:00'] = form.split(' ')
  return Date.parse(`${day}T${hour}:00Z`)
}

function between(from: string, to: string): number {
  return (stampOf(to) - stampOf(from)) / minuteMs
}

function moved(form: string, by: number): string {
  return new Date(stampOf(form) + by * minuteMs).toISOString().slice(0, 16).replace('T', ' ')
}
