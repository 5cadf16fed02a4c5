// The words of one line of `decide`: who asks for what, and what conditions, callbacks and known
// values read of it. Members that a line of an earlier version did not have are optional.
import { z } from 'zod'
import { argsSchemaFault } from '#rules/catalog/arguments'
import { conditionProblem } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import { firstProblem, unreadable, type Problem } from '#record/problem'
import { Capability, JsonObject, Principal } from '#schemas/catalog'
import { Cardinality, Level } from '#schemas/graph'
import { DecimalText } from '#schemas/values'

// A null is what many programs write for none. None refuses, or is the stricter reading, of each.
const Request = z.strictObject({
  args: z.json().nullish(),
  justification: z.string().nullish(),
  constraints: JsonObject.nullish(),
  scope: JsonObject.nullish(),
  cardinality: Cardinality.nullish(),
  goal: z.string().nullish(),
  concepts: z.array(z.string()).nullish(),
  minDepth: Level.nullish(),
})

const Id = z.string().min(1).max(256)

/** An earlier message of the session; it counts where the catalog trusts its sender. */
const LineEvidence = z.strictObject({
  from: Id,
  /** Absent: the agent. */
  to: Id.optional(),
  type: z.string().default('evidence'),
  content: z.json().default(null),
  payload: JsonObject.nullable().default(null),
})

const evidenceMax = 1_000

// An id is looked up in the catalog.
const Person = z.union([Principal, z.string().min(1)])

const parts = {
  principal: Person,
  /** In place of the one whom the catalog names. */
  owner: Person.nullish(),
  request: Request.default({}),
  graph: z.unknown().optional(),
  /** In place of a graph: whether all concepts are known. It triggers no policy of an edge. */
  grounding: z.strictObject({ grounded: z.boolean() }).nullish(),
  session: Id.nullish(),
  evidence: z.array(LineEvidence).max(evidenceMax).nullish(),
  now: z.iso.datetime({ offset: true }).optional(),
  /** What was used of budgets before, for those whom this call counts for. */
  used: z.record(z.string(), z.union([z.number().min(0), DecimalText])).optional(),
}

const DecideLine = z
  .union([
    z.strictObject({
      ...parts,
      // Without a schema any arguments will do: a line on its own has no catalog to be strict for.
      capability: Capability.extend({ argsSchema: JsonObject.default({}) }),
      tool: z.undefined().optional(),
    }),
    z.strictObject({ ...parts, tool: z.string(), capability: z.undefined().optional() }),
  ])
  .refine((line) => !hasBoth(line), {
    path: ['grounding'],
    message: 'it has `graph` and `grounding`: keep one of them',
  })
export type DecideLine = z.infer<typeof DecideLine>

/** What a line says of the call itself. */
export type LineRequest = z.infer<typeof Request>

function hasBoth({ graph, grounding }: { graph?: unknown; grounding?: unknown }): boolean {
  return (graph ?? null) !== null && (grounding ?? null) !== null
}

type Reading =
  | { readonly line: DecideLine; readonly problem?: never }
  | { readonly problem: Problem; readonly line?: never }

/** The line, or the first thing that is wrong with it. */
export function readDecideLine(value: unknown): Reading {
  const problem = unreadable(value)
  if (problem !== null) return { problem }
  const parsed = DecideLine.safeParse(value)
  if (!parsed.success) return { problem: firstProblem(parsed.error.issues) }
  const line = parsed.data
  const wrong = line.capability === undefined ? null : capabilityProblem(line.capability)
  return wrong === null ? { line } : { problem: wrong }
}

/** A condition is checked as it is where a catalog is written. */
function capabilityProblem({ argsSchema, conditions = [] }: Capability): Problem | null {
  const schema = argsSchemaFault(argsSchema)
  if (schema !== null) return { at: 'capability/argsSchema', message: schema }
  const type = typeOfArguments(argsSchema)
  for (const [index, { name, when }] of conditions.entries()) {
    const problem = conditionProblem(when, type)
    if (problem === null) continue
    const message = `\`${name}\`: ${problem.message} (at character ${problem.offset + 1})`
    return { at: `capability/conditions/${index}/when`, message }
  }
  return null
}
