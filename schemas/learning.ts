// The words of learning: what is missing, what somebody proposes to put there, and what a person
// made of it. Nothing here is known before a person's ruling binds it.
import { z } from 'zod'
import { Level, Name, OpenMap, RelationType } from './graph.ts'
import { Digest, IntentRef, Signature } from './values.ts'

/** What is to be said of one primitive: levels that are missing, and nothing else. */
export const Taught = z.strictObject({
  name: Name,
  levels: z.array(z.strictObject({ level: Level, properties: OpenMap })).min(1),
})
export type Taught = z.infer<typeof Taught>

export const TaughtEdge = z.strictObject({
  source: Name,
  target: Name,
  type: RelationType,
  sourceLevel: Level,
  targetLevel: Level,
})
export type TaughtEdge = z.infer<typeof TaughtEdge>

const teachesMax = 8

/** A template filled in: levels first, since an edge may need them, and then the edge. */
export const Candidate = z.strictObject({
  levels: z.array(Taught).max(teachesMax),
  edge: TaughtEdge.nullable(),
})
export type Candidate = z.infer<typeof Candidate>

const levels = z.array(Level).min(1)

/** What would close a gap, with the places that are to be filled in. */
export const Template = z.discriminatedUnion('kind', [
  /** A primitive of that name, with these levels. */
  z.strictObject({
    kind: z.literal('EXISTENCE'),
    primitive: z.string(),
    levels,
    /** Primitives that have its words in another form: it may be one of them. */
    candidates: z.array(z.string()).optional(),
  }),
  /** These levels of the primitive. */
  z.strictObject({ kind: z.literal('DEPTH'), primitive: z.string(), levels }),
  /** These levels of the primitive, since the source's edge needs them. */
  z.strictObject({
    kind: z.literal('RELATIONAL'),
    primitive: z.string(),
    source: z.string(),
    levels,
  }),
  /** An edge between the primitive and one of the others, in either direction. */
  z.strictObject({
    kind: z.literal('REACHABILITY'),
    primitive: z.string(),
    others: z.array(z.string()).min(1),
  }),
  /** A CONSTRAINED_BY edge from one of the primitives: something was allowed and failed. */
  z.strictObject({
    kind: z.literal('CONSTRAINT'),
    primitives: z.array(z.string()).min(1),
    /** What was said of the failure. */
    detail: z.string(),
  }),
])
export type Template = z.infer<typeof Template>

/** What is asked of the graph; a candidate must make it know that. */
export const Asked = z.strictObject({
  concepts: z.array(z.string()),
  minDepth: Level.optional(),
})
export type Asked = z.infer<typeof Asked>

/** What a model made of the template; what it can not be used for is said and not kept. */
export const Filled = z.union([
  z.strictObject({ by: z.string(), candidate: Candidate }),
  z.strictObject({ by: z.string(), failed: z.string() }),
])
export type Filled = z.infer<typeof Filled>

/** What people are shown; the digest that a ruling repeats is of this. */
export const Proposed = z.strictObject({
  template: Template,
  asked: Asked,
  filled: Filled.nullable(),
})
export type Proposed = z.infer<typeof Proposed>

/** A candidate for the graph, and what gave rise to it. */
export const ProposalData = z.strictObject({
  /** The intent that met the gap first. */
  intent: IntentRef,
  /** The grounding that found it, or the outcome that failed. */
  from: z.string(),
  /** How often the same has been asked, this time with it. */
  round: z.int().min(1),
  ...Proposed.shape,
  digest: Digest,
  graphRevision: z.int().min(0),
})
export type ProposalData = z.infer<typeof ProposalData>

export const RulingWord = z.enum(['accepted', 'modified', 'skipped', 'rejected'])
export type RulingWord = z.infer<typeof RulingWord>

export const RulingData = z.strictObject({
  proposal: z.string(),
  /** Of what the person was shown. */
  digest: Digest,
  ruling: RulingWord,
  confirmer: z.string(),
  /** Of `modified`: what the person put there instead. */
  candidate: Candidate.optional(),
  note: z.string().max(4000).optional(),
  signature: Signature.optional(),
})
export type RulingData = z.infer<typeof RulingData>
