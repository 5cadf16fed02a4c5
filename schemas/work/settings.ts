// What the catalog says of verified work: whose contracts count, where work lies, how scores move
// an agent's standing, and what each level of standing may do. Absent, no contract opens.
import { z } from 'zod'
import { instantMax } from '../values.ts'
import { Matcher } from '../rules/matcher.ts'
import { DurationMs, Id, SafetyClass } from '../rules/terms.ts'
import { later } from '../later.ts'

const Folder = later(() =>
  z
    .string()
    .min(1)
    .max(1_024)
    .regex(/^\/[^\p{Cc}\p{Cs}]*$/u, 'must be an absolute path'),
)

const place = {
  id: Id,
  /** Further folders, such as toolchains, that programs of gates may read. */
  readable: z.array(Folder).max(64).optional(),
}

/** Where work lies, at the verifier. */
const Workspace = later(() =>
  z.union([
    /** A claim names the digest of what is in it. */
    z.strictObject({ ...place, folder: Folder }),
    /** A claim names a commit in it. */
    z.strictObject({ ...place, repository: Folder }),
  ]),
)
export type Workspace = z.infer<typeof Workspace>

const Calls = later(() =>
  z.union([z.strictObject({ safetyClass: SafetyClass }), z.strictObject({ capability: Id })]),
)

const LevelRule = later(() =>
  z.strictObject({
    /** People are asked about these. */
    confirm: z.array(Calls).max(256).optional(),
    /** Names one of `confirmations`; absent means the capability's, then the default. */
    confirmation: Id.optional(),
    /** How many must confirm, at least. */
    quorum: z.int().min(1).max(100).optional(),
    /** These are refused. */
    refuse: z.array(Calls).max(256).optional(),
  }),
)
export type LevelRule = z.infer<typeof LevelRule>

/** The levels that a rule can be made for: `suspended` refuses everything. */
export const ruledLevels = ['autonomous', 'standard', 'supervised', 'strict'] as const

export const WorkRules = later(() =>
  z.strictObject({
    /** Whose contracts open, and move standing. */
    issuers: z.array(Id).max(256).optional(),
    workspaces: z.array(Workspace).max(256).optional(),
    /** Programs of gates may run without namespaces of their own. */
    isolation: z.literal('process').optional(),
    /** Whether the verifier asks whether links of texts are there. */
    online: z.literal(true).optional(),
    /** How much of a new standing is the new score; 0.3 if absent. */
    alpha: z.number().min(0).max(1).optional(),
    /** The standing of an agent that has none; 0.7 if absent. */
    start: z.number().min(-1).max(1).optional(),
    /** So many scored tasks it is at best `supervised`; 5 if absent. */
    probation: z.int().min(0).max(1_000).optional(),
    /** After so long a suspended agent may work again; absent: only a person can let it. */
    reinstateAfterMs: DurationMs.optional(),
    /** Whose standing counts in policy; absent means everyone's. */
    agents: z.array(Matcher).max(64).optional(),
    /** Replaces what the level does by itself. */
    levels: z
      .strictObject({
        autonomous: LevelRule.optional(),
        standard: LevelRule.optional(),
        supervised: LevelRule.optional(),
        strict: LevelRule.optional(),
      })
      .optional(),
  }),
)
export type WorkRules = z.infer<typeof WorkRules>

/** What an agent has earned, as it takes it along to another cell. */
export const CarriedStanding = later(() =>
  z.strictObject({
    value: z.number().min(-1).max(1),
    scored: z.int().min(0),
    suspendedBy: z
      .strictObject({ name: z.string().max(600), appendedAt: z.int().min(0).max(instantMax) })
      .nullable(),
  }),
)
export type CarriedStanding = z.infer<typeof CarriedStanding>
