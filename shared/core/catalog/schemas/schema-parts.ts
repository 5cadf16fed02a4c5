// Where schemas stand within a schema: which keywords hold one, a list of them, or one for each
// name. What has one of these words as a name or within a value is not a schema, and is left alone.
import type { JsonObject, JsonValue } from '#schemas/catalog'

/** Of these the value is a schema, a list of them, or one for each name. */
const asSchema = new Set([
  'additionalProperties',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'additionalItems',
])
const asList = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const asMap = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])

/** Whether schemas stand in the value of that keyword. */
export function hasParts(keyword: string): boolean {
  return asSchema.has(keyword) || asList.has(keyword) || asMap.has(keyword)
}

/** A schema within the value of a keyword, and where: a pointer from the schema around it. */
type ReadPart = (part: JsonObject, at: string) => JsonObject

/** The value of a keyword with each schema in it read; all else is left as it is. */
export function withParts(keyword: string, value: JsonValue, read: ReadPart): JsonValue {
  if (asSchema.has(keyword) || asList.has(keyword)) {
    if (!Array.isArray(value)) return isObject(value) ? read(value, keyword) : value
    return value.map((each, at) => (isObject(each) ? read(each, `${keyword}/${at}`) : each))
  }
  if (!(asMap.has(keyword) || keyword === 'dependencies') || !isObject(value)) return value
  const parts = Object.entries(value).map(([name, each]) => {
    return [name, isObject(each) ? read(each, `${keyword}/${pointerPart(name)}`) : each] as const
  })
  return Object.fromEntries(parts)
}

/** A name as a part of a pointer in a reference. */
export function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** What a pointer within the schema names; null where there is no schema. */
export function partAt(root: JsonObject, reference: JsonValue | undefined): JsonObject | null {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return null
  let found: JsonValue | undefined = root
  for (const part of reference.split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(found)) found = found[Number(key)]
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return isObject(found) ? found : null
}

/** What is no encoded text leads nowhere. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
