// How often a schema could have one value looked at: parts that refer to each other densely
// multiply, and a handful of levels would take longer than there is time. It is counted before
// anything is judged.
import { isJsonObject } from '#record/json-object'
import type { JsonObject } from '#schemas/catalog'
import { partAt } from './schema-parts.ts'

/** More ways through a schema to one value are refused. */
export const waysMax = 100_000

/** Of these each is held against the value itself. */
const here = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']
/** Of these one is held against each value in it. */
const within = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** The most ways in which one value is come to; a circle is counted once. */
export function waysThrough(schema: JsonObject): number {
  const counted = new Map<JsonObject, number>()
  const waysOf = (part: JsonObject): number => {
    const known = counted.get(part)
    if (known !== undefined) return known
    counted.set(part, 1)
    const meant = partAt(schema, part['$ref'])
    let ways = 1 + (meant === null ? 0 : waysOf(meant))
    for (const name of here) for (const one of partsIn(part, name)) ways += waysOf(one)
    let most = 0
    for (const name of within) {
      for (const one of partsIn(part, name)) most = Math.max(most, waysOf(one))
    }
    const all = Math.min(ways + most, waysMax + 1)
    counted.set(part, all)
    return all
  }
  return waysOf(schema)
}

const named = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** The schemas that a keyword holds: one, a list, or one for each name. */
function partsIn(part: JsonObject, keyword: string): readonly JsonObject[] {
  const value = part[keyword]
  if (Array.isArray(value)) return value.filter(isJsonObject)
  if (!isJsonObject(value)) return []
  return named.has(keyword) ? Object.values(value).filter(isJsonObject) : [value]
}
