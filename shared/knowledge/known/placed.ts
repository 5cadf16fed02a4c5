// Whether a pointer can lead to an argument at all: a misspelt one would protect nothing, and no
// one would notice.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { tokensOf } from './pointer.ts'

const refsMax = 16

/** Whether arguments that meet the schema can have something there. */
export function mayHold(schema: JsonObject, pointer: string): boolean {
  return holds(schema, tokensOf(pointer), { root: schema, refs: 0 })
}

interface Way {
  readonly root: JsonObject
  /** How many references were followed so far. */
  readonly refs: number
}

function holds(schema: JsonValue | undefined, tokens: readonly string[], way: Way): boolean {
  const [token, ...rest] = tokens
  if (token === undefined) return schema !== false
  if (schema === undefined || schema === true) return true
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false
  const ref = schema['$ref']
  if (typeof ref === 'string') {
    // What another document says of it cannot be seen here.
    if (!ref.startsWith('#') || way.refs >= refsMax) return true
    const target = targetOf(way.root, ref)
    if (holds(target, tokens, { ...way, refs: way.refs + 1 })) return true
  }
  const branches = branchesOf(schema)
  if (branches.some((branch) => holds(branch, tokens, way))) return true
  const members = membersOf(schema, token)
  if (members !== null) return members.some((member) => holds(member, rest, way))
  // Nothing describes what is in it.
  return typeof ref !== 'string' && branches.length === 0 && isOpen(schema)
}

/** The schema with those that it refers to and its branches: each that has a say in a value. */
export function schemasOf(
  root: JsonObject,
  of: JsonValue | undefined,
  found: Set<JsonObject> = new Set(),
): readonly JsonObject[] {
  if (typeof of !== 'object' || of === null || Array.isArray(of) || found.has(of)) return []
  found.add(of)
  const ref = of['$ref']
  const target = typeof ref === 'string' && ref.startsWith('#') ? targetOf(root, ref) : undefined
  for (const one of [target, ...branchesOf(of)]) schemasOf(root, one, found)
  return [...found]
}

/** The same of what a token leads to. */
export function schemasBelow(
  root: JsonObject,
  schemas: readonly JsonObject[],
  token: string,
): readonly JsonObject[] {
  return schemas
    .flatMap((one) => membersOf(one, token) ?? [])
    .flatMap((one) => schemasOf(root, one))
}

function branchesOf(schema: JsonObject): readonly JsonValue[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
    const list = schema[name]
    return Array.isArray(list) ? list : []
  })
}

/** The schemas of what the token leads to; null where the schema names no members at all. */
function membersOf(schema: JsonObject, token: string): readonly JsonValue[] | null {
  const properties = objectAt(schema, 'properties')
  const patterns = Object.values(objectAt(schema, 'patternProperties') ?? {})
  const more = schema['additionalProperties'] ?? schema['unevaluatedProperties']
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
  const items = schema['items'] === undefined ? prefix : [...prefix, schema['items']]
  const others = typeof more === 'object' ? [...patterns, more] : patterns
  if (properties === null && others.length === 0 && items.length === 0) return null
  if (token === '*') return [...Object.values(properties ?? {}), ...others, ...items]
  const own =
    properties !== null && Object.hasOwn(properties, token) ? properties[token] : undefined
  if (own !== undefined) return [own]
  return /^(?:0|[1-9][0-9]*)$/.test(token) ? [...others, ...items] : others
}

function isOpen(schema: JsonObject): boolean {
  if (schema['additionalProperties'] === false || schema['items'] === false) return false
  const { type } = schema
  if (type === undefined) return true
  const types = Array.isArray(type) ? type : [type]
  return types.includes('object') || types.includes('array')
}

function objectAt(schema: JsonObject, name: string): JsonObject | null {
  const value = schema[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}

function targetOf(root: JsonObject, ref: string): JsonValue | undefined {
  let at: JsonValue | undefined = root
  for (const token of tokensOf(decoded(ref.slice(1)))) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return undefined
    at = Object.hasOwn(at, token) ? at[token] : undefined
  }
  return at
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
