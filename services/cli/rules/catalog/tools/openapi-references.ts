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
  /** Of parts of an `allOf`, what the whole has as read-only. */
  readonly answered: WeakMap<JsonObject, ReadonlySet<string>>
}

export function schemaReading(root: JsonObject): SchemaReading {
  return { root, used: new Map(), passedOver: new Set(), lost: new Set(), answered: new WeakMap() }
}

/** For people alone, as in every draft; not worth a remark. */
const silent: ReadonlySet<string> = new Set(['xml', 'externalDocs', 'example'])

/** References into the document become definitions; what 3.0 wrote its own way is rewritten. */
export function asJsonSchema(reading: SchemaReading, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const made: Record<string, JsonValue> = {}
  const { allOf } = value
  if (Array.isArray(allOf)) {
    const names = reading.answered.get(value) ?? readOnlyNames(reading.root, value)
    for (const part of allOf) if (isJsonObject(part)) reading.answered.set(part, names)
  }
  for (const [key, member] of Object.entries(value)) {
    if (silent.has(key) || (key === 'nullable' && typeof member === 'boolean')) continue
    if (key === 'discriminator' || key.startsWith('x-')) reading.passedOver.add(`\`${key}\``)
    else if (key === '$ref' && typeof member === 'string') made[key] = referred(reading, member)
    else made[key] = withParts(key, member, (part) => rewritten(reading, part))
  }
  if (value['nullable'] === true && typeof value['type'] !== 'string') {
    reading.passedOver.add('`nullable` without `type`')
  }
  return asNow(value, asked(reading, value, made))
}

/** Only answers must have what is read-only, whichever part of the schema marks it. */
function asked(
  { root, passedOver, answered }: SchemaReading,
  written: JsonObject,
  made: Record<string, JsonValue>,
): Record<string, JsonValue> {
  const { required } = made
  if (!Array.isArray(required)) return made
  const names = answered.get(written) ?? readOnlyNames(root, written)
  const left = required.filter((name) => typeof name !== 'string' || !names.has(name))
  if (left.length === required.length) return made
  passedOver.add('`required` of what is `readOnly`')
  return { ...made, required: left }
}

/** Of a schema and all parts that judge the same value. */
function readOnlyNames(root: JsonObject, written: JsonObject): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { properties } of sameValue(root, written)) {
    for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const parts = isJsonObject(property) ? [...sameValue(root, property)] : []
      if (parts.some((part) => part['readOnly'] === true)) names.add(name)
    }
  }
  return names
}

/** A schema, what it refers to, and the parts that hold together with it. */
function sameValue(root: JsonObject, written: JsonObject): ReadonlySet<JsonObject> {
  const found = new Set([written])
  // A set that grows is walked to its end.
  for (const { $ref, allOf } of found) {
    const named = typeof $ref === 'string' ? valueAt(root, $ref) : undefined
    for (const part of [named, ...(Array.isArray(allOf) ? allOf : [])]) {
      if (isJsonObject(part)) found.add(part)
    }
  }
  return found
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
  const lost = `\`$ref\` ${JSON.stringify(reference)} leads to nothing in the document`
  return reference.startsWith('#') ? lost : `${lost}: bundle its files into one`
}

function valueAt(root: JsonObject, reference: string): JsonValue | undefined {
  return reference.startsWith('#/') ? referredValue(root, reference) : undefined
}
