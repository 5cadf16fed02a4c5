// What a tool answered, from bytes to a value without secrets: JSON, rows, text or parts, up to so
// many values. It runs wherever there is time for it: a large answer is read in a thread.
import { readable, textOfUtf8, utf8 } from '#platform/bytes'
import type { JsonValue } from '#schemas/catalog'
import { readJson } from '#record/json'
import { eventParts, lineParts, type PartSplitter, type RawPart } from './answer-parts.ts'

/** How many values a result may have where the capability does not say. */
export const resultValuesMax = 200_000

/** How its bytes are to be taken. */
export type ToolAnswerForm =
  /** As JSON alone. */
  | 'json'
  /** As JSON where that is what it is, else as text. */
  | 'text'
  /** As JSON text of a list of texts, each of them taken as `text`. */
  | 'texts'
  /** As `text`, and as a list where each line is a JSON object. */
  | 'rows'
  /** As a list of the lines, each taken as `text`. */
  | 'lines'
  /** The same of the data of server-sent events. */
  | 'events'

export interface ToRead {
  readonly bytes: Uint8Array
  readonly form: ToolAnswerForm
  readonly valuesMax: number
  /** The source of a pattern that every secret matches; null where none is known. */
  readonly secrets: string | null
}

export type ReadToolAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly code: 'result_invalid' | 'too_many_values' }

/** How many objects and lists may stand inside each other; what is deeper is text. */
export const depthMax = 64

export function readToolAnswer({ bytes, form, valuesMax, secrets }: ToRead): ReadToolAnswer {
  const read = forms[form](readable(bytes), valuesMax)
  if (typeof read === 'string') return { ok: false, code: read }
  const pattern = secrets === null ? null : new RegExp(secrets, 'g')
  return { ok: true, value: pattern === null ? read.value : withoutMatches(read.value, pattern) }
}

export const scrubbed = '[SECRET]'

/** The value without what matches, in keys too. */
export function withoutMatches(value: JsonValue, pattern: RegExp): JsonValue {
  const scrub = (text: string): string => text.replaceAll(pattern, scrubbed)
  const without = (one: JsonValue): JsonValue => {
    if (typeof one === 'string') return scrub(one)
    if (typeof one !== 'object' || one === null) return one
    if (Array.isArray(one)) return one.map(without)
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [scrub(key), without(each)]))
  }
  return without(value)
}

interface Counted {
  readonly value: JsonValue
  readonly values: number
}

type Wrong = 'result_invalid' | 'too_many_values'

const forms: {
  readonly [Form in ToolAnswerForm]: (bytes: Uint8Array, valuesMax: number) => Counted | Wrong
} = {
  json: jsonOf,
  text: textOrJson,
  texts: textsOf,
  rows: rowsOrText,
  lines: (bytes, valuesMax) => partsOf(bytes, lineParts(), valuesMax),
  events: (bytes, valuesMax) => partsOf(bytes, eventParts(), valuesMax),
}

const strict = new TextDecoder('utf-8', { fatal: true })

/** Of a number that a double cannot hold the digits are kept, as a text. */
function jsonOf(bytes: Uint8Array, valuesMax: number): Counted | Wrong {
  const limits = { bytesMax: bytes.length, depthMax, valuesMax }
  const reading = readJson(bytes, { ...limits, inexact: 'text' })
  if (reading.ok && isJson(reading.value)) return { value: reading.value, values: reading.values }
  // Commas of a text are no values.
  const isWide = !reading.ok && reading.code === 'too_many_values' && isBracketed(bytes)
  return isWide ? 'too_many_values' : 'result_invalid'
}

/** JSON where that is what it is, otherwise the text; nothing is null. */
function textOrJson(bytes: Uint8Array, valuesMax: number): Counted | Wrong {
  if (bytes.length === 0) return { value: null, values: 1 }
  const read = jsonOf(bytes, valuesMax)
  if (read !== 'result_invalid') return read
  try {
    return { value: strict.decode(bytes), values: 1 }
  } catch {
    return 'result_invalid'
  }
}

function textsOf(bytes: Uint8Array, valuesMax: number): Counted | Wrong {
  const written = jsonOf(bytes, valuesMax)
  if (typeof written === 'string') return written
  if (!Array.isArray(written.value)) return 'result_invalid'
  const texts = written.value.flatMap((text) => {
    return typeof text === 'string' ? [{ bytes: utf8(text), end: '' }] : []
  })
  return listed(texts, valuesMax) ?? 'result_invalid'
}

function rowsOrText(bytes: Uint8Array, valuesMax: number): Counted | Wrong {
  const whole = textOrJson(bytes, valuesMax)
  const isText = typeof whole !== 'string' && typeof whole.value === 'string'
  const mayBeRows = isText || whole === 'too_many_values'
  if (!mayBeRows || !/^\s*\{/.test(textOfUtf8(bytes, 0, rowsBeginBytesMax))) return whole
  const rows = listed(partsIn(bytes, lineParts()), valuesMax, isObject)
  if (rows === null || typeof rows === 'string') return rows ?? whole
  return Array.isArray(rows.value) && rows.value.length > 1 ? rows : whole
}

/** White space before the first row. */
const rowsBeginBytesMax = 1_024

function partsOf(bytes: Uint8Array, splitter: PartSplitter, valuesMax: number): Counted | Wrong {
  return listed(partsIn(bytes, splitter), valuesMax) ?? 'result_invalid'
}

const sliceBytes = 65_536

/** Piece by piece: of more parts than there may be, the rest is never cut. */
function* partsIn(bytes: Uint8Array, splitter: PartSplitter): Generator<RawPart> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield* splitter.push(bytes.subarray(at, at + sliceBytes))
  }
  yield* splitter.end()
}

/** Null where a part is not as asked. */
function listed(
  parts: Iterable<RawPart>,
  valuesMax: number,
  isWanted: (value: JsonValue) => boolean = () => true,
): Counted | 'too_many_values' | null {
  const value: JsonValue[] = []
  let values = 1
  for (const part of parts) {
    const read = partValue(part, valuesMax)
    if (read === 'too_many_values') return read
    if (!isWanted(read.value)) return null
    value.push(read.value)
    values += read.values
    if (values > valuesMax) return 'too_many_values'
  }
  return { value, values }
}

/** What one part says; what is no UTF-8 in it is replaced. */
export function partValue({ bytes, end }: RawPart, valuesMax: number): Counted | 'too_many_values' {
  const read = textOrJson(bytes, valuesMax)
  if (read === 'too_many_values') return read
  const text = textOfUtf8(bytes)
  const isText = read === 'result_invalid' || read.value === text
  return isText ? { value: `${text}${end}`, values: 1 } : read
}

const opening: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b])
const closing: ReadonlySet<number | undefined> = new Set([0x5d, 0x7d])
const blank: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Whether it begins and ends as an object or a list does: else it is no JSON of many values. */
function isBracketed(bytes: Uint8Array): boolean {
  let start = 0
  let end = bytes.length - 1
  while (blank.has(bytes[start])) start += 1
  while (end > start && blank.has(bytes[end])) end -= 1
  return opening.has(bytes[start]) && closing.has(bytes[end])
}

function isJson(value: unknown): value is JsonValue {
  return value !== undefined
}

function isObject(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
