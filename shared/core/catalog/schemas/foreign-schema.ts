// JSON Schemas that others wrote, in the draft that is judged by here: what older drafts and
// OpenAPI wrote another way is rewritten, and what has no say in which values are taken is passed
// over with a remark. It never drops what constrains; that is left for the judge, which refuses it.
import type { JsonObject, JsonValue } from '#schemas/catalog'

export interface ForeignSchema {
  readonly schema: JsonObject
  /** What was passed over, each said once. */
  readonly passedOver: readonly string[]
}

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
  return { schema: reading.read(schema), passedOver: [...reading.passedOver] }
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
    return nullable(schema, bounds(schema, this.#tuple(schema, made)))
  }

  #put(made: Record<string, JsonValue>, name: string, value: JsonValue): void {
    if (name === 'format' && !(typeof value === 'string' && this.#formats.has(value))) {
      this.passedOver.add(`\`format\` ${JSON.stringify(value)}`)
    } else if (name === 'dependencies') {
      this.#dependencies(made, value)
    } else if (kept.has(name)) {
      made[name] = value
    } else if (asSchema.has(name) || asList.has(name)) {
      made[name] = this.#below(value)
    } else if (asMap.has(name)) {
      made[name] = isObject(value) ? this.#each(value) : value
    } else if (!silent.has(name) && name !== 'nullable') {
      this.passedOver.add(`\`${name}\``)
    }
  }

  #below(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((each) => this.#below(each))
    return isObject(value) ? this.read(value) : value
  }

  #each(schemas: JsonObject): JsonObject {
    const entries = Object.entries(schemas)
    return Object.fromEntries(entries.map(([name, value]) => [name, this.#below(value)]))
  }

  /** Up to 2019 one keyword stood for two. */
  #dependencies(made: Record<string, JsonValue>, value: JsonValue): void {
    if (!isObject(value)) {
      made['dependencies'] = value
      return
    }
    const names = Object.entries(value).filter(([, each]) => Array.isArray(each))
    const schemas = Object.entries(value).filter(([, each]) => !Array.isArray(each))
    if (names.length > 0) made['dependentRequired'] = Object.fromEntries(names)
    if (schemas.length > 0) made['dependentSchemas'] = this.#each(Object.fromEntries(schemas))
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

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
