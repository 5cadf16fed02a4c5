// Which hours people's own words speak of: `from 7 to 9 in the evening`, `at half past ten`, `after
// lunch`. An hour of which they leave open in which half of the day it is may be in both.
import { smallNumber, units } from '../sentences/number-words.ts'

const anyHour = `(?:\\d{1,2}|${units.join('|')})`

/** A span of minutes of the day, with its ends. */
export type MinuteSpan = readonly [number, number]

export interface ClocksSaid {
  /** Each hour that is named, as the spans in which it can be: one a half of the day. */
  readonly hours: readonly (readonly MinuteSpan[])[]
  /** Where all must be that has no hour: `in the evening`, `after ten`. */
  readonly bounds: readonly MinuteSpan[]
}

/** An hour as it is written, before it is known in which half of the day it is. */
interface Hour {
  readonly at: number
  readonly end: number
  readonly minutes: number
  readonly half: 'early' | 'late' | 'surely' | null
}

const half =
  "(?: ?(?<half>[ap])\\.?m\\b\\.?|(?: o['’]?clock)?,? (?:(?:in the|at|on \\w+) )?" +
  "(?<part>morning|afternoon|evening|night)\\b| o['’]?clock)"
const goesOn =
  'to|till|until|and|or|on|in|at|for|with|today|tomorrow|tonight|please|of|by|this|next|sharp' +
  '|instead|if|so|then|but|as|when|because|put|from|every|each|also|now|sunday|monday|tuesday' +
  '|wednesday|thursday|friday|saturday'
/** What stands after a bare number that counts nothing: no word but these. */
const alone = `(?![\\p{L}\\p{N}$€£%@/_]|[.:,-][\\p{L}\\p{N}]| ?[%$€£]| (?!(?:${goesOn})\\b)\\p{L})`
const leads = 'at|from|until|till|by|to|before|after|between|and|around|about|than|of'
const dash = ' ?(?:-|–|—) ?| (?:to|till|until) '
const notPart = '(?<![\\p{L}\\p{N}.:/_-])'

const forms = [
  `(?<!\\b(?:from|between) )${notPart}(?<past>half|(?:a )?quarter|(?:\\d{1,2}|\\p{L}+) minutes` +
    `|five|ten|twenty) (?<way>past|to) (?<hour>${anyHour})(?![\\p{L}\\p{N}:]|\\.\\d)${half}?`,
  `(?<![\\p{L}\\p{N}.:/_]|(?<!\\d)-)(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?!\\d)(?::\\d\\d)?` +
    `${half}?`,
  `${notPart}(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?!\\d)${half}`,
  `(?<=\\b(?:at|from|till|until) )(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)${alone}`,
  `${notPart}(?<hour>${anyHour})${half}`,
  `${notPart}(?<named>noon|midday|midnight)(?!\\p{L})`,
  `(?<=\\b(?:${leads}) )(?<hour>${anyHour})${alone}`,
  `${notPart}(?<hour>${anyHour})(?=(?:${dash})${anyHour}(?:${alone}|:\\d\\d|${half}))`,
  `(?<=(?<![\\p{L}\\p{N}.:/_-])${anyHour}(?:${dash}))(?<hour>${anyHour})${alone}`,
].map((one) => new RegExp(one, 'giu'))

function hoursIn(text: string): readonly Hour[] {
  const found: Hour[] = []
  for (const form of forms) {
    for (const { 0: whole, index: at, groups = {} } of text.matchAll(form)) {
      const end = at + whole.length
      const hour = hourOf(groups)
      if (hour === null || found.some((one) => at < one.end && one.at < end)) continue
      found.push({ at, end, ...hour })
    }
  }
  return found.toSorted((a, b) => a.at - b.at)
}

function hourOf(groups: Record<string, string | undefined>): Pick<Hour, 'minutes' | 'half'> | null {
  const { named, hour = '', minute = '0', past, way = '', half: half12, part } = groups
  if (named !== undefined) return { minutes: /midnight/i.test(named) ? 0 : 720, half: 'surely' }
  const hours = smallNumber(hour)
  if (hours > 24) return null
  const shift = past === undefined ? 0 : minutesOf(past)
  const minutes = hours * 60 + Number(minute) + (/^to$/i.test(way) ? -shift : shift)
  const isSure =
    hours > 12 || hours === 0 || (/^\d\d$/.test(hour) && groups['minute'] !== undefined)
  const said = half12?.toLowerCase() ?? part?.toLowerCase()
  if (said === undefined || hours > 12) return { minutes, half: isSure ? 'surely' : null }
  // Two at night is early, and nine is late.
  if (said === 'night') return { minutes, half: hours >= 6 && hours < 12 ? 'late' : null }
  return { minutes, half: said === 'a' || said === 'morning' ? 'early' : 'late' }
}

function minutesOf(past: string): number {
  if (/half/i.test(past)) return 30
  return /quarter/i.test(past)
    ? 15
    : /twenty/i.test(past)
      ? 20
      : smallNumber(past.split(' ')[0] ?? '')
}

/** In the half of the day that the words have, or in each. */
function inHalves({ minutes, half: said }: Pick<Hour, 'minutes' | 'half'>): readonly number[] {
  const [early, late] = [minutes % 720, (minutes % 720) + 720]
  if (said === 'surely') return [minutes % 1440]
  if (said === 'early') return [early]
  return said === 'late' || Math.floor(minutes / 60) === 12 ? [late] : [early, late]
}

const parts: readonly (readonly [string, MinuteSpan])[] = [
  ['morning', [4 * 60, 720]],
  ['afternoon', [720, 18 * 60 + 30]],
  ['(?:evening|tonight)', [17 * 60, 1439]],
  ['night', [18 * 60, 1439]],
]
const partBefore = /\b(morning|afternoon|evening|tonight)\b/gi
const until = new RegExp(`^(?:${dash}|,? ?(?:and|to|till|until) )$`, 'i')

/** With what stands around it: `tonight at 7`, or the end of the same span. */
function settled(hours: readonly Hour[], text: string): readonly (readonly number[])[] {
  const all = hours.map((one) => ({ ...one, half: one.half ?? halfBefore(one, hours, text) }))
  return all.map((one, at) => {
    const next = all[at + 1]
    const isSpan = next !== undefined && until.test(text.slice(one.end, next.at))
    if (one.half !== null || !isSpan || next.half === null) return inHalves(one)
    const [last = 0] = inHalves(next)
    const before = inHalves(one).filter((each) => each < last)
    return before.length === 0 ? inHalves(one) : [Math.max(...before)]
  })
}

function halfBefore({ at }: Hour, hours: readonly Hour[], text: string): Hour['half'] {
  const before = text.slice(0, at)
  const sentence = Math.max(...['.', '!', '?', '\n'].map((end) => before.lastIndexOf(end))) + 1
  const named = [...before.slice(sentence).matchAll(partBefore)].filter(({ index }) => {
    // Of another hour it is the part.
    return !hours.some((one) => sentence + index >= one.at && sentence + index < one.end)
  })
  const last = named.at(-1)?.[1]?.toLowerCase()
  if (last === undefined) return null
  return last === 'morning' ? 'early' : 'late'
}

/** It is the hour that is not to be. */
const unmeant = /\b(?:not|instead of|rather than)(?: (?:at|on|the|from))* $/i

/** `18-22h` and `at 18h30`; `2-3h` is how long something takes. */
function withColons(text: string): string {
  return text
    .replaceAll(
      /(?<![\p{L}\p{N}.:/])(\d{1,2})( ?[-–] ?)((?:1\d|2[0-4]|[89])) ?h\b/giu,
      '$1:00$2$3:00',
    )
    .replaceAll(/(?<=\b(?:at|from|until|till) )(\d{1,2}) ?h(\d\d)?\b/gi, (_, hour, minutes) => {
      return `${hour}:${minutes ?? '00'}`
    })
}

export function clocksSaid(words: string): ClocksSaid {
  const text = withColons(words)
  const hours = hoursIn(text)
  const halves = settled(hours, text)
  const exact: (readonly MinuteSpan[])[] = []
  const bounds: MinuteSpan[] = []
  for (const [at, one] of hours.entries()) {
    const before = text.slice(0, one.at)
    if (unmeant.test(before)) continue
    const [first = 0] = halves[at] ?? []
    const next = halves[at + 1]
    if (/\bbetween (?:about )?$/i.test(before) && next !== undefined) {
      bounds.push([first, Math.max(...next)])
      continue
    }
    if (/\bbetween [^.!?]{1,24} and $/i.test(before)) continue
    if (/\b(?:after|not before|(?:at the )?earliest(?: at)?) (?:about )?$/i.test(before)) {
      bounds.push([first, 1439])
    } else if (/\b(?<!not )before $/i.test(before))
      bounds.push([0, Math.max(...(halves[at] ?? [1439]))])
    else {
      const slack = /\b(?:around|about|roughly|approximately) $/i.test(before) ? 30 : 0
      exact.push((halves[at] ?? []).map((minutes) => [minutes - slack, minutes + slack]))
    }
  }
  const free = hours.reduceRight(
    (left, { at, end }) => `${left.slice(0, at)} ${left.slice(end)}`,
    text,
  )
  for (const [name, span] of parts) {
    if (new RegExp(`(?<!\\bgood )\\b${name}s?\\b`, 'i').test(free)) bounds.push(span)
  }
  return { hours: exact, bounds }
}
