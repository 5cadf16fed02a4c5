// The words of an intent: what a `query` carries in `payload.intent` when an agent means to act.
// All of it is the agent's own word; what it may do is decided elsewhere.
import { z } from 'zod'
import { Cardinality, Level } from './graph.ts'

const Name = z.string().min(1).max(256)

// What reaches a stage was read as JSON, and a message is made of nothing else. Only the type is
// said here: looking at every value once more costs more than all else about an intent.
const Json: z.ZodType<z.util.JSONType> = z.any()
const JsonMap = z.record(z.string(), Json)

/** More than this no capability stands for, and each one costs a walk through the graph. */
const conceptsMax = 64

// What is repeated in a grounding, a review or a verdict must leave room in that fact for the rest.
const concept = Name.regex(/^\P{Cc}*$/u, 'a concept has no control characters')
const proseCharactersMax = 8_000
const constraintsCharactersMax = 32_000

function isShort(constraints: z.infer<typeof JsonMap>): boolean {
  return JSON.stringify(constraints).length <= constraintsCharactersMax
}

// The refusal is stored, so it repeats no more of what was sent than a person needs.
function strangerNamed(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined
  // Cutting may halve a surrogate pair, which no fact can say.
  const key = issue.keys[0]?.slice(0, 64).toWellFormed() ?? ''
  return `no intent has the property \`${key}\``
}

export const Intent = z.strictObject(
  {
    /** The capability of the catalog that the agent means to use. */
    tool: Name,
    args: JsonMap.default({}),
    goal: z.string().max(proseCharactersMax).exactOptional(),
    justification: z.string().max(proseCharactersMax).exactOptional(),
    /** These only add to the concepts that the catalog gives the capability. */
    concepts: z.array(concept).max(conceptsMax).exactOptional(),
    cardinality: Cardinality.exactOptional(),
    minDepth: Level.exactOptional(),
    scope: JsonMap.exactOptional(),
    constraints: JsonMap.refine(isShort, 'more than a warrant carries').exactOptional(),
    /** A log position that the basis of the answer must have reached. */
    freshAt: z.int().positive().exactOptional(),
    onGap: z.enum(['deny', 'learn']).exactOptional(),
    replyBy: z.iso.datetime({ offset: true }).exactOptional(),
    /** Decided and recorded, and nothing is stopped by it. */
    observe: z.boolean().exactOptional(),
  },
  { error: strangerNamed },
)
export type Intent = z.infer<typeof Intent>
