// The words of learning: what is missing, what is proposed for it, and what a person made of it.
// Nothing here is known before a person's ruling binds it.
import { z } from 'zod'
import { Level, Name, OpenMap, RelationType } from './graph.ts'
import { JsonFaultCode } from './vlp.ts'
import { Digest, IntentRef, Position, Signature } from './values.ts'
import { later } from './later.ts'

/** Levels of one primitive that are missing, and nothing else of it. */
export const PrimitiveLevels = later(() =>
  z.strictObject({
    name: Name,
    levels: z.array(z.strictObject({ level: Level, properties: OpenMap })).min(1),
  }),
)
export type PrimitiveLevels = z.infer<typeof PrimitiveLevels>

export const CandidateEdge = later(() =>
  z.strictObject({
    source: Name,
    target: Name,
    type: RelationType,
    sourceLevel: Level,
    targetLevel: Level,
  }),
)
export type CandidateEdge = z.infer<typeof CandidateEdge>

const primitivesMax = 8

/** A template filled in: levels first, since an edge may need them, and then the edge. */
export const Candidate = later(() =>
  z.strictObject({
    levels: z.array(PrimitiveLevels).max(primitivesMax),
    edge: CandidateEdge.nullable(),
  }),
)
export type Candidate = z.infer<typeof Candidate>

const levels = later(() => z.array(Level).min(1))

/** What would close a gap, with the places that are to be filled in. */
export const Template = later(() =>
  z.discriminatedUnion('kind', [
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
      /** What the outcome reports of the failure. */
      detail: z.string(),
    }),
  ]),
)
export type Template = z.infer<typeof Template>

/** What is asked of the graph; a candidate must make it know that. */
export const Query = later(() =>
  z.strictObject({
    concepts: z.array(z.string()),
    /** Those of them that the agent adds to the catalog's. */
    added: z.array(z.string()).optional(),
    minDepth: Level.optional(),
  }),
)
export type Query = z.infer<typeof Query>

/** What people are shown; the digest that a ruling repeats is of this. */
export const Proposed = later(() => z.strictObject({ template: Template, query: Query }))
export type Proposed = z.infer<typeof Proposed>

/** An agent that met the gap, and its owners by the catalog of then, the nearest first. */
export const MetBy = later(() => z.strictObject({ agent: z.string(), owners: z.array(z.string()) }))
export type MetBy = z.infer<typeof MetBy>

/** So many agents are named as having met a gap. */
export const metMax = 256

/** The fact that a question comes from: a grounding, a failed outcome, or a reopening. */
export const From = later(() => z.strictObject({ name: z.string(), position: Position }))
export type From = z.infer<typeof From>

/** What is missing, and what gave rise to the question. It is bound before any model is asked. */
export const ProposalData = later(() =>
  z.strictObject({
    /** The intent that met the gap, this time first. */
    intent: IntentRef,
    from: From,
    /** How often the same has been asked, this time with it. */
    round: z.int().min(1),
    ...Proposed.shape,
    /** All that are known to have met it so far, in earlier rounds as well. */
    met: z.array(MetBy).min(1).max(metMax),
    digest: Digest,
    graphRevision: z.int().min(0),
  }),
)
export type ProposalData = z.infer<typeof ProposalData>

/** One more agent has met the gap while the question is open. */
export const MeetingData = later(() =>
  z.strictObject({
    proposal: z.string(),
    intent: IntentRef,
    from: From,
    met: MetBy,
  }),
)
export type MeetingData = z.infer<typeof MeetingData>

export const CandidateProblemCode = later(() =>
  z.enum([
    'gap_closed',
    'candidate_too_large',
    'edge_missing',
    'edge_known',
    'edge_unasked',
    'edge_elsewhere',
    'edge_to_itself',
    'primitive_unasked',
    'level_missing',
    'level_known',
    'level_above_need',
    'level_repeated',
    'level_empty',
    'graph_refuses',
    'gap_left',
  ]),
)

/** Why a candidate cannot be put into the graph. */
export const CandidateProblem = later(() =>
  z.strictObject({
    code: CandidateProblemCode,
    params: z.strictObject({
      /** The primitive that it is about, and its level. */
      name: z.string().optional(),
      level: z.int().min(0).optional(),
      /** What is asked about instead. */
      names: z.array(z.string()).optional(),
      edge: z.strictObject({ source: z.string(), target: z.string() }).optional(),
      type: RelationType.optional(),
      bytesMax: z.int().min(1).optional(),
      /** The code by which the graph refuses it. */
      refused: z.string().optional(),
    }),
  }),
)
export type CandidateProblem = z.infer<typeof CandidateProblem>

export const SuggestionCode = later(() =>
  z.enum([
    'no_answer',
    'timed_out',
    'http_status',
    'too_large',
    'not_json',
    'not_a_chat',
    'ill_formed',
    'unsound',
  ]),
)

/** Why a model's answer cannot be used. */
export const SuggestionFault = later(() =>
  z.strictObject({
    code: SuggestionCode,
    params: z.strictObject({
      ms: z.int().min(1).optional(),
      status: z.int().optional(),
      bytesMax: z.int().min(1).optional(),
      /** Where in the answer, as a JSON pointer. */
      path: z.string().max(1_000).optional(),
      /** Why it is no JSON that is read. */
      json: JsonFaultCode.optional(),
      /** What is wrong there: a code of the schema. */
      fault: z.string().max(64).optional(),
      /** Of `unsound`. */
      problem: CandidateProblem.optional(),
    }),
  }),
)
export type SuggestionFault = z.infer<typeof SuggestionFault>

const suggestion = { proposal: z.string(), number: z.int().min(1), by: z.string().max(256) }

/** What a model made of an open question. It binds no one: a person may accept it. */
export const SuggestionData = later(() =>
  z.union([
    z.strictObject({ ...suggestion, candidate: Candidate, digest: Digest }),
    z.strictObject({ ...suggestion, failed: SuggestionFault }),
  ]),
)
export type SuggestionData = z.infer<typeof SuggestionData>

/** The question was open too long. */
export const ExpiryData = later(() =>
  z.strictObject({ proposal: z.string(), round: z.int().min(1) }),
)
export type ExpiryData = z.infer<typeof ExpiryData>

export const RulingWord = later(() => z.enum(['accepted', 'modified', 'skipped', 'rejected']))
export type RulingWord = z.infer<typeof RulingWord>

/** A held intent that the person saw; the digest is of its tool, class and arguments. */
export const Release = later(() => z.strictObject({ intent: z.string(), digest: Digest }))
export type Release = z.infer<typeof Release>

/** So many held intents can be shown with one ruling. */
export const releasesMax = 256

export const RulingData = later(() =>
  z.strictObject({
    proposal: z.string(),
    /** Of what the person was shown. */
    digest: Digest,
    ruling: RulingWord,
    confirmer: z.string(),
    /** Whether an agent of this person has met the gap: only where no one else may rule. */
    byOwner: z.boolean(),
    /** Of `modified`: what the person put there instead. */
    candidate: Candidate.optional(),
    /** Of `accepted`: what of a model's is taken. */
    suggestion: z.strictObject({ name: z.string(), digest: Digest }).optional(),
    /** The held intents that were shown as waiting for it. */
    releases: z.array(Release).max(releasesMax),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type RulingData = z.infer<typeof RulingData>

/** `expired`: what was proposed was not answered in time. */
export const ResumeReason = later(() =>
  z.strictObject({
    code: z.enum(['skipped', 'rejected', 'full', 'graph_changed', 'expired']),
    params: z.strictObject({
      /** What people are not asked, or not again. */
      template: Template.optional(),
      graphRevision: z.int().min(0).optional(),
    }),
  }),
)
export type ResumeReason = z.infer<typeof ResumeReason>

/** A person has a question asked again that was rejected or has expired. */
export const ReopeningData = later(() =>
  z.strictObject({
    proposal: z.string(),
    confirmer: z.string(),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type ReopeningData = z.infer<typeof ReopeningData>
