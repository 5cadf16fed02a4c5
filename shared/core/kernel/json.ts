// JSON as strictly as a record that is kept for ever needs it: one text, one value. It refuses what
// two readers could read differently, never throws, and takes no more stack than its depth limit.
import type { JsonFaultCode } from '#schemas/vlp'

export interface JsonLimits {
  readonly bytesMax: number
  /** How many objects and arrays may stand inside each other. */
  readonly depthMax: number
  /** How many values: objects, arrays and all that is in them. `bytesMax` if absent. */
  readonly valuesMax?: number
}

export type JsonReading =
  | { readonly ok: true; readonly value: unknown; readonly values: number }
  | { readonly ok: false; readonly code: JsonFaultCode }

// A byte order mark is no JSON: without `ignoreBOM` the decoder would silently take it away.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of exactly these bytes. */
export function readJson(bytes: Uint8Array, limits: JsonLimits): JsonReading {
  if (bytes.length > limits.bytesMax) return { ok: false, code: 'too_large' }
  const scan = scanBytes(bytes, limits)
  if (typeof scan === 'string') return { ok: false, code: scan }
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return { ok: false, code: 'not_utf8' }
  }
  let value: unknown
  try {
    value = parsed(text, scan.escapedKey)
  } catch {
    return { ok: false, code: 'not_json' }
  }
  const { code, members, values } = surveyOf(value, limits)
  if (code !== null) return { ok: false, code }
  // Of two members with one key the parser keeps the last, so then fewer arrive than were written.
  if (members !== scan.members) return { ok: false, code: 'duplicate_key' }
  return { ok: true, value, values }
}

/**
 * What `JSON.parse` should give: V8 since 13.6 (Node 24) may take a key that is written with an
 * escape for another that it met before (nodejs/node#63785). Throws a SyntaxError for other text.
 */
export function parseJson(text: string): unknown {
  return parsed(text, hasEscapedKey(text))
}

function parsed(text: string, escapedKey: boolean): unknown {
  const value: unknown = JSON.parse(text)
  return escapedKey ? new Rereading(text).value() : value
}

/** Whether a key in this JSON is written with a backslash. */
export function hasEscapedKey(text: string): boolean {
  if (!text.includes('\\')) return false
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = endOfText(text, start)
    if (text.charCodeAt(afterSpaces(text, end)) === colon && hasEscape(text, start, end)) {
      return true
    }
    start = text.indexOf('"', end)
  }
  return false
}

/** Where the string that begins there has ended. */
function endOfText(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) return index + 1
    if (code === backslash) index += 1
  }
  return text.length
}

function hasEscape(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    if (text.charCodeAt(index) === backslash) return true
  }
  return false
}

function afterSpaces(text: string, start: number): number {
  let index = start
  while (spaces.has(text.charCodeAt(index))) index += 1
  return index
}

// Reads what `JSON.parse` took for JSON once more, and each key as the engine reads strings.
class Rereading {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    const first = this.#next()
    if (first === '{') return this.#members()
    if (first === '[') return this.#items()
    return first === '"' ? this.#string() : this.#scalar()
  }

  #next(): string {
    this.#at = afterSpaces(this.#text, this.#at)
    return this.#text.charAt(this.#at)
  }

  #items(): readonly unknown[] {
    const items: unknown[] = []
    this.#at += 1
    for (let next = this.#next(); next !== ']'; next = this.#next()) {
      if (next === ',') this.#at += 1
      else items.push(this.value())
    }
    this.#at += 1
    return items
  }

  #members(): object {
    const members: { [key: string]: unknown } = {}
    this.#at += 1
    for (let next = this.#next(); next !== '}'; next = this.#next()) {
      if (next === '"') this.#member(members)
      else this.#at += 1
    }
    this.#at += 1
    return members
  }

  #member(members: { [key: string]: unknown }): void {
    const key = this.#string()
    this.#next()
    this.#at += 1
    const value = this.value()
    // This key alone would set the prototype, and be no key.
    if (key !== '__proto__') members[key] = value
    else Object.defineProperty(members, key, { value, ...ownMember })
  }

  #string(): string {
    const start = this.#at
    this.#at = endOfText(this.#text, start)
    if (!hasEscape(this.#text, start, this.#at)) return this.#text.slice(start + 1, this.#at - 1)
    return String(JSON.parse(this.#text.slice(start, this.#at)))
  }

  #scalar(): unknown {
    const start = this.#at
    while (this.#at < this.#text.length && !endsScalar.has(this.#text.charCodeAt(this.#at))) {
      this.#at += 1
    }
    return JSON.parse(this.#text.slice(start, this.#at))
  }
}

const ownMember = { enumerable: true, writable: true, configurable: true }

/** What keeps a value from being JSON that `readJson` could have given, or null. */
export function jsonFault(value: unknown, limits: JsonLimits): JsonFaultCode | null {
  return surveyOf(value, limits).code
}

/** The same, and how many values and members of objects were found. */
export function surveyOf(value: unknown, limits: JsonLimits) {
  const valuesMax = limits.valuesMax ?? limits.bytesMax
  const survey: Survey = { members: 0, left: valuesMax }
  const code = surveyValue(value, limits.depthMax, survey)
  return { code, members: survey.members, values: valuesMax - survey.left }
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
/** What JSON takes for white space. */
export const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
/** What a number, `true`, `false` or `null` ends before. */
const endsScalar: ReadonlySet<number> = new Set([...spaces, comma, 0x5d, 0x7d])

interface Scan {
  readonly members: number
  /** Whether a key is written with a backslash. */
  readonly escapedKey: boolean
}

// Counts the colons outside of strings, which in JSON are the members of all objects, and bounds
// nesting and values. Runs before the parser does, and is linear whatever the bytes are.
function scanBytes(bytes: Uint8Array, limits: JsonLimits): Scan | JsonFaultCode {
  const { depthMax, valuesMax = limits.bytesMax } = limits
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
  }
  return { members, escapedKey }
}

/** Whether what was opened before `start` ends there: nothing is in it. */
function endsAt(bytes: Uint8Array, start: number): boolean {
  let index = start
  while (spaces.has(bytes[index] ?? 0)) index += 1
  return isClosing(bytes[index])
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== quote) {
    index += bytes[index] === backslash ? 2 : 1
  }
  return index
}

interface Survey {
  members: number
  /** How many more values there may be. */
  left: number
}

function surveyValue(value: unknown, depthLeft: number, survey: Survey): JsonFaultCode | null {
  survey.left -= 1
  if (survey.left < 0) return 'too_many_values'
  if (typeof value === 'string') return value.isWellFormed() ? null : 'lone_surrogate'
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'number_out_of_range'
  if (typeof value === 'boolean' || value === null) return null
  if (typeof value !== 'object') return 'not_json'
  if (depthLeft === 0) return 'too_deep'
  return Array.isArray(value)
    ? surveyItems(value, depthLeft - 1, survey)
    : surveyMembers(value, depthLeft - 1, survey)
}

function surveyItems(
  items: readonly unknown[],
  depthLeft: number,
  survey: Survey,
): JsonFaultCode | null {
  for (const item of items) {
    const code = surveyValue(item, depthLeft, survey)
    if (code !== null) return code
  }
  return null
}

function surveyMembers(value: object, depthLeft: number, survey: Survey): JsonFaultCode | null {
  if (!isPlain(value)) return 'not_json'
  const keys = Object.keys(value)
  survey.members += keys.length
  for (const key of keys) {
    if (key === '__proto__') return 'unsafe_key'
    if (!key.isWellFormed()) return 'lone_surrogate'
    const code = surveyValue(value[key], depthLeft, survey)
    if (code !== null) return code
  }
  return null
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
