// The tools of an MCP server, from the result of `tools/list`, or of `listTools` of a program, and
// functions as models are given them.
// Annotations are hints of its author: no class rests on them unless a person accepts them.
import { z } from 'zod'
import { firstProblem } from '#record/problem'
import { JsonObject } from '#schemas/catalog'
import type { Imported } from '#schemas/action/routing'
import {
  importedFrom,
  shortDescription,
  writtenTexts,
  unreadTool,
  usableSchema,
  type ProposedTool,
} from './proposed.ts'
import { byDescription, byName, worse, type GuessedClass } from './safety-class.ts'

const Named = z.looseObject({ name: z.string().min(1).max(256) })
/** The form of a function that a model may call, around its own. */
const Wrapped = z.looseObject({ function: z.looseObject({ name: z.unknown() }) })
const Listed = z.union([Named, Wrapped, z.looseObject({ inputSchema: z.unknown() })])
const List = z.looseObject({
  tools: z.array(z.unknown()),
  from: z.literal('zod').optional(),
  nextCursor: z.unknown().optional(),
})
const ToolsList = z.union([
  List,
  z.looseObject({ result: List }).transform(({ result }) => result),
  z
    .array(z.unknown())
    .refine((tools) => tools.some((tool) => Listed.safeParse(tool).success))
    .transform((tools) => ({ tools, from: undefined, nextCursor: undefined })),
])

export interface HintReading {
  /** Whether a person takes the hints of the tools' author for their classes. */
  readonly acceptsHints: boolean
}

/** Null where it is not a list of tools. */
export function toolsOfMcp(value: unknown, reading: HintReading): readonly ProposedTool[] | null {
  const parsed = ToolsList.safeParse(value)
  if (!parsed.success) return null
  const { tools, from = 'mcp', nextCursor } = parsed.data
  const read = tools.map((tool, index) => readTool(tool, { index, from, reading }))
  const isPart = typeof nextCursor === 'string' && nextCursor !== ''
  const goesOn = 'the list goes on after this page: list all of it, or import each page'
  const rest = isPart ? [unreadTool('mcp', 'nextCursor', goesOn)] : []
  return [...eachNameOnce(read), ...rest]
}

/** Of two tools of one name no one knows which a call would run. */
function eachNameOnce(tools: readonly ProposedTool[]): readonly ProposedTool[] {
  const counts = new Map<string, number>()
  for (const { live } of tools) counts.set(live.name, (counts.get(live.name) ?? 0) + 1)
  return tools.map((tool) => {
    const count = counts.get(tool.live.name) ?? 1
    if (count === 1) return tool
    return unreadTool('mcp', tool.live.name, `its list has \`${tool.live.name}\` ${count} times`)
  })
}

interface Listing {
  readonly index: number
  readonly from: Imported['from']
  readonly reading: HintReading
}

/** A tool that cannot be read costs only itself. */
function readTool(listed: unknown, listing: Listing): ProposedTool {
  const tool = Wrapped.safeParse(listed).data?.function ?? listed
  const at = `tools/${listing.index}`
  const read = Named.safeParse(tool)
  if (!read.success) return unreadAt(at, at, read.error.issues)
  const { name } = read.data
  const given = schemaMembers.find((member) => (read.data[member] ?? null) !== null)
  const schema = JsonObject.safeParse(given === undefined ? {} : read.data[given])
  if (!schema.success) return unreadAt(name, `${at}/${given}`, schema.error.issues)
  return proposedBy({ tool: read.data, given, inputSchema: schema.data }, listing)
}

function unreadAt(
  id: string,
  at: string,
  issues: Parameters<typeof firstProblem>[0],
): ProposedTool {
  const { at: below, message } = firstProblem(issues)
  const place = below === '' ? at : `${at}/${below}`
  return unreadTool('mcp', id, `it cannot be read: ${place}: ${message}`)
}

/** Where programs write the schema of the arguments; the first that is there is taken. */
const schemaMembers = ['inputSchema', 'input_schema', 'parameters', 'arguments'] as const

interface Read {
  readonly tool: z.infer<typeof Named>
  /** The member that its schema is in; undefined where it has none. */
  readonly given: (typeof schemaMembers)[number] | undefined
  readonly inputSchema: JsonObject
}

function proposedBy({ tool, given, inputSchema }: Read, { from, reading }: Listing): ProposedTool {
  const { name } = tool
  const { texts, notes: odd } = writtenTexts(tool, ['description'])
  const { hints, notes: oddHints } = hintsOf(tool['annotations'])
  const own = worse(hinted(hints), byName(name))
  const guessed = worse(own, byDescription(texts.description ?? ''))
  const { safetyClass, why } = reading.acceptsHints ? guessed : unhinted(guessed)
  const live = { name, description: texts.description, inputSchema }
  const { argsSchema, notes, refused } = usableSchema(inputSchema)
  const onSchema = given === undefined && from === 'mcp' ? withoutSchema(tool) : notes
  return {
    capability: {
      id: name,
      description: shortDescription(texts.description),
      safetyClass,
      ...(argsSchema !== undefined && { argsSchema }),
      imported: importedFrom(from, live),
    },
    live,
    notes: [
      `${safetyClass}: ${why}`,
      ...odd,
      ...oddHints,
      ...onSchema,
      ...leftOut(tool, given).map((member) => `\`${member}\` is not read`),
    ],
    ...(refused !== undefined && { refused }),
  }
}

function withoutSchema(tool: z.infer<typeof Named>): readonly string[] {
  const isNull = schemaMembers.find((member) => tool[member] === null)
  const what = isNull === undefined ? 'it has no `inputSchema`' : `its \`${isNull}\` is null`
  return [`${what}, so it takes no arguments`]
}

/** What a tool has that is not about its arguments. */
const otherMembers = new Set(
  'name title description type strict annotations outputSchema execution icons _meta'.split(' '),
)

/** Members that may describe arguments too, beside the one that is taken. */
function leftOut(tool: z.infer<typeof Named>, given: Read['given']): readonly string[] {
  return Object.entries(tool).flatMap(([member, value]) => {
    if (member === given || otherMembers.has(member)) return []
    if (typeof value !== 'object' || value === null) return []
    const isKnown = schemaMembers.some((each) => each === member)
    return isKnown || given === undefined ? [member] : []
  })
}

const hintNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
type Hints = { readonly [name in (typeof hintNames)[number]]?: boolean }

/** What is not a boolean is no hint, and is named. */
function hintsOf(annotations: unknown): {
  readonly hints: Hints
  readonly notes: readonly string[]
} {
  if (annotations === undefined) return { hints: {}, notes: [] }
  const written = z.looseObject({}).safeParse(annotations).data
  if (written === undefined) {
    return { hints: {}, notes: ['its `annotations` are not an object: they are not read'] }
  }
  const hints: { [name in (typeof hintNames)[number]]?: boolean } = {}
  const notes: string[] = []
  for (const name of hintNames) {
    const hint = written[name]
    if (typeof hint === 'boolean') hints[name] = hint
    else if (hint !== undefined) notes.push(`its \`${name}\` is not a boolean: it is not read`)
  }
  return { hints, notes }
}

function hinted({ readOnlyHint, destructiveHint }: Hints): GuessedClass {
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
