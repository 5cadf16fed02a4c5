// The words of routing: what a capability says of itself beyond what judges it, where it was
// imported from, and what an agent was offered for a goal. None of it permits or refuses anything,
// but for a suspension.
import { z } from 'zod'
import { Digest, KeySignature } from '../values.ts'
import { later } from '../later.ts'

/** The one spelling of the id of a new capability; those that are there keep theirs. */
export const capabilityIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*([./:][A-Za-z0-9][A-Za-z0-9_-]*)*$/
export const capabilityIdCharactersMax = 128

/** Where a capability was imported from, and what its author said of it then. */
const Imported = later(() =>
  z.strictObject({
    from: z.enum(['mcp', 'openapi', 'zod']),
    /** What the tool is called there. */
    tool: z.string().min(1).max(256),
    /** Of its name, description and schema, as they were when a person approved them. */
    digest: Digest,
  }),
)
export type Imported = z.infer<typeof Imported>

/** Fields of a capability. */
export const routingFields = {
  name: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('What people call it; absent means the last part of its id.'),
  imported: Imported.optional().describe(
    'Where it was imported from, and what its author said of it then.',
  ),
  suspended: z
    .literal(true)
    .optional()
    .describe('Refused for everyone until a person has looked at it.'),
}

/** How many capabilities an agent is offered for a goal, at most. */
export const candidatesMax = 20

/** What an agent was offered for a goal: its own word, which no rule reads. */
export const RoutingData = later(() =>
  z.strictObject({
    agent: z.string().min(1).max(256),
    session: z.string().min(1).max(256).nullable(),
    /** The digest of the goal, which may say things that do not belong in a log. */
    goal: Digest,
    /** Best first. */
    candidates: z
      .array(z.strictObject({ id: z.string().min(1).max(256), score: z.number().min(0) }))
      .max(candidatesMax),
    /** The revision of the catalog that was ranked. */
    catalog: z.int().min(0),
    ranker: z.int().min(1),
    /** The model that put them in another order; absent where none did. */
    model: z.string().min(1).max(256).optional(),
    signature: KeySignature.optional(),
  }),
)
export type RoutingData = z.infer<typeof RoutingData>
