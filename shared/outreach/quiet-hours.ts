// When a person may be notified: outside their quiet hours, by the clocks of their time zone. Where
// clocks are set forward or back the hours are those that a clock on the wall shows.
import type { QuietHours } from '#schemas/outreach/reach'

const minuteMs = 60_000
const dayMinutes = 24 * 60
/** Clocks are set by two hours at most. */
const shiftMinutesMax = 120

const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether the machine knows that time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    formatFor(zone)
    return true
  } catch {
    return false
  }
}

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}

/** Minutes since midnight, as a clock there shows them. */
function clockAt(zone: string, at: number): number {
  const parts = formatFor(zone).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return of('hour') * 60 + of('minute')
}

function minutesOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function isIn(clock: number, from: number, to: number): boolean {
  return from <= to ? from <= clock && clock < to : from <= clock || clock < to
}

/** When the quiet hours end in which that moment is; null where it is in none. */
export function quietUntil({ from, to, zone }: QuietHours, at: number): number | null {
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const isQuiet = (moment: number): boolean => isIn(clockAt(zone, moment), begin, end)
  if (begin === end || !isQuiet(at)) return null
  const whole = Math.floor(at / minuteMs) * minuteMs
  const left = (end - clockAt(zone, at) + dayMinutes) % dayMinutes
  let until = whole + left * minuteMs
  // A clock that was set back meanwhile shows the quiet hours for longer.
  for (let more = 0; more < shiftMinutesMax && isQuiet(until); more += 1) until += minuteMs
  // One that was set forward has shown their end before.
  for (let less = 0; less < shiftMinutesMax; less += 1) {
    if (until - minuteMs <= at || isQuiet(until - minuteMs)) break
    until -= minuteMs
  }
  return until
}

/** When what is due then may be sent; null where not before `by`, and the person sleeps on. */
export function sendableFrom(quiet: QuietHours | undefined, at: number, by: number): number | null {
  const until = quiet === undefined ? null : quietUntil(quiet, at)
  if (until === null || quiet === undefined) return at
  if (until <= by) return until
  return quiet.wakes ? at : null
}
