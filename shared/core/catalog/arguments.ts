// Arguments of a call against the JSON Schema of its capability. A schema that cannot be used, and
// a check that breaks, refuse; nothing is fetched or coerced, and nothing is filled in but for a
// gateway.
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { LRUCache } from 'lru-cache'
import type { Capability, JsonValue, JsonObject } from '#schemas/catalog'
import { canonical, jsonOf } from '../kernel/canonical.ts'

/** `path` is a JSON pointer into the arguments; empty for the arguments as a whole. */
export interface ArgumentFault {
  readonly path: string
  /** Of JSON Schema; `schema` where the schema cannot be used, `depth` where the check broke. */
  readonly keyword: string
  /** What the keyword expects, in the words of the schema. */
  readonly expected: { readonly [name: string]: JsonValue }
}

// A misspelt keyword would let anything through, so an unknown one is refused. `ownProperties`, or
// `required: ["constructor"]` would be met by every object.
const settings = {
  strictSchema: true,
  strictNumbers: true,
  strictTypes: false,
  strictTuples: false,
  ownProperties: true,
  logger: false,
  formats: fullFormats,
} as const

// The library compares each item with each other: a message of thirty thousand would hold a worker
// up for many seconds.
const uniqueItems = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (wanted: boolean, items: readonly unknown[]) =>
    !wanted || new Set(items.map((item) => canonical(jsonOf(item)))).size === items.length,
  error: { message: 'must NOT have duplicate items' },
} as const

// Only looks at schemas, and keeps none of them.
let schemaReader: Ajv2020 | undefined

// Two memos: the answer depends on the schema alone. The first goes when the capability goes; the
// second is for capabilities that recur as new objects, as in lines judged alone.
const compiled = new WeakMap<JsonObject, ValidateFunction | string>()
const schemaTextsMax = 256
const compiledTexts = new LRUCache<string, ValidateFunction | string>({ max: schemaTextsMax })

/** Why the schema cannot be used, or null. */
export function argsSchemaFault(schema: JsonObject): string | null {
  const check = compiledOf(schema)
  return typeof check === 'string' ? check : null
}

/** The first thing that is wrong with the arguments, or null. */
export function argumentFault(
  capability: Pick<Capability, 'argsSchema'>,
  args: unknown,
): ArgumentFault | null {
  const check = compiledOf(capability.argsSchema)
  if (typeof check === 'string') return { path: '', keyword: 'schema', expected: {} }
  try {
    if (check(args)) return null
  } catch {
    // Such as a recursive schema and arguments nested deeper than the stack.
    return { path: '', keyword: 'depth', expected: {} }
  }
  const error = check.errors?.[0]
  if (error === undefined) return { path: '', keyword: 'schema', expected: {} }
  const { instancePath: path, keyword, params } = error
  return { path, keyword, expected: expectedBy(params) }
}

/**
 * The arguments as a gateway would run them: with the schema's defaults where they say nothing.
 * What has no driver is run by the agent's own program, which gets them as they are; so does what
 * does not meet the schema.
 */
export function completedArguments(
  { argsSchema, driver }: Pick<Capability, 'argsSchema' | 'driver'>,
  args: JsonObject,
): JsonObject {
  if (driver === undefined) return args
  const fill = fillerOf(argsSchema)
  if (fill === null || typeof fill === 'string') return args
  try {
    const completed = structuredClone(args)
    return fill(completed) ? completed : args
  } catch {
    return args
  }
}

/** Why the defaults of the schema cannot be filled in, or null. */
export function defaultsFault(schema: JsonObject): string | null {
  const fill = fillerOf(schema)
  return typeof fill === 'string' ? fill : null
}

// Null where there is nothing to fill in. A default at a place that the library would pass over is
// a fault: the author means it to be there.
const fillers = new WeakMap<JsonObject, ValidateFunction | string | null>()

function fillerOf(schema: JsonObject): ValidateFunction | string | null {
  const known = fillers.get(schema)
  if (known !== undefined) return known
  const hasDefaults = JSON.stringify(schema).includes('"default":')
  const made = hasDefaults ? compile(schema, { useDefaults: true }) : null
  fillers.set(schema, made)
  return made
}

// The library's own params, as far as they are words of the schema or names of properties. A later
// version may add some: these names alone are kept.
const paramNames = [
  'additionalProperty',
  'allowedValue',
  'allowedValues',
  'comparison',
  'format',
  'limit',
  'maxContains',
  'minContains',
  'missingProperty',
  'multipleOf',
  'pattern',
  'propertyName',
  'property',
  'type',
  'unevaluatedProperty',
] as const
const textMax = 200
const listMax = 16

function expectedBy(params: Readonly<Record<string, unknown>>): ArgumentFault['expected'] {
  const expected: { [name: string]: JsonValue } = {}
  for (const name of paramNames) {
    const value = Object.hasOwn(params, name) ? bounded(params[name]) : undefined
    if (value !== undefined) expected[name] = value
  }
  return expected
}

function bounded(value: unknown): JsonValue | undefined {
  if (typeof value === 'string') return value.slice(0, textMax).toWellFormed()
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (!Array.isArray(value)) return undefined
  return value.slice(0, listMax).flatMap((each) => {
    const one = Array.isArray(each) ? undefined : bounded(each)
    return one === undefined ? [] : [one]
  })
}

function compiledOf(schema: JsonObject): ValidateFunction | string {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  const made = compiledTexts.get(text) ?? compile(schema)
  compiledTexts.set(text, made)
  compiled.set(schema, made)
  return made
}

function compile(schema: JsonObject, more: Options = {}): ValidateFunction | string {
  if (Object.hasOwn(schema, '$async')) return '`$async` is not a keyword of JSON Schema'
  try {
    schemaReader ??= new Ajv2020(settings)
    // To read the schema of schemas takes longer than to judge a call.
    if (!isPlainSchema(schema) && schemaReader.validateSchema(schema) !== true) {
      const error = schemaReader.errors?.[0]
      return `${error?.instancePath ?? ''} ${error?.message ?? 'is not a JSON Schema'}`.trim()
    }
    // One instance for each schema: an `$id` of one must never be seen by another.
    const base = { ...settings, ...more, meta: false, validateSchema: false }
    const checker = new Ajv2020(base)
    return checker.removeKeyword('uniqueItems').addKeyword(uniqueItems).compile(schema)
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be compiled'
  }
}

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
  ['properties', (value) => isObject(value) && Object.values(value).every(isPlain)],
  ['required', (value) => Array.isArray(value) && areNames(value)],
  ['additionalProperties', isPlain],
  ['items', isPlain],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minLength', isCount],
  ['maxLength', isCount],
])

/**
 * Whether it is a JSON Schema for certain, by a few plain keywords, as most tools have them; false
 * where that is not known.
 */
export function isPlainSchema(schema: JsonObject): boolean {
  return Object.entries(schema).every(([name, value]) => keywords.get(name)?.(value) === true)
}

function isPlain(value: JsonValue): boolean {
  return typeof value === 'boolean' || (isObject(value) && isPlainSchema(value))
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
