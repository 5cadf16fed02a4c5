// JSON Schemas that others wrote, in the draft that is judged by here: what older drafts and
// OpenAPI wrote another way is rewritten, and what has no say in which values are taken is passed
// over with a remark. It never drops what constrains; that is left for the judge, which refuses it.
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { hasParts, withParts } from './schema-parts.ts'

// References by the name of a part: a part of a schema may have an `$id` of its own, by which other
// parts refer to it, and under which its own references are read. Where nothing is fetched they all
// mean a place in the one schema, and are written as that.

const noBase = 'schema:///'

/** The same schema in pointers, where parts of it have an `$id`; a name that is nowhere is left. */
function withoutIds(root: JsonObject): JsonObject {
  const places = new Places()
  places.find(root, { at: '#', base: noBase })
  return places.isNested ? rewritten(root, { at: '#', base: noBase }, places) : root
}

interface Place {
  /** A pointer from the root. */
  readonly at: string
  /** What references are relative to. */
  readonly base: string
}

class Places {
  readonly #known = new Map<string, string>()

  get isNested(): boolean {
    return new Set([...this.#known.values()].filter((at) => at !== '#')).size > 0
  }

  find(schema: JsonObject, { at, base: above }: Place): void {
    const base = baseOf(schema, above)
    if (base !== above || at === '#') this.#known.set(base, at)
    eachPart(schema, at, (part, place) => this.find(part, { at: place, base }))
  }

  /** The pointer that a reference means; as it is written where that is not known. */
  pointerTo(reference: string, base: string): string {
    const url = absolute(reference, base)
    if (url === null) return reference
    const fragment = url.hash.slice(1)
    url.hash = ''
    const at = this.#known.get(url.href)
    if (at === undefined || (fragment !== '' && !fragment.startsWith('/'))) return reference
    return `${at}${fragment}`
  }
}

function rewritten(schema: JsonObject, { at, base: above }: Place, places: Places): JsonObject {
  const base = baseOf(schema, above)
  const made: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(schema)) {
    const isReference = name === '$ref' && typeof value === 'string'
    made[name] = isReference
      ? places.pointerTo(value, base)
      : withParts(name, value, (part, below) => {
          return rewritten(part, { at: `${at}/${below}`, base }, places)
        })
  }
  return made
}

function eachPart(
  schema: JsonObject,
  at: string,
  found: (part: JsonObject, at: string) => void,
): void {
  for (const [name, value] of Object.entries(schema)) {
    withParts(name, value, (part, below) => {
      found(part, `${at}/${below}`)
      return part
    })
  }
}

function baseOf(schema: JsonObject, above: string): string {
  const { $id } = schema
  const url = typeof $id === 'string' ? absolute($id, above) : null
  if (url === null) return above
  url.hash = ''
  return url.href
}

function absolute(reference: string, base: string): URL | null {
  return URL.canParse(reference, base) ? new URL(reference, base) : null
}

export interface ForeignSchema {
  readonly schema: JsonObject
  /** What was passed over, each said once. */
  readonly passedOver: readonly string[]
}

/** What else is kept as it is written. */
const kept = new Set([
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'type',
  'enum',
  'const',
  'required',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'disallow',
  'divisibleBy',
  'extends',
  'format',
  '$async',
  '$recursiveRef',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])
/** What every draft has for people alone, and is not worth a remark. */
const silent = new Set([
  '$schema',
  '$comment',
  '$id',
  'id',
  '$vocabulary',
  'example',
  'xml',
  'externalDocs',
])
/** `formats`: those that are checked. */
export function foreignSchema(schema: JsonObject, formats: ReadonlySet<string>): ForeignSchema {
  const reading = new Reading(formats)
  return { schema: reading.read(withoutIds(schema)), passedOver: [...reading.passedOver] }
}

/** Whether JSON Schema has that keyword, in any of its drafts. */
function isKeyword(name: string): boolean {
  return kept.has(name) || hasParts(name)
}

class Reading {
  readonly passedOver = new Set<string>()
  readonly #formats: ReadonlySet<string>

  constructor(formats: ReadonlySet<string>) {
    this.#formats = formats
  }

  read(schema: JsonObject): JsonObject {
    const made: Record<string, JsonValue> = {}
    for (const [name, value] of Object.entries(schema)) this.#put(made, name, value)
    if (schema['nullable'] === true && typeof schema['type'] !== 'string') {
      this.passedOver.add('`nullable` without `type`')
    }
    return asNow(schema, this.#tuple(schema, made))
  }

  #put(made: Record<string, JsonValue>, name: string, value: JsonValue): void {
    if (name === 'format' && !(typeof value === 'string' && this.#formats.has(value))) {
      this.passedOver.add(`\`format\` ${JSON.stringify(value)}`)
    } else if (name === 'dependencies') {
      this.#dependencies(made, value)
    } else if (isKeyword(name)) {
      made[name] = withParts(name, value, (part) => this.read(part))
    } else if (!silent.has(name) && name !== 'nullable') {
      this.passedOver.add(`\`${name}\``)
    }
  }

  /** Up to 2019 one keyword stood for two. */
  #dependencies(made: Record<string, JsonValue>, value: JsonValue): void {
    if (!isJsonObject(value)) {
      made['dependencies'] = value
      return
    }
    const all = Object.entries(value)
    const names = Object.fromEntries(all.filter(([, each]) => Array.isArray(each)))
    const schemas = Object.fromEntries(all.filter(([, each]) => !Array.isArray(each)))
    const parts = withParts('dependentSchemas', schemas, (part) => this.read(part))
    if (Object.keys(names).length > 0) made['dependentRequired'] = names
    if (Object.keys(schemas).length > 0) made['dependentSchemas'] = parts
  }

  /** Up to 2019 a list of `items` was a tuple, and `additionalItems` what may follow it. */
  #tuple(schema: JsonObject, made: Record<string, JsonValue>): Record<string, JsonValue> {
    const { additionalItems, items, ...rest } = made
    if (!Array.isArray(schema['items'])) return items === undefined ? rest : { ...rest, items }
    const first =
      items === undefined || rest['prefixItems'] !== undefined ? {} : { prefixItems: items }
    return { ...rest, ...first, ...(additionalItems !== undefined && { items: additionalItems }) }
  }
}

const limits = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/** What draft 4 and OpenAPI 3.0 wrote another way; `made` is the rest of the schema. */
export function asNow(schema: JsonObject, made: Record<string, JsonValue>): JsonObject {
  return nullable(schema, bounds(schema, made))
}

/** In draft 4 and OpenAPI 3.0 another keyword made a bound exclusive. */
function bounds(schema: JsonObject, made: Record<string, JsonValue>): Record<string, JsonValue> {
  let result = made
  for (const [limit, exclusive] of limits) {
    if (typeof schema[exclusive] !== 'boolean') continue
    const { [limit]: value, [exclusive]: isExclusive, ...rest } = result
    const bound = isExclusive === true ? exclusive : limit
    result = value === undefined ? rest : { ...rest, [bound]: value }
  }
  return result
}

/** OpenAPI 3.0 has no type for null. */
function nullable(schema: JsonObject, made: Record<string, JsonValue>): JsonObject {
  if (schema['nullable'] !== true || typeof made['type'] !== 'string') return made
  const listed = made['enum']
  const withNull = Array.isArray(listed) && !listed.includes(null) ? [...listed, null] : listed
  return {
    ...made,
    type: [made['type'], 'null'],
    ...(withNull !== undefined && { enum: withNull }),
  }
}
