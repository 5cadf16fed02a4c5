// Arguments of a call against the JSON Schema of its capability. A schema that cannot be used, and
// a check that breaks, refuse; nothing is fetched or coerced, and nothing is filled in but for a
// gateway.
import { LRUCache } from 'lru-cache'
import { celPackages, schemaPackages } from '#platform/packages'
import type { SchemaCheck, SchemaOptions, SchemaReader } from '#platform/packages'
import { endedWithin } from '#platform/time-limit'
import type { Capability, JsonValue, JsonObject } from '#schemas/catalog'
import { canonical, jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { isSameInBoth, schemaPattern } from './schemas/schema-pattern.ts'
import type { SchemaPattern } from './schemas/schema-pattern.ts'
import { foreignSchema, type ForeignSchema } from './schemas/foreign-schema.ts'
import { unusable } from './schemas/unusable-schema.ts'
import { argumentNames } from './schemas/argument-names.ts'
import { fitsPlain, isPlainSchema } from './schemas/plain-schema.ts'
import { hasRules } from './rules-version.ts'
import { waysMax, waysThrough } from './schemas/schema-cost.ts'

/**
 * What searches for the patterns of schemas: RE2 in linear time; or that of the JavaScript engine,
 * which may take for ever, where a log under rules before version 7 has a pattern that RE2 lacks.
 */
export type Patterns = 'linear' | 'backtracking'

export function patternsUnder(catalog: { readonly rules: number }): Patterns {
  return hasRules(catalog, 'linearPatterns') ? 'linear' : 'backtracking'
}

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
let schemaReader: SchemaReader | undefined

// Two memos: the answer depends on the schema alone. The first goes when the capability goes; the
// second is for capabilities that recur as new objects, as in lines judged alone.
type Memo = WeakMap<JsonObject, SchemaCheck | string>
const compiled: Readonly<Record<Patterns, Memo>> = {
  linear: new WeakMap(),
  backtracking: new WeakMap(),
}
const schemaTextsMax = 256
const compiledTexts = new LRUCache<string, SchemaCheck | string>({ max: schemaTextsMax })

const plain = new WeakMap<JsonObject, boolean>()

function isKnownPlain(schema: JsonObject): boolean {
  const known = plain.get(schema)
  if (known !== undefined) return known
  const found = isPlainSchema(schema)
  plain.set(schema, found)
  return found
}

/** Why the schema cannot be used, or null. */
export function argsSchemaFault(schema: JsonObject, patterns: Patterns = 'linear'): string | null {
  if (isKnownPlain(schema)) return null
  const check = compiledOf(schema, patterns)
  return typeof check === 'string' ? check : null
}

/** A schema of others as it is judged by here, and what of it was passed over. */
export function schemaOfOthers(schema: JsonObject): ForeignSchema {
  const { fullFormats } = schemaPackages()
  return foreignSchema(schema, new Set(Object.keys(fullFormats)))
}

/** Whether the value is as a schema of others says; one that cannot be read fits nothing. */
export function fitsForeign(schema: JsonObject, value: unknown): boolean {
  const { schema: own } = schemaOfOthers(schema)
  return argumentFault({ argsSchema: own }, value) === null
}

/**
 * The first thing that is wrong with the arguments, or null; `names`: with the names that the
 * schema does not know. Throws a Fault `decision_stuck` where
 * a pattern of old rules was searched for too long.
 */
export function argumentFault(
  capability: Pick<Capability, 'argsSchema'>,
  args: unknown,
  patterns: Patterns = 'linear',
  { names = false }: { readonly names?: boolean | undefined } = {},
): ArgumentFault | null {
  const { argsSchema } = capability
  // What is wrong is for the library to say: it is loaded with the first that does not fit.
  if (isKnownPlain(argsSchema) && fitsPlain(argsSchema, args)) return null
  const check = compiledOf(argsSchema, patterns)
  if (typeof check === 'string') return { path: '', keyword: 'schema', expected: {} }
  try {
    if (check(args)) return null
  } catch (error) {
    if (error instanceof Fault) throw error
    // Such as a recursive schema and arguments nested deeper than the stack.
    return { path: '', keyword: 'depth', expected: {} }
  }
  const error = check.errors?.[0]
  if (error === undefined) return { path: '', keyword: 'schema', expected: {} }
  const { instancePath: path, keyword, params } = error
  const found = names && ofNames.has(keyword) ? argumentNames(argsSchema, args, error) : null
  return { path, keyword, expected: expectedBy({ ...params, ...found }) }
}

/** What is wrong where a name is. */
const ofNames = new Set(['required', 'additionalProperties', 'unevaluatedProperties'])

/**
 * The arguments as a gateway would run them: with the schema's defaults where they say nothing.
 * What has no driver is run by the agent's own program, which gets them as they are; so does what
 * does not meet the schema.
 */
export function completedArguments(
  { argsSchema, driver }: Pick<Capability, 'argsSchema' | 'driver'>,
  args: JsonObject,
  patterns: Patterns = 'linear',
): JsonObject {
  if (driver === undefined) return args
  const fill = fillerOf(argsSchema, patterns)
  if (fill === null || typeof fill === 'string') return args
  try {
    const completed = structuredClone(args)
    return fill(completed) ? completed : args
  } catch (error) {
    if (error instanceof Fault) throw error
    return args
  }
}

/** Why the defaults of the schema cannot be filled in, or null. */
export function defaultsFault(schema: JsonObject, patterns: Patterns): string | null {
  const fill = fillerOf(schema, patterns)
  return typeof fill === 'string' ? fill : null
}

// Null where there is nothing to fill in. A default at a place that the library would pass over is
// a fault: the author means it to be there.
type Fillers = WeakMap<JsonObject, SchemaCheck | string | null>
const fillers: Readonly<Record<Patterns, Fillers>> = {
  linear: new WeakMap(),
  backtracking: new WeakMap(),
}

function fillerOf(schema: JsonObject, patterns: Patterns): SchemaCheck | string | null {
  const known = fillers[patterns].get(schema)
  if (known !== undefined) return known
  const hasDefaults = JSON.stringify(schema).includes('"default":')
  const made = hasDefaults ? compile(schema, patterns, { useDefaults: true }) : null
  fillers[patterns].set(schema, made)
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
  // Not of the library: see `argument-names.ts`.
  'known',
  'unknown',
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

function compiledOf(schema: JsonObject, patterns: Patterns): SchemaCheck | string {
  const known = compiled[patterns].get(schema)
  if (known !== undefined) return known
  const text = `${patterns} ${JSON.stringify(schema)}`
  const made = compiledTexts.get(text) ?? compile(schema, patterns)
  compiledTexts.set(text, made)
  compiled[patterns].set(schema, made)
  return made
}

/** So long a pattern may be searched for that RE2 lacks. */
const searchMsMax = 1_000

// How long it may take is no part of any answer: what is stopped is not decided.
function stoppable(own: RegExp): SchemaPattern {
  return {
    test(text) {
      const found = endedWithin(searchMsMax, () => own.test(text))
      if (found !== null) return found.value
      const wrong = `the pattern \`${own.source}\` was searched for too long and stopped`
      throw new Fault('decision_stuck', `${wrong}: under \`"rules": 7\` there are none such`)
    },
    toString: () => own.source,
  }
}

// The library asks an engine for its name, which it writes into code that is never run.
const engines = {
  linear: Object.assign((pattern: string) => schemaPattern(pattern), { code: 're2' }),
  backtracking: Object.assign(
    (pattern: string, flags: string) => {
      const own = new RegExp(pattern, flags)
      return isSameInBoth(pattern) ? schemaPattern(pattern) : stoppable(own)
    },
    { code: 're2' },
  ),
} as const satisfies Readonly<Record<Patterns, NonNullable<SchemaOptions['code']>['regExp']>>

const patternKeyword = /"pattern(?:Properties)?":/

function compile(
  schema: JsonObject,
  patterns: Patterns,
  more: SchemaOptions = {},
): SchemaCheck | string {
  // In a page they may have to be fetched first, and then no schema is called unusable for that.
  if (patternKeyword.test(JSON.stringify(schema))) celPackages()
  if (Object.hasOwn(schema, '$async')) return '`$async` is not a keyword of JSON Schema'
  if (patterns === 'linear' && waysThrough(schema) > waysMax) {
    return `its parts refer to each other in more than ${waysMax} ways: let fewer refer to others`
  }
  try {
    const { Ajv2020, fullFormats } = schemaPackages()
    const own = { ...settings, formats: fullFormats }
    // To read the schema of schemas takes longer than to judge a call.
    if (!isKnownPlain(schema)) {
      schemaReader ??= new Ajv2020(own)
      if (schemaReader.validateSchema(schema) !== true) {
        const error = schemaReader.errors?.[0]
        return `${error?.instancePath ?? ''} ${error?.message ?? 'is not a JSON Schema'}`.trim()
      }
    }
    // One instance for each schema: an `$id` of one must never be seen by another.
    const code = { regExp: engines[patterns] }
    const base = { ...own, ...more, code, meta: false, validateSchema: false }
    const checker = new Ajv2020(base)
    checker.removeKeyword('uniqueItems').addKeyword(uniqueItems)
    // The library follows it, and does not know its name.
    if (patterns === 'linear') checker.addKeyword('$anchor')
    return checker.compile(schema)
  } catch (error) {
    return unusable(schema, error)
  }
}
