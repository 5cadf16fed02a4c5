// JSON as strictly as a record that is kept for ever needs it: one text, one value. It refuses what
// two readers could read differently, never throws, and takes no more stack than its depth limit.
import { utf8 } from '#platform/bytes'
import type { JsonFaultCode } from '#schemas/vlp'
import { pointerAt } from './reading/exact-number.ts'
import { Fault } from './fault.ts'
import { backslash, colon, endsScalar, quote } from './reading/json-scan.ts'
import { replaced, scanBytes, spaces } from './reading/json-scan.ts'
import type { JsonLimits } from './reading/json-scan.ts'

export type JsonReading =
  | {
      readonly ok: true
      readonly value: unknown
      readonly values: number
      /** Where the first number stands that a double cannot hold, if it was looked for. */
      readonly inexact?: string
    }
  | {
      readonly ok: false
      readonly code: JsonFaultCode
      /** A pointer to what is wrong, of `number_inexact`. */
      readonly at?: string
    }

const inexact = 'number_inexact'

// A byte order mark is no JSON: without `ignoreBOM` the decoder would silently take it away.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of exactly these bytes. */
export function readJson(bytes: Uint8Array, limits: JsonLimits): JsonReading {
  if (bytes.length > limits.bytesMax) return { ok: false, code: 'too_large' }
  const scan = scanBytes(bytes, limits)
  if (typeof scan === 'string') return { ok: false, code: scan }
  const { inexact: way = 'refuse' } = limits
  const [first] = scan.inexact
  const isReplaced = first !== undefined && (way === 'null' || way === 'text')
  let text: string
  try {
    text = decoder.decode(isReplaced ? replaced(bytes, scan.inexact, way) : bytes)
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
  if (first === undefined) return { ok: true, value, values }
  const before = decoder.decode(bytes.subarray(0, first.start)).length
  const at = pointerAt(decoder.decode(bytes), before, parseJson)
  return isReplaced ? { ok: true, value, values, inexact: at } : { ok: false, code: inexact, at }
}

/**
 * What `JSON.parse` should give: V8 since 13.6 (Node 24) may take a key that is written with an
 * escape for another that it met before (nodejs/node#63785). Throws a SyntaxError for other text.
 */
export function parseJson(text: string): unknown {
  return parsed(text, hasEscapedKey(text))
}

/** The same; throws a Fault `number_inexact` for a number that a double cannot hold. */
export function parseExactJson(text: string): unknown {
  const value = parseJson(text)
  const bytes = utf8(text)
  const scan = scanBytes(bytes, { bytesMax: bytes.length + 1, depthMax: bytes.length })
  const [first] = typeof scan === 'string' ? [] : scan.inexact
  if (first === undefined) return value
  const before = decoder.decode(bytes.subarray(0, first.start)).length
  const at = pointerAt(text, before, parseJson)
  const written = decoder.decode(bytes.subarray(first.start, first.end)).slice(0, 64)
  const place = at === '' ? '' : `${at}: `
  const message = `${place}${written} has digits that a double cannot hold`
  throw new Fault(inexact, `${message}: write it as a text, "${written}"`)
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
