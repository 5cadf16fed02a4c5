// JSON Schemas that others wrote, in the draft that is judged by here: what older drafts and
// OpenAPI wrote another way is rewritten, and what has no say in which values are taken is passed
// over with a remark. It never drops what constrains; that is left for the judge, which refuses it.
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { countedPattern } from './counted-pattern.ts'
import { schemaPattern } from './schema-pattern.ts'
import { hasParts, movedPointer, withParts } from './schema-parts.ts'
import { withoutNames } from './schema-places.ts'

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
  const named = withoutNames(schema)
  const reading = new Reading(named, formats)
  return { schema: reading.read(named), passedOver: [...reading.passedOver] }
}

/** Whether JSON Schema has that keyword, in any of its drafts. */
function isKeyword(name: string): boolean {
  return kept.has(name) || hasParts(name)
}

class Reading {
  readonly passedOver = new Set<string>()
  readonly #root: JsonObject
  readonly #formats: ReadonlySet<string>
  /** Whether what a part only looks at counts for another one. */
  readonly #counts: boolean

  constructor(root: JsonObject, formats: ReadonlySet<string>) {
    this.#root = root
    this.#formats = formats
    this.#counts = /"unevaluated(?:Items|Properties)":/.test(JSON.stringify(root))
  }

  read(schema: JsonObject): JsonObject {
    const made: Record<string, JsonValue> = {}
    for (const [name, value] of Object.entries(schema)) this.#put(made, name, value)
    if (schema['nullable'] === true && typeof schema['type'] !== 'string') {
      this.passedOver.add('`nullable` without `type`')
    }
    const effective = this.#effective(this.#tuple(schema, made))
    return asNow(schema, apart(withLengths(effective)))
  }

  #put(made: Record<string, JsonValue>, name: string, value: JsonValue): void {
    if (name === 'format' && !(typeof value === 'string' && this.#formats.has(value))) {
      this.passedOver.add(`\`format\` ${JSON.stringify(value)}`)
    } else if (name === 'dependencies') {
      this.#dependencies(made, value)
    } else if (name === '$ref' && typeof value === 'string') {
      made[name] = movedPointer(this.#root, value)
    } else if (isKeyword(name)) {
      made[name] = withParts(name, value, (part) => this.read(part))
    } else if (!silent.has(name) && name !== 'nullable') {
      this.passedOver.add(`\`${name}\``)
    }
  }

  /** Without what JSON Schema has without effect, as with a condition that is missing. */
  #effective(made: Record<string, JsonValue>): Record<string, JsonValue> {
    const has = (name: string): boolean => Object.hasOwn(made, name)
    const ends = ['then', 'else'].filter(has)
    // An `if` is left to be referred to.
    if (has('if')) {
      return this.#counted(ends.length > 0 || this.#counts ? made : { ...made, else: {} })
    }
    return this.#counted(this.#without(made, ends, '`if`'))
  }

  #counted(made: Record<string, JsonValue>): Record<string, JsonValue> {
    const has = (name: string): boolean => Object.hasOwn(made, name)
    if (!has('contains')) {
      return this.#without(made, ['minContains', 'maxContains'].filter(has), '`contains`')
    }
    if (made['minContains'] !== 0 || has('maxContains') || this.#counts) return made
    const { contains: _contained, minContains: _least, ...rest } = made
    this.passedOver.add('`contains` with `minContains` 0')
    return rest
  }

  #without(
    made: Record<string, JsonValue>,
    names: readonly string[],
    missing: string,
  ): Record<string, JsonValue> {
    if (names.length === 0) return made
    for (const name of names) this.passedOver.add(`\`${name}\` without ${missing}`)
    return Object.fromEntries(Object.entries(made).filter(([name]) => !names.includes(name)))
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

/** A pattern that only counts further than RE2 does, with the counting by the length. */
function withLengths(made: Record<string, JsonValue>): Record<string, JsonValue> {
  const { pattern } = made
  const counted = typeof pattern === 'string' ? countedPattern(pattern) : null
  if (counted === null) return made
  const { minLength = 0, maxLength = null } = made
  const least = typeof minLength === 'number' ? Math.max(minLength, counted.least) : minLength
  const most = typeof maxLength === 'number' ? Math.min(maxLength, counted.most) : maxLength
  return {
    ...made,
    pattern: counted.pattern,
    ...(least !== 0 && { minLength: least }),
    ...(most !== null
      ? { maxLength: most }
      : counted.most < Infinity && { maxLength: counted.most }),
  }
}

/**
 * The same where a name is described both by itself and by a pattern, which the judge takes for a
 * mistake in one schema: the patterns in a part, with what is left of the names.
 */
function apart(made: Record<string, JsonValue>): Record<string, JsonValue> {
  const { properties, patternProperties, additionalProperties, allOf = [], ...rest } = made
  if (!isJsonObject(properties) || !isJsonObject(patternProperties)) return made
  const names = Object.keys(properties)
  const isBoth = Object.keys(patternProperties).some((pattern) => {
    return names.some((name) => isFound(pattern, name))
  })
  if (!isBoth || !Array.isArray(allOf)) return made
  const part = {
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    allOf: [{ patternProperties }],
    ...(additionalProperties !== undefined && { unevaluatedProperties: additionalProperties }),
  }
  return { ...rest, properties, allOf: [...allOf, part] }
}

function isFound(pattern: string, name: string): boolean {
  try {
    return schemaPattern(pattern).test(name)
  } catch {
    return false
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
