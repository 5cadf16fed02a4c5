// What a confirmer sees and answers: the inbox, the card of one review, answers, grants, and
// handing a review over.
import { z } from 'zod'
import { GrantData, GrantPreview } from '../action/grant.ts'
import { later } from '../later.ts'
import { ReviewShown } from '../operations/reviews.ts'
import { Demands } from '../people/demands.ts'
import { Question, ShownTexts } from '../review.ts'
import { AnswersLeft } from './attending.ts'
import { OfCell, LogPositions } from './positions.ts'
import { SignedThat, SigningAsked } from './signing.ts'

const Instant = z.iso.datetime()
const Address = z.string().min(1).max(600)
const Person = z.string().min(1).max(256)

export const InboxQuery = z.strictObject({
  /** `next` of the page before. */
  after: z.string().max(512).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})

export const InboxRow = z.strictObject({
  ...OfCell,
  intent: Address,
  review: z.string(),
  number: z.int(),
  position: z.int(),
  openedAt: Instant,
  decideBy: Instant,
  agent: z.string(),
  owner: z.string().nullable(),
  capability: z.string(),
  safetyClass: z.string(),
  goal: z.string().nullable(),
  questions: z.int(),
  tier: z.enum(['confirm', 'four_eyes']),
  agreed: z.array(Person),
  needed: z.int(),
  digest: z.string(),
  /** Null where they are larger than a row takes: the card has them. */
  args: z.json(),
  argsBytes: z.int(),
  demands: Demands,
  /** In whose place the person may answer it; null where it asks them. */
  for: Person.nullable(),
  /** Who has handed it over to the person. */
  askedBy: z.array(Person),
})
export type InboxRow = z.infer<typeof InboxRow>

export const InboxAnswer = z.strictObject({
  position: LogPositions,
  now: Instant,
  /** How many there are in all. */
  count: z.int(),
  open: z.array(InboxRow),
  next: z.string().nullable(),
  /** Of each cell; absent where nothing limits this person’s answers. */
  answersLeft: z.array(AnswersLeft).optional(),
})
export type InboxAnswer = z.infer<typeof InboxAnswer>

/** Why a person cannot answer a review now; null where nothing stands in the way. */
export const CannotAnswer = z.enum([
  'not_asked',
  'suspended',
  'answered',
  'expired',
  'decided',
  'withdrawn',
  'replaced',
  'no_key',
])

/** One review as the person at the page may answer it. The page puts it into words. */
export const CardAnswer = later(() =>
  ReviewShown.omit({ answered: true, known: true, changes: true }).extend({
    /** Up to where the server had read, and its clock. */
    asOf: z.int(),
    now: Instant,
    cannot: CannotAnswer.nullable(),
    /** Which later calls are like it, in CEL; absent where this person could not let them too. */
    routine: z.string().optional(),
    /** Absent where nothing limits this person’s answers. */
    answersLeft: AnswersLeft.optional(),
  }),
)
export type CardAnswer = z.infer<typeof CardAnswer>

/** All of what the excerpt among the arguments is the beginning of. */
export const ContentsAnswer = z.strictObject({
  /** `changed`: what is kept is not what the review asks about. */
  is: z.enum(['whole', 'gone', 'changed']),
  /** Null where it cannot be shown. */
  text: z.string().nullable(),
})
export type ContentsAnswer = z.infer<typeof ContentsAnswer>

export const AnswerBody = z.strictObject({
  /** One for each question. */
  answers: z.array(z.boolean()).min(1).max(64),
  /** Of the review that the person saw. */
  digest: z.string().max(128),
  note: z.string().max(4000).optional(),
  /** Who is away, and in whose place the person answers. */
  for: Person.optional(),
  shown: ShownTexts.optional(),
  /** What is answered together with it and waits still, this one among them: names of reviews. */
  batch: z.array(z.string().min(1).max(600)).min(1).max(50).optional(),
})
export type AnswerBody = z.infer<typeof AnswerBody>

export const AnswerSubmit = z.strictObject({ ...AnswerBody.shape, signed: SignedThat })
export type AnswerSubmit = z.infer<typeof AnswerSubmit>

export const PreparedAnswer = z.strictObject({ toSign: SigningAsked })
export type PreparedAnswer = z.infer<typeof PreparedAnswer>

/** Several at once; each is signed and submitted by itself. */
export const AnswersBody = z.strictObject({
  items: z
    .array(z.strictObject({ intent: Address, ...AnswerBody.shape }))
    .min(1)
    .max(50),
})

export const PreparedAnswers = z.strictObject({
  items: z.array(
    z.strictObject({
      intent: Address,
      toSign: SigningAsked.nullable(),
      /** Why this one is not there to be signed. */
      code: z.string().nullable(),
    }),
  ),
})
export type PreparedAnswers = z.infer<typeof PreparedAnswers>

export const GrantBody = z.strictObject({
  /** Which later calls, in CEL. */
  when: z.string().min(1).max(2000),
  uses: z.int().min(1).max(1_000_000),
  /** Its end. */
  until: Instant,
  budget: z
    .strictObject({ of: z.string().min(1).max(2000), max: z.string().min(1).max(64) })
    .optional(),
  agents: z.array(Person).min(1).max(64).optional(),
  perCell: z.literal(true).optional(),
  note: z.string().max(4000).optional(),
})
export type GrantBody = z.infer<typeof GrantBody>

/** A grant as it would be signed, and what it would have let through in the last 30 days. */
export const GrantShownAnswer = z.strictObject({
  id: z.string(),
  grant: GrantData.omit({ signature: true }),
  preview: GrantPreview,
  /** Questions that it would not answer. */
  askedStill: z.array(Question),
  toSign: SigningAsked,
})
export type GrantShownAnswer = z.infer<typeof GrantShownAnswer>

export const GrantSubmit = z.strictObject({ id: z.string().max(64), signed: SignedThat })
