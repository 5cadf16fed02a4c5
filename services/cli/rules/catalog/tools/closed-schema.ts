// A schema of arguments, closed: an argument that it does not name is refused, unless it says
// otherwise. Each one that it names or demands can be given still, in whichever part that stands.
import { partAt } from '#rules/catalog/schemas/schema-parts'
import { isJsonObject } from '#record/json-object'
import type { JsonObject, JsonValue } from '#schemas/catalog'

export interface ClosedSchema {
  readonly schema: JsonObject
  readonly notes: readonly string[]
  /** Why no arguments could ever meet it. */
  readonly refused?: string
}

const openly = 'arguments that it does not name are taken too'

export function closedSchema(written: JsonObject): ClosedSchema {
  const schema: JsonObject = { type: 'object', ...written }
  const { type = 'object' } = schema
  const types: readonly JsonValue[] = Array.isArray(type) ? type : [type]
  if (!types.includes('object')) {
    const refused = `its schema is of \`type\` ${JSON.stringify(type)}: arguments are an object`
    return { schema, notes: [], refused }
  }
  const has = (name: string): boolean => Object.hasOwn(schema, name)
  if (has('additionalProperties') || has('unevaluatedProperties')) return { schema, notes: [] }
  const names = namesIn(schema)
  const { described, demanded, patterns, isUnknown } = names
  const bare = [...demanded].filter((name) => !described.has(name))
  const isBare = described.size + bare.length + patterns.size === 0
  if (isUnknown || (isBare && anyName.some(has))) {
    return { schema, notes: [`its schema does not list its arguments: ${openly}`] }
  }
  const demands = bare.map(
    (name) => `\`${name}\` is demanded and not described: it may be anything`,
  )
  if (isBare && !has('properties')) {
    const none = 'its schema names no arguments, so it takes none'
    return { schema: { ...schema, additionalProperties: false }, notes: [none] }
  }
  const properties = { ...anything(bare), ...membersOf(schema['properties']) }
  const closed = { ...schema, ...(bare.length > 0 && { properties }) }
  return { schema: withoutOthers(closed, names), notes: demands }
}

/** Without names of its own, such a schema is about arguments of any name. */
const anyName = ['propertyNames', 'minProperties']

/** The library loses what parts beside an `if` name: their names are repeated for it. */
function withoutOthers(schema: JsonObject, names: Names): JsonObject {
  if (!names.hasParts) return { ...schema, additionalProperties: false }
  if (!names.isConditional) return { ...schema, unevaluatedProperties: false }
  const { properties, patternProperties } = schema
  return {
    ...schema,
    properties: { ...anything(names.described), ...membersOf(properties) },
    patternProperties: { ...anything(names.patterns), ...membersOf(patternProperties) },
    additionalProperties: false,
  }
}

function anything(names: Iterable<string>): JsonObject {
  return Object.fromEntries([...names].map((name) => [name, {}]))
}

interface Names {
  readonly described: Set<string>
  readonly demanded: Set<string>
  readonly patterns: Set<string>
  /** Whether parts of it judge the same value. */
  readonly hasParts: boolean
  readonly isConditional: boolean
  /** Whether which names there are cannot be read off it. */
  readonly isUnknown: boolean
}

const dynamic = ['$dynamicRef', '$recursiveRef']
const open = ['additionalProperties', 'unevaluatedProperties']

/** Of all parts that judge the same value; what one forbids is not among them. */
function namesIn(root: JsonObject): Names {
  const parts = partsOf(root)
  const all = [...parts]
  const keysIn = (keyword: string) => all.flatMap((part) => Object.keys(membersOf(part[keyword])))
  const has = (part: JsonObject, keywords: readonly string[]): boolean =>
    keywords.some((keyword) => Object.hasOwn(part, keyword))
  const isConditional = all.some((part) => Object.hasOwn(part, 'if'))
  const isOpen = all.some((part) => open.some((keyword) => (part[keyword] ?? false) !== false))
  const isLost = all.some(({ $ref }) => {
    return typeof $ref === 'string' && !(/^#(?:\/|$)/.test($ref) && partAt(root, $ref) !== null)
  })
  return {
    described: new Set(keysIn('properties')),
    demanded: new Set(all.flatMap(demandsOf)),
    patterns: new Set(keysIn('patternProperties')),
    hasParts: all.length > 1 || isLost || isConditional,
    isConditional,
    isUnknown: all.some((part) => has(part, dynamic)) || (isConditional && (isOpen || isLost)),
  }
}

/** A schema, and all parts of it that judge the same value. */
function partsOf(root: JsonObject): ReadonlySet<JsonObject> {
  const found = new Set([root])
  // A set that grows is walked to its end.
  for (const part of found) {
    const { $ref, then, else: other, dependentSchemas } = part
    const lists = [part['allOf'], part['anyOf'], part['oneOf']]
    const below = [
      ...lists.flatMap((list) => (Array.isArray(list) ? list : [])),
      ...Object.values(membersOf(dependentSchemas)),
      then,
      other,
      partAt(root, $ref),
    ]
    for (const each of below) if (isJsonObject(each)) found.add(each)
  }
  return found
}

/** What a part requires, or asks for to decide which other part holds. */
function demandsOf(part: JsonObject): readonly string[] {
  const { required, dependentRequired, if: asked } = part
  const lists = [required, ...Object.values(membersOf(dependentRequired))]
  const names = lists.flatMap((list) => (Array.isArray(list) ? list : []))
  const tested = isJsonObject(asked) ? Object.keys(membersOf(asked['properties'])) : []
  return [...names.filter((name) => typeof name === 'string'), ...tested]
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
