// A test case as people write it: what is given, a request, and what it should come to. What is not
// given is that of the seed folder; what is not expected is not looked at.
import { z } from 'zod'
import { CallbackAnswer } from '#schemas/callbacks'
import { GraphFile } from '#schemas/graph'
import { Intent } from '#schemas/intent'

const Instant = z.iso.datetime({ offset: true })
/** Such as `30m`, `2h` or `7d`. */
const Ago = z.string().regex(/^[1-9][0-9]{0,6}[smhd]$/)
const Id = z.string().min(1).max(256)

/** A message that was published before: evidence, unless it has another type. */
const Said = z.strictObject({
  from: Id,
  /** Absent: the agent. */
  to: Id.optional(),
  type: z.string().default('evidence'),
  content: z.union([z.string(), z.record(z.string(), z.json())]).default('evidence of a test'),
  payload: z.record(z.string(), z.json()).optional(),
  confidence: z.number().min(0).max(1).default(0.5),
  provenance: z.array(z.string()).optional(),
  ago: Ago.default('1m'),
})
export type Said = z.infer<typeof Said>

/** A request that was made before, and what became of it. */
const AskedEarlier = Intent.extend({
  agent: Id.optional(),
  ago: Ago.default('1m'),
  /** So often. */
  times: z.int().min(1).max(1_000).default(1),
  /** Another session than that of the case; null for none. */
  session: Id.nullable().optional(),
  /** What those said who were asked about it. */
  answered: z.enum(['approved', 'declined']).optional(),
})
export type AskedEarlier = z.infer<typeof AskedEarlier>

export const CaseGiven = z.strictObject({
  /** Entries take the place of those of their id, field by field; settings are whole. */
  catalog: z.record(z.string(), z.json()).optional(),
  /** Primitives take the place of those of their name. */
  graph: GraphFile.optional(),
  evidence: z.array(Said).default([]),
  before: z.array(AskedEarlier).default([]),
  /** Answers in place of callbacks, by their names. */
  callbacks: z
    .record(z.string(), CallbackAnswer.pick({ passed: true, message: true, applies: true }))
    .default({}),
})

const Outcome = z.enum(['allow', 'deny', 'ask', 'hold'])
const Parts = z.record(z.string(), z.json())

const Expected = z.strictObject({
  outcome: Outcome,
  /** All of them in their order: codes, or parts of a reason. */
  reasons: z.array(z.union([z.string(), Parts])).optional(),
  /** All of them: names of policies or conditions, kinds, or parts of a question. */
  questions: z.array(z.union([z.string(), Parts])).optional(),
  /** Who is asked, in any order. */
  confirmers: z.array(Id).optional(),
  /** Parts of what an allowed call is bound to. */
  constraints: Parts.optional(),
  /** The names of what is not known. */
  gaps: z.array(z.string()).optional(),
})

const shared = {
  agent: Id.optional(),
  /** Null for no session. */
  session: Id.nullable().optional(),
  now: Instant.optional(),
}

/** One case; also a line of an NDJSON file. */
export const TestCase = z.strictObject({
  name: z.string().min(1).max(500),
  ...shared,
  given: CaseGiven.prefault({}),
  request: Intent,
  expect: z.union([Outcome.transform((outcome) => ({ outcome })), Expected]),
})
export type TestCase = z.infer<typeof TestCase>
export type ExpectedOutcome = z.infer<typeof Expected>

/** A property: no call of the tool is ever allowed, of those for which `when` holds. */
export const NeverCase = z.strictObject({
  name: z.string().min(1).max(500),
  // What all cases of a file have is no part of it.
  ...shared,
  never: z.strictObject({
    tool: Id,
    when: z.string().min(1).max(2_000).optional(),
    outcome: z.literal('allow').default('allow'),
    unless: z
      .string()
      .regex(/^approved by .+$/u, 'write `approved by GROUP`')
      .optional(),
  }),
})
export type NeverCase = z.infer<typeof NeverCase>

/** A YAML file: what all its cases have, and the cases; or the cases alone. */
export const CaseFile = z.strictObject({ ...shared, cases: z.array(z.unknown()) })
