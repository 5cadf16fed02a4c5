// The tools of an MCP server, from the result of `tools/list`, or of `listTools` of a program.
// Annotations are hints of its author: no class rests on them unless a person accepts them.
import { z } from 'zod'
import { JsonObject } from '#schemas/catalog'
import type { Imported } from '#schemas/action/routing'
import { importedFrom, shortDescription, usableSchema, type ProposedTool } from './proposed.ts'
import { byName, worse, type GuessedClass } from './safety-class.ts'

const Annotations = z.looseObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
})
const McpTool = z.looseObject({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: JsonObject.optional(),
  annotations: Annotations.optional(),
})
const List = z.looseObject({ tools: z.array(McpTool), from: z.literal('zod').optional() })
const ToolsList = z.union([
  List,
  z.looseObject({ result: List }).transform(({ result }) => result),
  z.array(McpTool).transform((tools) => ({ tools, from: undefined })),
])

export interface HintReading {
  /** Whether a person takes the hints of the tools' author for their classes. */
  readonly acceptsHints: boolean
}

/** Null where it is not a list of tools. */
export function toolsOfMcp(value: unknown, reading: HintReading): readonly ProposedTool[] | null {
  const parsed = ToolsList.safeParse(value)
  if (!parsed.success) return null
  const { tools, from = 'mcp' } = parsed.data
  return tools.map((tool) => proposedBy(tool, from, reading))
}

function proposedBy(
  { name, description, inputSchema = {}, annotations = {} }: z.infer<typeof McpTool>,
  from: Imported['from'],
  { acceptsHints }: HintReading,
): ProposedTool {
  const guessed = worse(hinted(annotations), byName(name))
  const { safetyClass, why } = acceptsHints ? guessed : unhinted(guessed)
  const live = { name, description, inputSchema }
  const { $schema: _, ...schema } = inputSchema
  const { argsSchema, notes } = usableSchema(closed(schema))
  return {
    capability: {
      id: name,
      description: shortDescription(description),
      safetyClass,
      ...(argsSchema !== undefined && { argsSchema }),
      imported: importedFrom(from, live),
    },
    live,
    notes: [`${safetyClass}: ${why}`, ...notes],
  }
}

function hinted({ readOnlyHint, destructiveHint }: z.infer<typeof Annotations>): GuessedClass {
  if (destructiveHint === true) {
    return { safetyClass: 'DESTRUCTIVE', why: 'its server says that it may destroy' }
  }
  if (readOnlyHint === true)
    return { safetyClass: 'READ', why: 'its server says that it only reads' }
  if (destructiveHint === false) {
    return { safetyClass: 'WRITE', why: 'its server says that it changes, and does not destroy' }
  }
  return { safetyClass: 'DESTRUCTIVE', why: 'its server does not say that it only reads' }
}

/** A hint may only make it worse: what it would make milder a person must say. */
function unhinted({ safetyClass, why }: GuessedClass): GuessedClass {
  if (safetyClass === 'DESTRUCTIVE') return { safetyClass, why }
  const said = `no one has said otherwise; a hint says ${safetyClass}`
  return { safetyClass: 'DESTRUCTIVE', why: said }
}

/** A property that the schema does not name is refused, unless the schema says otherwise. */
function closed(schema: JsonObject): JsonObject {
  const isOpen = Object.hasOwn(schema, 'additionalProperties')
  return { type: 'object', ...schema, ...(!isOpen && { additionalProperties: false }) }
}
