// What a query returned as JSON, whatever a hand has put there: nothing of it is believed.
import { canonical, isList, type Json, type JsonMap } from '#record/canonical'
import { momentOf } from '../projection/held-intents.ts'

/** By numbers; what is not a number comes first. */
export function inOrder<T>(list: readonly T[], by: (each: T) => readonly unknown[]): readonly T[] {
  return list.toSorted((one, other) => {
    const [these, those] = [by(one), by(other)]
    for (const [index, value] of these.entries()) {
      const difference = numberValueOf(value) - numberValueOf(those[index])
      if (difference !== 0) return difference
    }
    return 0
  })
}

export function numberValueOf(value: unknown): number {
  return typeof value === 'number' ? value : -1
}

export function objectOf(value: unknown): JsonMap {
  const json = plain(value)
  return typeof json === 'object' && json !== null && !isList(json) ? json : {}
}

export function listOf(value: unknown): readonly JsonMap[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonical(plain(value))
}

/** A hand may have put there what JSON has no word for. */
function plain(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/** The labels of a node, where they are not the one that it should have. */
export function strangeLabels(labels: unknown, label: string): { readonly labels?: Json } {
  const found = textsOf(labels)
  return found.length === 1 && found[0] === label ? {} : { labels: [...found].toSorted() }
}

const momentParts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'nanosecond'] as const

/** A moment of UTC to the millisecond as core writes it; anything else as it is. */
export function momentIn(value: unknown): Json {
  const found = objectOf(value)
  const [year = 0, month = 0, day = 0, ...time] = momentParts.map((part) =>
    numberValueOf(found[part]),
  )
  const [hour = 0, minute = 0, second = 0, nanosecond = 0] = time
  const ms = Date.UTC(year, month - 1, day, hour, minute, second, nanosecond / 1e6)
  const isWhole = Number.isInteger(ms) && nanosecond % 1e6 === 0 && year > 0
  const isUtc = found['timeZoneOffsetSeconds'] === 0
  return isWhole && isUtc ? momentOf(ms) : plain(value)
}
