// The words of the knowledge graph: the seed file that people write, the operations of a change
// set, and the answer of a grounding. Nothing here decides anything.
import { z } from 'zod'
import { later } from './later.ts'

export const relationTypes = [
  'APPLIES_TO',
  'REQUIRES',
  'CONSTRAINED_BY',
  'DEPENDS_ON',
  'INCLUDES',
] as const

export const RelationType = later(() => z.enum(relationTypes))
export type RelationType = z.infer<typeof RelationType>

/** The names of the levels 0 to 4, in order. */
export const levelNames = [
  'EXISTENCE',
  'IDENTITY',
  'CAPABILITIES',
  'CONSTRAINTS',
  'IMPLICATIONS',
] as const

export const Level = later(() => z.int().min(0).max(4))
export type Level = z.infer<typeof Level>

export const Cardinality = later(() => z.enum(['single', 'multiple']))
export type Cardinality = z.infer<typeof Cardinality>

export const Name = later(() => z.string().min(1).max(256))
export const OpenMap = later(() => z.record(z.string(), z.json()))

const PolicyFields = later(() =>
  z.strictObject({
    name: Name,
    requiresConfirmation: z
      .boolean()
      .optional()
      .describe('Whether people are asked. Absent: yes without a `callback`, no with one.'),
    triggerCardinality: Cardinality.nullable().default(null),
    /** In CEL: it applies only where this holds. Absent: always. */
    when: z.string().min(1).max(2000).optional(),
    callback: Name.nullable().default(null),
    /** What people are asked, in the author's words; `{action}` stands for the source. */
    confirmationMessage: z.string().min(1).nullable().default(null),
    /**
     * Names one of the catalog's `confirmations`; absent means the capability's, then the default.
     */
    confirmation: Name.optional(),
    metadata: OpenMap.default({}),
  }),
)
export const Policy = later(() =>
  PolicyFields.transform((policy) => ({
    ...policy,
    requiresConfirmation: policy.requiresConfirmation ?? policy.callback === null,
  })),
)
export type Policy = z.infer<typeof Policy>
/** The properties that a policy may have. */
export const policyShape = PolicyFields.shape

export const Relatum = later(() =>
  z.strictObject({
    type: RelationType,
    target: Name,
    targetDepth: Level,
    metadata: OpenMap.default({}),
    policies: z.array(Policy).default([]),
  }),
)
export type Relatum = z.infer<typeof Relatum>

export const Depth = later(() =>
  z.strictObject({
    level: Level,
    properties: OpenMap.default({}),
    relata: z.array(Relatum).default([]),
  }),
)
export type Depth = z.infer<typeof Depth>

export const Primitive = later(() =>
  z.strictObject({ name: Name, depths: z.array(Depth).default([]) }),
)
export type Primitive = z.infer<typeof Primitive>

/** `graph.json` of a seed folder. */
export const GraphFile = later(() =>
  z.strictObject({
    /** For editors; it changes nothing. */
    $schema: z.string().optional(),
    primitives: z.array(Primitive),
  }),
)
export type GraphFile = z.infer<typeof GraphFile>

export const Provenance = later(() =>
  z.strictObject({
    source: z.enum(['authored', 'learned', 'conversational']),
    by: z.string(),
    at: z.string(),
    intent: z.string().optional(),
    /** Of `learned`: the model that proposed it. */
    model: z.string().optional(),
  }),
)
export type Provenance = z.infer<typeof Provenance>

const stamped = { provenance: Provenance.optional() }

/** One operation of a change set; a set is applied whole or not at all. */
export const GraphOperation = later(() =>
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.literal('add'), name: Name, ...stamped }),
    z.strictObject({ op: z.literal('rename'), name: Name, to: Name }),
    z.strictObject({ op: z.literal('remove'), name: Name }),
    /** Creates the level, or replaces its properties and keeps its relata. */
    z.strictObject({
      op: z.literal('describe'),
      name: Name,
      level: Level,
      properties: OpenMap,
      ...stamped,
    }),
    z.strictObject({ op: z.literal('erase'), name: Name, level: Level }),
    /** Adds one edge beside any that is like it: two edges alike are two edges. */
    z.strictObject({
      op: z.literal('relate'),
      name: Name,
      level: Level,
      relatum: Relatum,
      ...stamped,
    }),
    /** Takes away every edge of this source, level, type and target, whatever its target depth. */
    z.strictObject({
      op: z.literal('unrelate'),
      name: Name,
      level: Level,
      type: RelationType,
      target: Name,
    }),
  ]),
)
export type GraphOperation = z.infer<typeof GraphOperation>

export const Gap = later(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('EXISTENCE'),
      primitive: z.string(),
      candidates: z.array(z.string()).optional(),
    }),
    z.strictObject({
      kind: z.literal('DEPTH'),
      primitive: z.string(),
      required: z.int(),
      current: z.int().nullable(),
    }),
    z.strictObject({
      kind: z.literal('RELATIONAL'),
      source: z.string(),
      target: z.string(),
      required: z.int(),
      current: z.int().nullable(),
    }),
    z.strictObject({ kind: z.literal('REACHABILITY'), primitive: z.string() }),
  ]),
)
export type Gap = z.infer<typeof Gap>

export const PathwayEdge = later(() =>
  z.strictObject({
    source: z.string(),
    target: z.string(),
    type: RelationType,
    sourceDepth: Level,
    targetDepth: Level,
  }),
)
export type PathwayEdge = z.infer<typeof PathwayEdge>

/** A policy on an APPLIES_TO edge between two primitives of a grounding. */
export const PlacedPolicy = later(() =>
  z.strictObject({
    source: z.string(),
    target: z.string(),
    policy: Policy,
  }),
)
export type PlacedPolicy = z.infer<typeof PlacedPolicy>
