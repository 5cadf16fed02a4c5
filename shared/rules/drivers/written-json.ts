// A large result after it was read apart: no value, but the JSON of it, which one thread hands to
// another and to a disk faster than a value.
import { textOfUtf8 } from '#platform/bytes'
import type { JsonValue } from '#schemas/catalog'
import type { Json } from '#record/canonical'
import { parseJson } from '#record/json'

export interface WrittenJson {
  readonly json: Uint8Array
  /** Of the value, as `digestOfJson` gives it. */
  readonly digest: string
  /** As many as a frame of it says. */
  readonly rows: number
}

/** What a call came to. */
export type ResultValue = JsonValue | WrittenJson

/** No JSON holds bytes, so no value of a tool can pass for one. */
export function isWritten(value: Json | WrittenJson): value is WrittenJson {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.getOwnPropertyDescriptor(value, 'json')?.value instanceof Uint8Array
}

/** The value again. Throws a SyntaxError for other bytes. */
export function valueOfJson(json: Uint8Array): Json {
  const value = parseJson(textOfUtf8(json))
  return isJson(value) ? value : null
}

/** What came as JSON is JSON. */
function isJson(value: unknown): value is Json {
  return value !== undefined
}
