// What counts as text, a date and a time in a message. Fixed lists and plain arithmetic: no later
// version of Unicode or of an engine may change what a recorded message was found to say.

/** Whether nothing can be seen: white space, controls and zero-width characters only. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (!isUnseen(text.charCodeAt(index))) return false
  }
  return true
}

function isUnseen(unit: number): boolean {
  if (unit <= 0xa0) return unit <= 0x20 || unit >= 0x7f
  if (unit < 0x2000) return unit === 0xad || unit === 0x1680 || unit === 0x180e
  if (unit <= 0x206f) return unit <= 0x200f || (unit >= 0x2028 && unit <= 0x202f) || unit >= 0x205f
  return unit === 0x3000 || unit === 0xfeff
}

/** Whether the text has so many code points; a lone surrogate counts as one. */
export function hasCharacters(text: string, charactersMin: number): boolean {
  if (text.length >= charactersMin * 2) return true
  if (text.length < charactersMin) return false
  return Array.from(text).length >= charactersMin
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/i
const sessionIdPattern = /^S-(\d{4}-\d{2}-\d{2})-[a-z0-9-]+-[0-9a-z]+$/
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return datePattern.test(text) && beginsWithDate(text)
}

/** Of a text that begins with the digits of one. No part of it is copied. */
function beginsWithDate(text: string): boolean {
  const year = numberAt(text, 0, 4)
  const month = numberAt(text, 5, 2)
  const day = numberAt(text, 8, 2)
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = (monthDays[month - 1] ?? 0) + (month === 2 && leap ? 1 : 0)
  return day >= 1 && day <= days
}

function numberAt(text: string, from: number, digits: number): number {
  let number = 0
  for (let at = from; at < from + digits; at += 1) number = number * 10 + text.charCodeAt(at) - 0x30
  return number
}

/** Whether the text is a time of RFC 3339 in UTC, written with `Z`; a leap second is one. */
export function isUtcTime(text: string): boolean {
  if (!timePattern.test(text) || !beginsWithDate(text)) return false
  const hour = numberAt(text, 11, 2)
  const minute = numberAt(text, 14, 2)
  const second = numberAt(text, 17, 2)
  if (second === 60) return hour === 23 && minute === 59
  return hour <= 23 && minute <= 59 && second <= 59
}

/** Whether the text has the shape of a session id: `S-`, a date, a slug, a short suffix. */
export function isSessionId(text: string): boolean {
  const parts = sessionIdPattern.exec(text)
  return parts !== null && isDate(parts[1] ?? '')
}
