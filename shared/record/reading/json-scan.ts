// What the bytes of a JSON text show before they are parsed: how many members and values there are,
// how deep they are nested, and which numbers no double can hold.
import { joinedBytes } from './joined-bytes.ts'
import { latin1Of, utf8 } from '#platform/bytes'
import type { JsonFaultCode } from '#schemas/vlp'
import { isExactNumber } from './exact-number.ts'

export interface JsonLimits {
  readonly bytesMax: number
  /** How many objects and arrays may stand inside each other. */
  readonly depthMax: number
  /** How many values: objects, arrays and all that is in them. `bytesMax` if absent. */
  readonly valuesMax?: number
  /**
   * What is done with a number that a double cannot hold: the text is refused, the number is
   * changed as `JSON.parse` changes it, or null or its own text stands in its place.
   */
  readonly inexact?: 'refuse' | 'change' | 'null' | 'text'
}

export const quote = 0x22
export const backslash = 0x5c
export const colon = 0x3a
export const comma = 0x2c
/** What JSON takes for white space. */
export const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
/** What a number, `true`, `false` or `null` ends before. */
export const endsScalar: ReadonlySet<number> = new Set([...spaces, comma, 0x5d, 0x7d])

interface Scan {
  readonly members: number
  /** Whether a key is written with a backslash. */
  readonly escapedKey: boolean
  /** The numbers that a double cannot hold. */
  readonly inexact: readonly Span[]
}

interface Span {
  readonly start: number
  readonly end: number
}

// Counts the colons outside of strings, which in JSON are the members of all objects, and bounds
// nesting and values. Runs before the parser does, and is linear whatever the bytes are.
export function scanBytes(bytes: Uint8Array, limits: JsonLimits): Scan | JsonFaultCode {
  const { depthMax, valuesMax = limits.bytesMax } = limits
  const asksNumbers = limits.inexact !== 'change'
  const inexact: Span[] = []
  let escapedKey = false
  let nextBackslash = bytes.indexOf(backslash)
  let lastString = 0
  let members = 0
  let values = 1
  let depth = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === quote) {
      lastString = index
      index = endOfString(bytes, index)
    } else if (byte === colon) {
      members += 1
      if (nextBackslash >= 0 && nextBackslash < lastString) {
        nextBackslash = bytes.indexOf(backslash, lastString)
      }
      escapedKey ||= nextBackslash >= 0 && nextBackslash < index
    } else if (byte === comma) {
      values += 1
      if (values > valuesMax) return 'too_many_values'
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      if (depth > depthMax) return 'too_deep'
      if (!isClosing(bytes[index + 1]) && !endsAt(bytes, index + 1)) values += 1
      if (values > valuesMax) return 'too_many_values'
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
    else if (asksNumbers && byte !== undefined && beginsNumber(byte)) {
      const end = endOfNumber(bytes, index)
      if (!isExactIn(bytes, index, end)) inexact.push({ start: index, end })
      index = end - 1
    }
  }
  return { members, escapedKey, inexact }
}

function beginsNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && !endsScalar.has(bytes[index] ?? 0)) index += 1
  return index
}

const shortMax = 15

function isExactIn(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > shortMax) return isExactNumber(latin1Of(bytes, start, end))
  for (let index = start; index < end; index += 1) {
    if (((bytes[index] ?? 0) | 0x20) === 0x65) return isExactNumber(latin1Of(bytes, start, end))
  }
  return true
}

/** Whether what was opened before `start` ends there: nothing is in it. */
function endsAt(bytes: Uint8Array, start: number): boolean {
  return isClosing(bytes[afterSpacesIn(bytes, start)])
}

export function afterSpacesIn(bytes: Uint8Array, start: number): number {
  let index = start
  while (spaces.has(bytes[index] ?? 0)) index += 1
  return index
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d
}

export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== quote) {
    index += bytes[index] === backslash ? 2 : 1
  }
  return index
}

/** The same text with null, or its own digits as a text, for each of those numbers. */
export function replaced(
  bytes: Uint8Array,
  spans: readonly Span[],
  way: 'null' | 'text',
): Uint8Array {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { start, end } of spans) {
    const written = bytes.subarray(start, end)
    pieces.push(bytes.subarray(at, start))
    if (way === 'null') pieces.push(utf8('null'))
    else pieces.push(utf8('"'), written, utf8('"'))
    at = end
  }
  return joinedBytes([...pieces, bytes.subarray(at)])
}
