// What references of an OpenAPI document mean, within the document: objects of it are followed to
// their end, and schemas become definitions of the one schema that refers to them.
import { asNow } from '#rules/catalog/schemas/foreign-schema'
import {
  referredValue,
  referredNames,
  pointerPart,
  withParts,
} from '#rules/catalog/schemas/schema-parts'
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'

const hopsMax = 16

/** What is meant, or which reference leads to nothing in the document, as into another file. */
export type ReferenceTarget = { readonly found: JsonObject } | { readonly lost: string }

/** What stands beside a reference goes before what it names. */
export function referenceTarget(root: JsonObject, written: JsonObject): ReferenceTarget {
  let found = written
  for (let hops = 0; hops < hopsMax; hops += 1) {
    const { $ref, ...beside } = found
    if (typeof $ref !== 'string') return { found }
    const named = valueAt(root, $ref)
    if (!isJsonObject(named)) return { lost: lostText($ref) }
    found = { ...named, ...beside }
  }
  return { lost: `its references lead through more than ${hopsMax} others` }
}

/** The schemas of one operation as they are read: they share the definitions that they use. */
export interface SchemaReading {
  readonly root: JsonObject
  /** References by the names of their definitions. */
  readonly used: Map<string, string>
  /** What was passed over. */
  readonly passedOver: Set<string>
  /** References that lead to nothing in the document. */
  readonly lost: Set<string>
}

export function schemaReading(root: JsonObject): SchemaReading {
  return { root, used: new Map(), passedOver: new Set(), lost: new Set() }
}

/** For people alone, as in every draft; not worth a remark. */
const silent: ReadonlySet<string> = new Set(['xml', 'externalDocs', 'example'])

/** References into the document become definitions; what 3.0 wrote its own way is rewritten. */
export function asJsonSchema(reading: SchemaReading, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const made: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) {
    if (silent.has(key) || (key === 'nullable' && typeof member === 'boolean')) continue
    if (key === 'discriminator' || key.startsWith('x-')) reading.passedOver.add(`\`${key}\``)
    else if (key === '$ref' && typeof member === 'string') made[key] = referred(reading, member)
    else made[key] = withParts(key, member, (part) => rewritten(reading, part))
  }
  if (value['nullable'] === true && typeof value['type'] !== 'string') {
    reading.passedOver.add('`nullable` without `type`')
  }
  return asNow(value, made)
}

function rewritten(reading: SchemaReading, part: JsonObject): JsonObject {
  const made = asJsonSchema(reading, part)
  return isJsonObject(made) ? made : part
}

const schemasAt = '#/components/schemas/'

function referred({ root, used, lost }: SchemaReading, reference: string): string {
  // In another file, or by an anchor: left for the judge, which refuses what it cannot find.
  if (!reference.startsWith('#/')) return reference
  if (valueAt(root, reference) === undefined) lost.add(lostText(reference))
  const keys = referredNames(reference)
  const isComponent = reference.startsWith(schemasAt) && keys.length === 3
  const name = isComponent ? (keys.at(-1) ?? '') : keys.join('/')
  used.set(name, reference)
  return `#/$defs/${pointerPart(name)}`
}

/** Those that are named, and those that these name. */
export function definitions(reading: SchemaReading): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {}
  // A map that grows is walked to its end.
  for (const [name, reference] of reading.used) {
    found[name] = asJsonSchema(reading, valueAt(reading.root, reference) ?? {})
  }
  return found
}

function lostText(reference: string): string {
  return `\`$ref\` ${JSON.stringify(reference)} leads to nothing in the document`
}

function valueAt(root: JsonObject, reference: string): JsonValue | undefined {
  return reference.startsWith('#/') ? referredValue(root, reference) : undefined
}
