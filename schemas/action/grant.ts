// A grant: a person answers beforehand what rules will ask about later calls of one class. Golden
// logs are read by these for ever: a change is a new version and an upcaster.
import { z } from 'zod'
import { CallbackAnswer } from '../callbacks.ts'
import { Id, SafetyClass } from '../rules/terms.ts'
import { DecimalText, IntentRef, Pointer, Signature, ValueKind, When } from '../values.ts'
import { later } from '../later.ts'

/** So many uses one grant may have, and so many agents, questions and values it may name. */
const usesMax = 1_000_000
const listMax = 64

/**
 * A question that it answers, as a review asks it, without what differs from call to call. What a
 * message asks for itself (a human, a reason) is not here: that is asked each time.
 */
export const GrantedQuestion = later(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('policy'),
      policy: z.string(),
      source: z.string(),
      target: z.string(),
      message: z.string().optional(),
      confirmation: z.string().optional(),
    }),
    z.strictObject({
      kind: z.literal('condition'),
      rule: z.string(),
      message: z.string().optional(),
      confirmation: z.string().optional(),
    }),
    /** About the values that `values` lists for that argument. */
    z.strictObject({
      kind: z.literal('value_unknown'),
      arg: Pointer,
      value: ValueKind,
      confirmation: z.string().optional(),
    }),
  ]),
)
export type GrantedQuestion = z.infer<typeof GrantedQuestion>

/** Each value of the argument is one of these, compared as known values are. */
const GrantedValues = later(() =>
  z.strictObject({
    arg: Pointer,
    kind: ValueKind,
    among: z.array(z.string().min(1).max(512)).min(1).max(listMax),
  }),
)

/** What the calls may come to together. */
const GrantedBudget = later(() =>
  z.strictObject({
    /** CEL that comes to a number, a decimal as text, or a list of those. */
    of: z.string().min(1).max(2000),
    max: DecimalText,
  }),
)

export const GrantData = later(() =>
  z.strictObject({
    /** Who answers; the grant stands for no one else. */
    confirmer: Id,
    /** The review that it was signed beside; null where there was none. */
    review: z.string().nullable(),
    capability: Id,
    /** The class of the capability as it was shown. Another one asks again. */
    safetyClass: SafetyClass,
    agents: z.array(Id).min(1).max(listMax),
    /** CEL, as in conditions of the catalog: which calls. */
    when: When,
    values: z.array(GrantedValues).min(1).max(listMax).optional(),
    questions: z.array(GrantedQuestion).min(1).max(listMax),
    uses: z.int().min(1).max(usesMax),
    /** The last moment at which a call may rest on it. */
    until: z.iso.datetime(),
    budget: GrantedBudget.optional(),
    /** The cell that its agents are in, counting from 0; absent in a realm of one log. */
    cell: z.int().min(0).max(255).optional(),
    /** Instead: each cell has all of its uses and its budget, for its own agents alone. */
    perCell: z.literal(true).optional(),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type GrantData = z.infer<typeof GrantData>

/** What an intent takes of a grant. */
export const UseData = later(() =>
  z.strictObject({
    intent: IntentRef,
    /** The name of the grant, and whose it is. */
    grant: z.string(),
    confirmer: z.string(),
    use: z.int().min(1),
    /** How many uses are taken with this one, and how many there are. */
    taken: z.int().min(1),
    uses: z.int().min(1),
    /** What it takes of the budget of the grant, and what that is. */
    amount: DecimalText.optional(),
    max: DecimalText.optional(),
    callbacks: z.array(CallbackAnswer).optional(),
  }),
)
export type UseData = z.infer<typeof UseData>

/** A grant that a verdict rests on. */
export const RestsOn = later(() =>
  z.strictObject({
    grant: z.string(),
    confirmer: z.string(),
    use: z.int().min(1),
  }),
)
export type RestsOn = z.infer<typeof RestsOn>

/** A call that a grant would have answered for. */
const WouldFit = later(() =>
  z.strictObject({
    intent: z.string().describe('Its address'),
    agent: z.string(),
    askedAt: z.iso.datetime(),
    args: z.unknown().meta({}),
    outcome: z.enum(['allow', 'deny']).nullable().describe('Null where it is open'),
    declined: z.boolean().describe('Whether people declined it'),
    beyond: z.boolean().describe('Whether by then the grant would have been used up'),
  }),
)
export type WouldFit = z.infer<typeof WouldFit>

const grantWarnings = ['reads_nothing', 'own_words', 'all_fit'] as const
export type GrantWarning = (typeof grantWarnings)[number]

/** What a grant would have let through. */
export const GrantPreview = later(() =>
  z.strictObject({
    days: z.int(),
    asked: z.int().describe('About how many calls of its agents and tool people were asked'),
    first: z.array(WouldFit).describe('Some that fit: first what people declined, then the oldest'),
    fits: z.int().describe('How many fit'),
    declined: z.int().describe('How many of those people declined'),
    beyond: z.int().describe('For how many of those it would not have lasted'),
    amount: z.string().nullable().describe('What the others come to; null where it has no budget'),
    quorum: z.int().describe('How many people each that fits needed at most'),
    warnings: z
      .array(z.enum(grantWarnings))
      .describe(
        'Why it may be wider than it looks: its condition reads nothing; or nothing but what the ' +
          'agent says of itself; or every call that was asked about fits',
      ),
  }),
)
export type GrantPreview = z.infer<typeof GrantPreview>
