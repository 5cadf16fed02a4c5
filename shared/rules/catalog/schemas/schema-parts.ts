// Where schemas stand within a schema: which keywords hold one, a list of them, or one for each
// name. What has one of these words as a name or within a value is not a schema, and is left alone.
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { pointerToken, tokenName } from '#record/pointer-token'

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
    if (!Array.isArray(value)) return isJsonObject(value) ? read(value, keyword) : value
    return value.map((each, at) => (isJsonObject(each) ? read(each, `${keyword}/${at}`) : each))
  }
  if (!(asMap.has(keyword) || keyword === 'dependencies') || !isJsonObject(value)) return value
  const parts = Object.entries(value).map(([name, each]) => {
    return [
      name,
      isJsonObject(each) ? read(each, `${keyword}/${pointerPart(name)}`) : each,
    ] as const
  })
  return Object.fromEntries(parts)
}

/** A name as a part of a pointer in a reference. */
export function pointerPart(name: string): string {
  return encodeURIComponent(pointerToken(name))
}

/** The same pointer where older words for tuples and dependencies are written as they are now. */
export function movedPointer(root: JsonObject, reference: string): string {
  if (!reference.startsWith('#/')) return reference
  let found: JsonValue | undefined = root
  let isKeyword = true
  const moved = reference
    .split('/')
    .slice(1)
    .map((part) => {
      const name = tokenName(decoded(part))
      const within: JsonValue | undefined = found
      const isList = Array.isArray(within)
      if (Array.isArray(within)) found = within[Number(name)]
      else found = isJsonObject(within) && Object.hasOwn(within, name) ? within[name] : undefined
      const isOld = isKeyword && isJsonObject(within)
      // In a list and in a map the next part is a place or a name.
      isKeyword = isList || !isKeyword || !(asMap.has(name) || name === 'dependencies')
      return isOld ? (keywordNow(within, name) ?? part) : part
    })
  return `#/${moved.join('/')}`
}

function keywordNow(schema: JsonObject, name: string): string | null {
  if (name === 'dependencies') return 'dependentSchemas'
  if (!Array.isArray(schema['items'])) return null
  if (name === 'additionalItems') return 'items'
  return name === 'items' ? 'prefixItems' : null
}

/** What a pointer within the schema names; null where there is no schema. */
export function partAt(root: JsonObject, reference: JsonValue | undefined): JsonObject | null {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return null
  const found = referredValue(root, reference)
  return isJsonObject(found) ? found : null
}

/** What a reference such as `#/$defs/a` leads to; undefined where that is nothing. */
export function referredValue(root: JsonObject, reference: string): JsonValue | undefined {
  let found: JsonValue | undefined = root
  for (const name of referredNames(reference)) {
    if (Array.isArray(found)) found = found[Number(name)]
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}

/** The names on the way of such a reference. */
export function referredNames(reference: string): readonly string[] {
  return reference
    .split('/')
    .slice(1)
    .map((part) => tokenName(decoded(part)))
}

/** What is no encoded text stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
