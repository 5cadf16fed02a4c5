// Values that fit a JSON Schema, and those of one place that stand for all others there: by what is
// compared with it, each constant, and one of what lies below, between and above.
import { argumentFault } from '#rules/catalog/arguments'
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'

const depthMax = 8

/** A value that the schema most likely takes; who needs to know asks. */
export function sampleOf(schema: JsonValue | undefined, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > depthMax) return 'x'
  if ('const' in schema) return schema['const'] ?? null
  const [listed] = listIn(schema, 'enum')
  if (listed !== undefined) return listed
  const given = schema['default'] ?? listIn(schema, 'examples')[0]
  if (given !== undefined) return given
  const [way] = [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')]
  if (way !== undefined && schema['type'] === undefined) return sampleOf(way, depth + 1)
  switch (typeIn(schema)) {
    case 'integer':
    case 'number':
      return numberIn(schema)
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return Array.from({ length: countIn(schema, 'minItems') }, (_, index) => {
        const item = sampleOf(schema['items'], depth + 1)
        return typeof item === 'string' && index > 0 ? `${item}${index}` : item
      })
    case 'object':
      return objectIn(schema, depth)
    default:
      return textIn(schema)
  }
}

export function listIn(schema: JsonObject, name: string): readonly JsonValue[] {
  const value = schema[name]
  return Array.isArray(value) ? value : []
}

export function typeIn(schema: JsonObject): JsonValue | undefined {
  const { type } = schema
  if (Array.isArray(type)) return type[0]
  if (type === undefined && 'properties' in schema) return 'object'
  return type
}

function countIn(schema: JsonObject, name: string): number {
  const value = schema[name]
  return typeof value === 'number' ? Math.min(value, 32) : 0
}

function numberIn(schema: JsonObject): number {
  const { minimum: from, maximum: to, exclusiveMinimum: above, multipleOf: step } = schema
  const start = typeof from === 'number' ? from : typeof above === 'number' ? above + 1 : 1
  const least = typeof to === 'number' && to < start && from === undefined ? to : start
  return typeof step === 'number' && step > 0 ? Math.ceil(least / step) * step : least
}

const formats: Readonly<Record<string, string>> = {
  email: 'x@x.example',
  uri: 'https://x.example/',
  hostname: 'x.example',
  date: '2026-01-01',
  'date-time': '2026-01-01T12:00:00Z',
  time: '12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
}

function textIn(schema: JsonObject): string {
  const { format } = schema
  if (typeof format === 'string' && formats[format] !== undefined) return formats[format]
  return 'x'.repeat(Math.max(1, countIn(schema, 'minLength')))
}

function objectIn(schema: JsonObject, depth: number): JsonObject {
  const named = schema['properties']
  const properties = isJsonObject(named) ? named : {}
  const needed = listIn(schema, 'required').filter((name) => typeof name === 'string')
  return Object.fromEntries(needed.map((name) => [name, sampleOf(properties[name], depth + 1)]))
}

/** Whether the one value is what the schema of its place takes. */
export function takes(schema: JsonValue | undefined, value: JsonValue): boolean {
  const argsSchema = { type: 'object', properties: { value: schema ?? true } }
  return argumentFault({ argsSchema }, { value }) === null
}

/** What is there of the schema at that place; undefined where it has none. */
export function placeSchema(
  schema: JsonValue | undefined,
  path: readonly string[],
): JsonValue | undefined {
  const [first, ...rest] = path
  if (first === undefined) return schema
  if (!isJsonObject(schema)) return undefined
  const named = schema['properties']
  const found = isJsonObject(named) && Object.hasOwn(named, first) ? named[first] : undefined
  return placeSchema(found ?? schema['additionalProperties'], rest)
}
