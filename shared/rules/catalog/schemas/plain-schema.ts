// Which schemas are JSON Schemas for certain, by a few plain keywords, and which values fit those
// for certain: to load what reads all of JSON Schema takes longer than to judge a call.
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
 * Whether it is a JSON Schema for certain, and can be used, by a few plain keywords, as most tools
 * have them; false where that is not known.
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

type Fits = (value: unknown, wanted: JsonValue, schema: JsonObject) => boolean

// Of those keywords, in a schema that is plain. What a keyword is not about fits it.
const fits: ReadonlyMap<string, Fits> = new Map<string, Fits>([
  ['type', (value, wanted) => isOfType(value, wanted)],
  ['title', () => true],
  ['description', () => true],
  ['enum', (value, wanted) => isAmong(value, wanted)],
  ['properties', (value, wanted) => !isObject(value) || partsFit(value, wanted)],
  ['required', (value, wanted) => !isObject(value) || areIn(value, wanted)],
  [
    'additionalProperties',
    (value, wanted, all) => !isObject(value) || restFits(value, wanted, all),
  ],
  [
    'items',
    (value, wanted) => !Array.isArray(value) || value.every((one) => fitsPart(one, wanted)),
  ],
  ['minItems', (value, wanted) => !Array.isArray(value) || value.length >= Number(wanted)],
  ['maxItems', (value, wanted) => !Array.isArray(value) || value.length <= Number(wanted)],
  ['minLength', (value, wanted) => typeof value !== 'string' || lengthOf(value) >= Number(wanted)],
  ['maxLength', (value, wanted) => typeof value !== 'string' || lengthOf(value) <= Number(wanted)],
])

/**
 * Whether the value fits the plain schema for certain; false where that is not known, too. Each
 * call is looked at by this: what JSON gives inherits nothing, so no list of keys is made.
 */
export function fitsPlain(schema: JsonObject, value: unknown): boolean {
  for (const name in schema) {
    const wanted = schema[name]
    if (wanted === undefined || fits.get(name)?.(value, wanted, schema) !== true) return false
  }
  return true
}

function fitsPart(value: unknown, schema: JsonValue | undefined): boolean {
  return schema === true || (isJsonObject(schema) && fitsPlain(schema, value))
}

type Values = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(value: unknown, type: JsonValue): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}

/** Lists and objects are compared by who knows all of JSON Schema. */
function isAmong(value: unknown, values: JsonValue): boolean {
  const isSimple = typeof value !== 'object' || value === null
  return isSimple && Array.isArray(values) && values.some((one) => one === value)
}

function partsFit(value: Values, parts: JsonValue): boolean {
  if (!isJsonObject(parts)) return false
  for (const name in parts) {
    if (Object.hasOwn(value, name) && !fitsPart(value[name], parts[name])) return false
  }
  return true
}

function areIn(value: Values, names: JsonValue): boolean {
  if (!Array.isArray(names)) return false
  return names.every((name) => {
    return typeof name === 'string' && Object.hasOwn(value, name) && value[name] !== undefined
  })
}

/** What is no property of the schema; `__proto__` never counts as one. */
function restFits(value: Values, rest: JsonValue, { properties }: JsonObject): boolean {
  const known = isJsonObject(properties) ? properties : {}
  for (const name in value) {
    const isKnown = name !== '__proto__' && Object.hasOwn(known, name)
    if (!isKnown && !fitsPart(value[name], rest)) return false
  }
  return true
}

/** In code points, as `Array.from` counts them, without a list of them. */
function lengthOf(text: string): number {
  let pairs = 0
  for (let at = 1; at < text.length; at += 1) {
    const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
    if (isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1
  }
  return text.length - pairs
}
