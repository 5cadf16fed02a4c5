// Capabilities that were drawn up from what others wrote about their tools, for a person to review.
import { argsSchemaFault, schemaOfOthers } from '#rules/catalog/arguments'
import { toolDigest, type LiveTool } from '#rules/routing/tool-change'
import type { Imported } from '#schemas/action/routing'
import type { JsonObject } from '#schemas/catalog'
import type { EdgeRequest } from '#schemas/rules/edge-request'
import type { SafetyClass } from '#schemas/rules/terms'
import { closedSchema } from './closed-schema.ts'
import type { EdgeOperation } from './edge-operation.ts'

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
