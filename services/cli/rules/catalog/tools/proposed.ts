// Capabilities that were drawn up from what others wrote about their tools, for a person to review.
import { argsSchemaFault, schemaOfOthers } from '#rules/catalog/arguments'
import { toolDigest, type LiveTool } from '#rules/routing/tool-change'
import type { Imported } from '#schemas/action/routing'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import type { EdgeRequest } from '#schemas/rules/edge-request'
import type { SafetyClass } from '#schemas/rules/terms'
import type { EdgeOperation } from './edge-operation.ts'
import { partAt } from '#rules/catalog/schemas/schema-parts'
import { isJsonObject } from '#record/json-object'

// A schema of arguments, closed: an argument that it does not name is refused, unless it says
// otherwise. Each one that it names or demands can be given still, in whichever part that stands.

interface ClosedSchema {
  readonly schema: JsonObject
  readonly notes: readonly string[]
  /** Why no arguments could ever meet it. */
  readonly refused?: string
}

const openly = 'arguments that it does not name are taken too'

function closedSchema(written: JsonObject): ClosedSchema {
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

export interface ProposedCapability {
  readonly id: string
  readonly description: string
  readonly safetyClass: SafetyClass
  readonly argsSchema?: JsonObject
  readonly requests?: readonly EdgeRequest[]
  readonly imported: Imported
}

export interface ProposedTool {
  readonly capability: ProposedCapability
  /** What it was drawn up from. */
  readonly live: LiveTool
  /** What the person who reviews it should know: why this class, and what could not be used. */
  readonly notes: readonly string[]
  /** Why it cannot be imported: without its schema it would take no arguments at all. */
  readonly refused?: string
  /** Of an operation of HTTP: as a proxy asks about it. */
  readonly edge?: EdgeOperation
}

/** The same for a proxy; null where it is no operation of HTTP. */
export function proposedAtEdge(tool: ProposedTool): ProposedTool | null {
  const { capability, edge, notes, refused } = tool
  // A path that could not be read is refused either way.
  if (edge === undefined && refused !== undefined && capability.imported.from === 'openapi') {
    return tool
  }
  if (edge === undefined) return null
  const { requests, argsSchema } = edge
  const { refused: _, ...rest } = tool
  return {
    ...rest,
    capability: { ...capability, argsSchema, ...(requests !== undefined && { requests }) },
    // The class comes first; the others are about the schema for programs.
    notes: [...notes.slice(0, 1), ...edge.notes],
  }
}

/** As that capability was imported: for a proxy where it has requests. */
export function proposedLike(
  { requests }: { readonly requests?: unknown },
  tool: ProposedTool,
): ProposedTool {
  return (requests === undefined ? null : proposedAtEdge(tool)) ?? tool
}

const descriptionCharactersMax = 400

/** One line of a description. */
export function shortDescription(text: string | undefined): string {
  const line = (text ?? '').trim().replaceAll(/\s+/g, ' ')
  if (line.length <= descriptionCharactersMax) return line
  return `${line.slice(0, descriptionCharactersMax)}…`
}

interface Texts<Name extends string> {
  readonly texts: { readonly [name in Name]?: string }
  readonly notes: readonly string[]
}

/** What is written there for people; of what is not a text, a remark. */
export function writtenTexts<Name extends string>(
  written: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Texts<Name> {
  const texts: { [name in Name]?: string } = {}
  const notes: string[] = []
  for (const name of names) {
    const value = written[name]
    if (typeof value === 'string') texts[name] = value
    else if (value !== undefined) notes.push(`\`${name}\` is not a text: it is not read`)
  }
  return { texts, notes }
}

export interface UsableSchema {
  readonly argsSchema?: JsonObject
  readonly notes: readonly string[]
  /** Why it cannot be judged by. */
  readonly refused?: string
}

/** The schema as it is judged by here, with what was passed over; or why it cannot be. */
export function usableSchema(
  written: JsonObject,
  before: ReadonlySet<string> = new Set(),
): UsableSchema {
  const foreign = schemaOfOthers(written)
  const { schema, notes: onNames, refused } = closedSchema(foreign.schema)
  const fault = argsSchemaFault(schema)
  if (fault !== null) return { notes: [], refused: `its schema cannot be kept: ${fault}` }
  if (refused !== undefined) return { notes: [], refused }
  const passedOver = [...new Set([...before, ...foreign.passedOver])]
  const named = passedOver.slice(0, namedMax)
  const more = passedOver.length > namedMax ? [`${passedOver.length - namedMax} more`] : []
  const notes = named.length === 0 ? [] : [`not checked: ${[...named, ...more].join(', ')}`]
  return { argsSchema: schema, notes: [...notes, ...onNames] }
}

const namedMax = 6

/** What of a list could not be read, as a row of it: it costs nothing else. */
export function unreadTool(from: Imported['from'], id: string, why: string): ProposedTool {
  const live = { name: id, description: '', inputSchema: {} }
  const imported = importedFrom(from, live)
  const capability = { id, description: '', safetyClass: 'DESTRUCTIVE' as const, imported }
  return { capability, live, notes: [], refused: why }
}

/** Where it comes from, and what its author says of it now. */
export function importedFrom(from: Imported['from'], live: LiveTool): Imported {
  return { from, tool: live.name, digest: toolDigest(live) }
}
