// The types of the values that a condition reads, and those that the JSON Schema of a capability
// gives its arguments. What a schema leaves open is `dyn`: any value, known only when it is there.
import { LRUCache } from 'lru-cache'
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'

export type ScalarKind =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'timestamp'
  | 'duration'
  | 'null'
  | 'dyn'

export type ValueType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly of: ValueType }
  | { readonly kind: 'map'; readonly of: ValueType }
  | ObjectType

export interface ObjectType {
  readonly kind: 'object'
  readonly fields: ReadonlyMap<string, ValueType>
  /** Of members that are not named; null where there are none, or only `[]` reads them. */
  readonly rest: ValueType | null
}

/** What is wrong, and how to fix it; `offset` is where, in characters of the text. */
export interface ConditionProblem {
  readonly message: string
  readonly offset: number
}

export interface LiteralChecks {
  /**
   * Whether a part that fails for every call is refused, as a text that is no moment; it is, unless
   * the rules are older than that.
   */
  readonly literals?: boolean
}

export const dyn = { kind: 'dyn' } as const
export const stringType = { kind: 'string' } as const

export function listType(of: ValueType): ValueType {
  return { kind: 'list', of }
}

export function mapType(of: ValueType): ValueType {
  return { kind: 'map', of }
}

export function objectType(fields: Readonly<Record<string, ValueType>>): ObjectType {
  return { kind: 'object', fields: new Map(Object.entries(fields)), rest: null }
}

/** An object of which nothing is known. */
export const openObject: ObjectType = { kind: 'object', fields: new Map(), rest: dyn }

/** As it is written in CEL. */
export function typeText(type: ValueType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeText(type.of)})`
    case 'map':
      return `map(string, ${typeText(type.of)})`
    case 'null':
      return 'null_type'
    default:
      return type.kind
  }
}

const depthMax = 16

/** The type of the values that the schema lets through, as far as it says one. */
function typeOfSchema(schema: JsonValue | undefined, depth = 0): ValueType {
  if (!isJsonObject(schema) || depth > depthMax) return dyn
  switch (kindIn(schema)) {
    case 'object':
      return objectIn(schema, depth)
    case 'array':
      return listType(typeOfSchema(schema['items'], depth + 1))
    case 'string':
      return stringType
    case 'integer':
      return { kind: 'int' }
    case 'number':
      return { kind: 'double' }
    case 'boolean':
      return { kind: 'bool' }
    default:
      return dyn
  }
}

// Two memos, as of the schemas themselves: the second is for those that recur as new objects.
const known = new WeakMap<JsonObject, ObjectType>()
const textsMax = 256
const knownTexts = new LRUCache<string, ObjectType>({ max: textsMax })

/** That of the arguments, the same object for the same schema. */
export function typeOfArguments(argsSchema: JsonObject): ObjectType {
  const before = known.get(argsSchema)
  if (before !== undefined) return before
  const written = JSON.stringify(argsSchema)
  const type = typeOfSchema(argsSchema)
  const made = knownTexts.get(written) ?? (type.kind === 'object' ? type : openObject)
  knownTexts.set(written, made)
  known.set(argsSchema, made)
  return made
}

// Where a schema names properties, a name that it does not have is taken for a slip.
function objectIn(schema: JsonObject, depth: number): ValueType {
  const named = schema['properties']
  const rest = schema['additionalProperties']
  const others = isJsonObject(rest) ? typeOfSchema(rest, depth + 1) : dyn
  if (!isJsonObject(named)) {
    return rest === false ? objectType({}) : { kind: 'object', fields: new Map(), rest: others }
  }
  const fields = Object.entries(named).map(([name, one]) => {
    return [name, typeOfSchema(one, depth + 1)] as const
  })
  return { kind: 'object', fields: new Map(fields), rest: isJsonObject(rest) ? others : null }
}

function kindIn(schema: JsonObject): JsonValue | undefined {
  const { type } = schema
  if (type !== undefined) return type
  if ('properties' in schema) return 'object'
  const listed = schema['enum']
  const values = Array.isArray(listed) ? listed : 'const' in schema ? [schema['const']] : []
  return values.length > 0 && values.every((value) => typeof value === 'string')
    ? 'string'
    : undefined
}
