// What a text comes to as a number, a bool, a moment or a span, as CEL defines it: the whole text,
// or nothing. What a reader could take for another value than the author meant is no value.

/** Thrown where the text is no value of that type. */
export class Unconverted extends Error {}

/** A whole second, and so many billionths of one more; a span has both of one sign. */
export interface Instant {
  readonly seconds: bigint
  readonly nanos: number
}

const int64Max = 2n ** 63n - 1n
const int64Min = -(2n ** 63n)
/** No number and no moment is written longer; a text that is longer is not looked at. */
const charactersMax = 400

const whole = /^[+-]?[0-9]+$/

export function intOf(text: string): bigint {
  if (text.length > charactersMax || !whole.test(text)) throw unread(text, 'int')
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  if (value > int64Max || value < int64Min) throw unread(text, 'int')
  return value
}

// Neither infinity nor NaN: no comparison refuses those.
const decimal = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/

export function doubleOf(text: string): number {
  if (text.length > charactersMax || !decimal.test(text)) throw unread(text, 'double')
  const value = Number(text)
  if (!Number.isFinite(value)) throw unread(text, 'double')
  return value
}

const bools: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'True', 'TRUE', 't', '1'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE', 'f', '0'].map((text) => [text, false] as const),
])

export function boolOf(text: string): boolean {
  const value = bools.get(text)
  if (value === undefined) throw unread(text, 'bool')
  return value
}

const day = '(?<date>[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))'
const time = '(?<time>(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])'
const offset = '(?:Z|(?<sign>[+-])(?<hours>[01][0-9]|2[0-3]):(?<minutes>[0-5][0-9]))'
const moment = new RegExp(`^${day}T${time}(?:\\.(?<fraction>[0-9]+))?${offset}$`)
const secondsMin = -62_135_596_800
const secondsMax = 253_402_300_799
const nanoDigits = 9

/** By RFC 3339, with a day that there is; finer parts than a billionth are cut off. */
export function timestampOf(text: string): Instant {
  const found = text.length > charactersMax ? undefined : moment.exec(text)?.groups
  const { date = '', time: clock = '', fraction = '', sign, hours, minutes } = found ?? {}
  const local = Date.parse(`${date}T${clock}Z`)
  // A day that the month does not have is read as one of the next.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) {
    throw unread(text, 'timestamp')
  }
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 * (sign === '-' ? -1 : 1)
  const seconds = local / 1_000 - ahead
  if (seconds < secondsMin || seconds > secondsMax) throw unread(text, 'timestamp')
  const nanos = Number(fraction.slice(0, nanoDigits).padEnd(nanoDigits, '0'))
  return { seconds: BigInt(seconds), nanos }
}

const second = 1_000_000_000n
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3_600n * second],
])
const unit = [...units.keys()].join('|')
const piece = `(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:${unit})`
const span = new RegExp(`^[+-]?(?:0|(?:${piece})+)$`)
const pieces = new RegExp(`([0-9]*)\\.?([0-9]*)(${unit})`, 'g')

/** Numbers with their units, as `1h30m`; finer parts than a billionth are cut off. */
export function durationOf(text: string): Instant {
  if (text.length > charactersMax || !span.test(text)) throw unread(text, 'duration')
  let sum = 0n
  for (const [, before = '', after = '', name = ''] of text.matchAll(pieces)) {
    const size = units.get(name) ?? 0n
    sum += BigInt(before || 0) * size + (BigInt(after || 0) * size) / 10n ** BigInt(after.length)
  }
  const nanos = text.startsWith('-') ? -sum : sum
  if (nanos > int64Max || nanos < int64Min) throw unread(text, 'duration')
  return { seconds: nanos / second, nanos: Number(nanos % second) }
}

function unread(text: string, type: string): Unconverted {
  return new Unconverted(`${JSON.stringify(text.slice(0, charactersMax))} is no ${type}`)
}
