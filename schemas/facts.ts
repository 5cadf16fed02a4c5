// The words of the log: what each kind of fact says, apart from VLP messages, which are kept as
// they were published. Golden logs are read by these for ever: a change is a new version.
import { z } from 'zod'
import { RestsOn } from './action/grant.ts'
import { CallbackAnswer } from './callbacks.ts'
import { CatalogOperation } from './catalog.ts'
import { Cardinality, Gap, GraphOperation, Level, PathwayEdge, PlacedPolicy } from './graph.ts'
import { ResumeReason } from './learning.ts'
import { Reason } from './reasons.ts'
import {
  DecimalText,
  Digest,
  IntentRef,
  KeySignature,
  Position,
  Signature,
  ValueFound,
} from './values.ts'
import { VlpIssue } from './vlp.ts'
import { later } from './later.ts'

const Instant = later(() => z.iso.datetime({ offset: true }))
const JsonMap = later(() => z.record(z.string(), z.json()))

/** What was found of the opening message. `malformed` means that nothing in it can be believed. */
export const MessageFinding = later(() =>
  z.strictObject({
    position: Position,
    digest: Digest,
    malformed: z.boolean(),
    senderMatches: z.boolean(),
    outcome: z.enum(['pass', 'review', 'fail']),
    issues: z.array(VlpIssue),
    issuesOmitted: z.int().min(1).optional(),
    /** Hundredths, as are all of these. */
    integrity: z.int(),
    depth: z.int(),
    gate: z.enum(['pass', 'review', 'fail']),
    safetyLevel: z.enum(['safe', 'review', 'block']),
    requiresHuman: z.boolean(),
    unearnedConfidence: z.boolean(),
  }),
)
export type MessageFinding = z.infer<typeof MessageFinding>

/** What was asked of the graph and what it answered. */
export const Ground = later(() =>
  z.strictObject({
    concepts: z.array(z.string()),
    /** Those of the concepts that the agent adds: without them the others are grounded, too. */
    added: z.array(z.string()).optional(),
    minDepth: Level.optional(),
    grounded: z.boolean(),
    resolved: z.array(z.string()),
    gaps: z.array(Gap),
    gapsOmitted: z.int().min(1).optional(),
    visible: z.array(z.strictObject({ name: z.string(), level: Level.nullable() })),
    gated: z.array(PathwayEdge),
    pathway: z.array(PathwayEdge),
    pathwayOmitted: z.int().min(1).optional(),
    policies: z.array(PlacedPolicy),
  }),
)
export type Ground = z.infer<typeof Ground>

export const GroundingData = later(() =>
  z.strictObject({
    intent: IntentRef,
    attempt: z.int().min(1),
    message: MessageFinding,
    /** The capability that the message names, if the catalog has it. */
    capability: z.string().nullable(),
    cardinality: Cardinality.nullable(),
    /** Null where nothing had to be known: no capability, or one without concepts. */
    ground: Ground.nullable(),
    graphRevision: z.int().min(0),
    catalogRevision: z.int().min(0),
    /** The message that an earlier era has under this address: then this one opens nothing. */
    earlier: z.string().optional(),
  }),
)
export type GroundingData = z.infer<typeof GroundingData>

/** What looked outside before this was decided, so that a replay can read it back. */
const lookedOutside = { callbacks: z.array(CallbackAnswer).optional() }

export const RateData = later(() =>
  z.strictObject({
    intent: IntentRef,
    agent: z.string(),
    capability: z.string(),
    use: z.int().min(1),
    uses: z.int().min(1),
    windowMs: z.int().min(1),
    ...lookedOutside,
  }),
)
export type RateData = z.infer<typeof RateData>

/** What an intent takes of a budget, for one key. */
export const BudgetData = later(() =>
  z.strictObject({
    intent: IntentRef,
    budget: z.string(),
    /** In full; null where it is added up for all together. */
    key: z.string().nullable(),
    use: z.int().min(1),
    amount: DecimalText,
    /** The budget as it was then. */
    max: DecimalText,
    windowMs: z.int().min(1),
    ...lookedOutside,
  }),
)
export type BudgetData = z.infer<typeof BudgetData>

export const HoldData = later(() =>
  z.strictObject({
    intent: IntentRef,
    attempt: z.int().min(1),
    grounding: z.string(),
    gaps: z.array(Gap),
    /** From here on policy denies. */
    until: Instant,
    ...lookedOutside,
  }),
)
export type HoldData = z.infer<typeof HoldData>

export const ResumeData = later(() =>
  z.strictObject({
    intent: IntentRef,
    attempt: z.int().min(1),
    /** Why it need not wait any longer. */
    reason: ResumeReason,
  }),
)

export const WithdrawalData = later(() =>
  z.strictObject({
    intent: IntentRef,
    note: z.string().max(4000).optional(),
    signature: KeySignature.optional(),
  }),
)
export type WithdrawalData = z.infer<typeof WithdrawalData>

/** What an allow permits, once, until `useBy`. */
export const Terms = later(() =>
  z.strictObject({
    capability: z.string(),
    argsDigest: Digest,
    /**
     * Of the arguments with defaults filled in, as a gateway is to run them; absent without one.
     */
    executedDigest: Digest.optional(),
    constraints: JsonMap,
    scope: JsonMap,
    /**
     * Whose call it is, from the first who delegated it to the agent; absent where that is alone.
     */
    chain: z.array(z.string()).min(2).optional(),
    useBy: Instant,
  }),
)
export type Terms = z.infer<typeof Terms>

/** What a search comes to: of what it looked at, all that an evaluation would allow. */
export const SearchFound = later(() =>
  z.strictObject({
    /** Of subjects and resources their ids, of actions their names, in the order of the ids. */
    ids: z.array(z.string()),
    /** How many were judged for it. */
    searched: z.int().min(0),
    /** From where a search for the others goes on; absent where these are all. */
    next: z.int().min(0).optional(),
  }),
)
export type SearchFound = z.infer<typeof SearchFound>

/** What one of several evaluations in a message comes to. */
export const EvaluationResult = later(() =>
  z.union([
    /** It would be allowed, bound to this. */
    z.strictObject({ outcome: z.literal('allow'), constraints: JsonMap }),
    z.strictObject({ outcome: z.literal('deny'), reasons: z.array(Reason).min(1) }),
    /** It has to be asked by itself: people, grants, checks or uses have a part in its answer. */
    z.strictObject({ outcome: z.literal('alone') }),
  ]),
)
export type EvaluationResult = z.infer<typeof EvaluationResult>

/** Who answered in whose place. */
const Deputies = later(() => z.array(z.strictObject({ by: z.string(), for: z.string() })).min(1))

export const VerdictData = later(() =>
  z.strictObject({
    intent: IntentRef,
    outcome: z.enum(['allow', 'deny']),
    /** In order of precedence; empty for an allow. */
    reasons: z.array(Reason),
    reasonsOmitted: z.int().min(1).optional(),
    message: z.strictObject({ position: Position, digest: Digest }),
    grounding: z.string().nullable(),
    review: z.string().nullable(),
    /** What was derived again at release, after people had agreed. */
    release: z
      .strictObject({
        ground: Ground.nullable(),
        confirmedBy: z.array(z.string()),
        deputies: Deputies.optional(),
      })
      .nullable(),
    /** The grants that answered for people; absent where none did. */
    grants: z.array(RestsOn).min(1).optional(),
    terms: Terms.nullable(),
    /** Decided and recorded, but nothing is stopped and nothing is permitted by it. */
    observed: z.boolean(),
    /** Where values come from that no one whose word counts has said as they are. */
    values: z.array(ValueFound).optional(),
    /** Of an allow for a subject: what its call would be bound to. */
    constraints: JsonMap.optional(),
    /** Of a search: what was found. */
    found: SearchFound.optional(),
    /** Of several evaluations: what each comes to, in their order. */
    results: z.array(EvaluationResult).optional(),
    callbacks: z.array(CallbackAnswer),
    /** Checks that were left out, since it is refused whatever they say. */
    notRun: z
      .array(
        z.strictObject({
          policy: z.string(),
          source: z.string(),
          target: z.string(),
          callback: z.string(),
        }),
      )
      .optional(),
    callbackModule: z.string().nullable(),
    graphRevision: z.int().min(0),
    catalogRevision: z.int().min(0),
  }),
)
export type VerdictData = z.infer<typeof VerdictData>

export const FaultData = later(() =>
  z.strictObject({
    queue: z.string(),
    position: Position,
    name: z.string(),
    attempts: z.int().min(1),
    code: z.string(),
    message: z.string(),
  }),
)
export type FaultData = z.infer<typeof FaultData>

/** The warrant was redeemed: `start` by a gateway, `ownstart` by the agent's own guard. */
export const StartData = later(() =>
  z.strictObject({
    intent: IntentRef,
    verdict: z.string(),
    /** Which gateway runs it, what, and with which arguments. */
    gateway: z.string().max(256).optional(),
    capability: z.string().optional(),
    executed: Digest.optional(),
    /** The last moment at which it can still be running. */
    until: Instant.optional(),
    /** The digest of the warrant that was presented; absent where none was needed. */
    token: Digest.optional(),
  }),
)
export type StartData = z.infer<typeof StartData>

/** What came of it: `outcome` by a gateway, `ownoutcome` by the agent's own guard. */
export const OutcomeData = later(() =>
  z.strictObject({
    intent: IntentRef,
    outcome: z.enum(['succeeded', 'failed', 'refused', 'unknown']),
    /** What distinguishes failures, such as `ENOSPC` or a status. */
    code: z.string().max(64).optional(),
    detail: z.string().max(4000).optional(),
    /** What came back; it stands in the log by its digest alone. */
    result: z.strictObject({ digest: Digest, bytes: z.int().min(0) }).optional(),
    /** How often it was tried, where that is more than once. */
    attempts: z.int().min(2).optional(),
  }),
)
export type OutcomeData = z.infer<typeof OutcomeData>

/** A person lifts the blocks of an agent: all that were bound up to a position. */
export const LiftData = later(() =>
  z.strictObject({
    agent: z.string(),
    through: Position,
    by: z.string(),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type LiftData = z.infer<typeof LiftData>

const changeSet = {
  revision: z.int().min(1),
  by: z.string(),
  note: z.string().max(4000).optional(),
  /** The digest of the seed folder that it was made from: so anyone sees what came after it. */
  folder: Digest.optional(),
}

/** Signed by a policy admin, or derived from a ruling, which is signed. */
export const GraphChangeData = later(() =>
  z.strictObject({
    ...changeSet,
    operations: z.array(GraphOperation).min(1),
    ruling: z.string().optional(),
    signature: Signature.optional(),
  }),
)
export type GraphChangeData = z.infer<typeof GraphChangeData>

export const CatalogChangeData = later(() =>
  z.strictObject({
    ...changeSet,
    signature: Signature,
    operations: z.array(CatalogOperation).min(1),
  }),
)
export type CatalogChangeData = z.infer<typeof CatalogChangeData>
