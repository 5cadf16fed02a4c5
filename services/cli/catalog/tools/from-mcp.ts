// The tools of an MCP server, from the result of `tools/list`. Annotations are hints of its author:
// without them a tool may destroy, as the protocol says.
import { z } from 'zod'
import { JsonObject } from '#schemas/catalog'
import { shortDescription, usableSchema, type ProposedTool } from './proposed.ts'
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
const ToolsList = z.union([
  z.looseObject({ tools: z.array(McpTool) }),
  z
    .looseObject({ result: z.looseObject({ tools: z.array(McpTool) }) })
    .transform(({ result }) => result),
  z.array(McpTool).transform((tools) => ({ tools })),
])

/** Null where it is not a list of tools. */
export function toolsOfMcp(value: unknown): readonly ProposedTool[] | null {
  const parsed = ToolsList.safeParse(value)
  return parsed.success ? parsed.data.tools.map(proposedBy) : null
}

function proposedBy({
  name,
  description,
  inputSchema = {},
  annotations = {},
}: z.infer<typeof McpTool>): ProposedTool {
  const { safetyClass, why } = worse(hinted(annotations), byName(name))
  const { $schema: _, ...schema } = inputSchema
  const { argsSchema, notes } = usableSchema(closed(schema))
  return {
    capability: {
      id: name,
      description: shortDescription(description),
      safetyClass,
      ...(argsSchema !== undefined && { argsSchema }),
    },
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

/** A property that the schema does not name is refused, unless the schema says otherwise. */
function closed(schema: JsonObject): JsonObject {
  const isOpen = Object.hasOwn(schema, 'additionalProperties')
  return { type: 'object', ...schema, ...(!isOpen && { additionalProperties: false }) }
}
