// What people are asked about an intent, what a yes permits, and what they answer. Golden logs are
// read by these for ever: a change is a new version and an upcaster.
import { z } from 'zod'
import { ruledLevels } from './work/settings.ts'
import { AnsweredTogether } from './attention/attention.ts'
import { CallbackAnswer, CallbackFault } from './callbacks.ts'
import { Gap } from './graph.ts'
import { AnswerDemands } from './people/demands.ts'
import { Digest, IntentRef, Signature, ValueFound } from './values.ts'
import { later } from './later.ts'

const Instant = later(() => z.iso.datetime({ offset: true }))
const JsonMap = later(() => z.record(z.string(), z.json()))

export const Question = later(() =>
  z.strictObject({
    kind: z.enum([
      'policy',
      'condition',
      'justification',
      'safety_review',
      'requires_human',
      'unearned_confidence',
      'released',
      'value_unknown',
      'outcome_unknown',
      'standing',
    ]),
    /** What the author of the policy asks. */
    message: z.string().optional(),
    policy: z.string().optional(),
    source: z.string().optional(),
    target: z.string().optional(),
    /** The condition that asks. */
    rule: z.string().optional(),
    confirmation: z.string().optional(),
    callback: z
      .strictObject({ passed: z.boolean(), message: z.string().optional() })
      .nullable()
      .optional(),
    /** The value that is not known, and where it was found. */
    value: ValueFound.optional(),
    /** Of `outcome_unknown`: the intent that ran the like, and no one knows whether it was done. */
    intent: z.string().optional(),
    /** Of `standing`: the level that asks, and how many must agree at least. */
    level: z.enum(ruledLevels).optional(),
    quorum: z.int().min(1).max(100).optional(),
    /** Of `justification`: how long it must be, where the catalog says otherwise than 15. */
    characters: z.int().min(1).optional(),
  }),
)
export type Question = z.infer<typeof Question>

/** What a yes permits: all of this is under the digest. */
export const ReviewTerms = later(() =>
  z.strictObject({
    capability: z.string(),
    args: z.json(),
    argsDigest: Digest,
    /** Of the arguments with defaults filled in; absent where no gateway runs it. */
    executedDigest: Digest.optional(),
    /** What the call would be bound to. */
    constraints: JsonMap,
    scope: JsonMap,
    /**
     * Whose call it is, from the first who delegated it to the agent; absent where that is alone.
     */
    chain: z.array(z.string()).min(2).optional(),
    /** For whom the agent asks, by whose rights it is judged; absent where that is itself. */
    subject: z.string().optional(),
    /** How long the warrant is good, from the last decision that counts. */
    useWithinMs: z.int().min(1),
  }),
)
export type ReviewTerms = z.infer<typeof ReviewTerms>

/** A policy that the call triggers, and what its check said; null where it has none. */
export const TriggeredPolicy = later(() =>
  z.strictObject({
    policy: z.string(),
    source: z.string(),
    target: z.string(),
    requiresConfirmation: z.boolean(),
    confirmation: z.string().optional(),
    result: z
      .union([
        z.strictObject({ passed: z.boolean(), message: z.string().optional() }),
        z.strictObject({ fault: CallbackFault }),
      ])
      .nullable(),
  }),
)
export type TriggeredPolicy = z.infer<typeof TriggeredPolicy>

/** What helps a person to decide, beside what the digest covers. */
export const Shown = later(() =>
  z.strictObject({
    owner: z.string().nullable(),
    description: z.string(),
    safetyClass: z.string(),
    sensitivity: z.string(),
    goal: z.string().nullable(),
    justification: z.string().nullable(),
  }),
)
export type Shown = z.infer<typeof Shown>

export const ReviewData = later(() =>
  z.strictObject({
    intent: IntentRef,
    grounding: z.string(),
    /** From 1; a change of what is asked opens the next. */
    number: z.int().min(1),
    /** The review that this one takes the place of. */
    previous: z.string().nullable(),
    /** The void fact that stands where an answer to that one would: nothing else has changed. */
    spoiltBy: z.string().optional(),
    tier: z.enum(['confirm', 'four_eyes']),
    confirmation: z.string().nullable(),
    confirmers: z.array(z.string()),
    /** Who may not answer, being on the side of who asks. */
    excluded: z.array(z.string()),
    quorum: z.int().min(1),
    questions: z.array(Question).min(1),
    terms: ReviewTerms,
    gaps: z.array(Gap),
    policies: z.array(TriggeredPolicy),
    /** Where each value comes from that must be known. */
    values: z.array(ValueFound).optional(),
    shown: Shown,
    /** What is demanded of answers beside their number; absent where nothing is. */
    demands: AnswerDemands.optional(),
    /** Who asks, with their owners: no deputy may be of it. Absent where there are no deputies. */
    side: z.array(z.string()).optional(),
    /** The identity of the log: the digest of its first catalog change set. */
    log: Digest.nullable(),
    /** Of the agent, the log, the questions, the terms, the gaps, the policies and the values. */
    digest: Digest,
    decideBy: Instant,
    callbacks: z.array(CallbackAnswer),
  }),
)
export type ReviewData = z.infer<typeof ReviewData>

/** The digest of the texts that a page drew, and their language. */
export const ShownTexts = later(() =>
  z.strictObject({
    digest: Digest,
    language: z.string().regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/),
  }),
)
export type ShownTexts = z.infer<typeof ShownTexts>

export const DecisionData = later(() =>
  z.strictObject({
    intent: IntentRef,
    review: z.string(),
    digest: Digest,
    confirmer: z.string(),
    answers: z.array(z.boolean()),
    note: z.string().max(4000).optional(),
    /** The reviews that this person answers together, this one among them. */
    batch: AnsweredTogether.optional(),
    /** Who is away, and whose answer it is therefore. */
    for: z.string().optional(),
    /**
     * What the person saw, where a page drew it: it says what was shown, and never what was read.
     */
    shown: ShownTexts.optional(),
    signature: Signature.optional(),
  }),
)
export type DecisionData = z.infer<typeof DecisionData>
