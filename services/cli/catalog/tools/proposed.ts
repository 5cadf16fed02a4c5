// Capabilities that were drawn up from what others wrote about their tools, for a person to review.
import { argsSchemaFault } from '#core/catalog/arguments'
import { toolDigest, type LiveTool } from '#core/routing/tool-change'
import type { Imported } from '#schemas/action/routing'
import type { JsonObject } from '#schemas/catalog'
import type { SafetyClass } from '#schemas/rules/terms'

export interface ProposedCapability {
  readonly id: string
  readonly description: string
  readonly safetyClass: SafetyClass
  readonly argsSchema?: JsonObject
  readonly imported: Imported
}

export interface ProposedTool {
  readonly capability: ProposedCapability
  /** What it was drawn up from. */
  readonly live: LiveTool
  /** What the person who reviews it should know: why this class, and what could not be used. */
  readonly notes: readonly string[]
}

const descriptionCharactersMax = 400

/** One line of a description. */
export function shortDescription(text: string | undefined): string {
  const line = (text ?? '').trim().replaceAll(/\s+/g, ' ')
  if (line.length <= descriptionCharactersMax) return line
  return `${line.slice(0, descriptionCharactersMax)}…`
}

/** The schema if it can be judged by; without one a capability takes no arguments at all. */
export function usableSchema(schema: JsonObject): {
  readonly argsSchema?: JsonObject
  readonly notes: readonly string[]
} {
  const fault = argsSchemaFault(schema)
  if (fault === null) return { argsSchema: schema, notes: [] }
  return { notes: [`its schema cannot be used, so it takes no arguments: ${fault}`] }
}

/** Where it comes from, and what its author says of it now. */
export function importedFrom(from: Imported['from'], live: LiveTool): Imported {
  return { from, tool: live.name, digest: toolDigest(live) }
}
