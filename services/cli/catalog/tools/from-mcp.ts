// The tools of an MCP server, from the result of `tools/list`, or of `listTools` of a program.
// Annotations are hints of its author: no class rests on them unless a person accepts them.
import { z } from 'zod'
import { firstProblem } from '#core/kernel/problem'
import { JsonObject } from '#schemas/catalog'
import type { Imported } from '#schemas/action/routing'
import { importedFrom, shortDescription, usableSchema, type ProposedTool } from './proposed.ts'
import { byName, worse, type GuessedClass } from './safety-class.ts'

// What many programs write for none is taken for none; each tool is read by itself.
const Hint = z.boolean().nullish().catch(null)
const Annotations = z.looseObject({ readOnlyHint: Hint, destructiveHint: Hint })
const Named = z.looseObject({ name: z.string().min(1).max(256) })
const McpTool = Named.extend({
  description: z.string().nullish(),
  inputSchema: JsonObject.nullish(),
  input_schema: JsonObject.nullish(),
  annotations: Annotations.nullish(),
})
const Listed = z.union([Named, z.looseObject({ inputSchema: z.unknown() })])
const List = z.looseObject({ tools: z.array(z.unknown()), from: z.literal('zod').optional() })
const ToolsList = z.union([
  List,
  z.looseObject({ result: List }).transform(({ result }) => result),
  z
    .array(Listed)
    .min(1)
    .transform((tools) => ({ tools, from: undefined })),
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
  return tools.map((tool, index) => {
    const read = McpTool.safeParse(tool)
    return read.success
      ? proposedBy(read.data, from, reading)
      : unreadTool(tool, index, read.error.issues)
  })
}

/** A tool that cannot be read costs only itself. */
function unreadTool(
  tool: unknown,
  index: number,
  issues: Parameters<typeof firstProblem>[0],
): ProposedTool {
  const { at, message } = firstProblem(issues)
  const id = Named.safeParse(tool).data?.name ?? `tools/${index}`
  const live = { name: id, description: '', inputSchema: {} }
  const imported = importedFrom('mcp', live)
  const refused = `it cannot be read: tools/${index}${at === '' ? '' : `/${at}`}: ${message}`
  const capability = { id, description: '', safetyClass: 'DESTRUCTIVE' as const, imported }
  return { capability, live, notes: [], refused }
}

function proposedBy(
  tool: z.infer<typeof McpTool>,
  from: Imported['from'],
  { acceptsHints }: HintReading,
): ProposedTool {
  const { name } = tool
  const description = tool.description ?? undefined
  const inputSchema = tool.inputSchema ?? tool.input_schema ?? {}
  const guessed = worse(hinted(tool.annotations ?? {}), byName(name))
  const { safetyClass, why } = acceptsHints ? guessed : unhinted(guessed)
  const live = { name, description, inputSchema }
  const { argsSchema, notes, refused } = usableSchema(closed(inputSchema))
  const isBare = tool.inputSchema === undefined && tool.input_schema === undefined
  const bare = isBare && from === 'mcp' ? ['it has no `inputSchema`, so it takes no arguments'] : []
  return {
    capability: {
      id: name,
      description: shortDescription(description),
      safetyClass,
      ...(argsSchema !== undefined && { argsSchema }),
      imported: importedFrom(from, live),
    },
    live,
    notes: [`${safetyClass}: ${why}`, ...notes, ...bare],
    ...(refused !== undefined && { refused }),
  }
}

function hinted({
  readOnlyHint,
  destructiveHint,
}: Partial<z.infer<typeof Annotations>>): GuessedClass {
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
