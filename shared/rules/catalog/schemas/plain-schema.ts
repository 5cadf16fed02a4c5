// Which schemas are JSON Schemas for certain, by a few plain keywords: to read the schema of
// schemas takes longer than to judge a call.
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'

const types = new Set<JsonValue>([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
])

// Not a keyword more: whatever passes here is what JSON Schema takes, too.
const keywords: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['type', (value) => types.has(value)],
  ['title', isText],
  ['description', isText],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['properties', (value) => isJsonObject(value) && Object.values(value).every(isPlain)],
  ['required', (value) => Array.isArray(value) && areNames(value)],
  ['additionalProperties', isPlain],
  ['items', isPlain],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minLength', isCount],
  ['maxLength', isCount],
])

/**
 * Whether it is a JSON Schema for certain, by a few plain keywords, as most tools have them; false
 * where that is not known.
 */
export function isPlainSchema(schema: JsonObject): boolean {
  return Object.entries(schema).every(([name, value]) => keywords.get(name)?.(value) === true)
}

function isPlain(value: JsonValue): boolean {
  return typeof value === 'boolean' || (isJsonObject(value) && isPlainSchema(value))
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string'
}

function areNames(values: readonly JsonValue[]): boolean {
  return values.every(isText) && new Set(values).size === values.length
}

function isCount(value: JsonValue): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
