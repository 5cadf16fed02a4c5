// What is asked about reviews: those that are open, which wait for people, one with all that was
// answered, and those of before.
import { z } from 'zod'
import { LogPositions, OfCell } from '../console/positions.ts'
import { GroundingData, VerdictData } from '../facts.ts'
import { Demands } from '../people/demands.ts'
import { DecisionData, ReviewData } from '../review.ts'
import { WaitsFor } from '../waits.ts'
import { answeredAt, AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Person = later(() => z.string())
const Address = later(() => z.string().min(1).max(600))

const meantPeople = later(() => z.array(z.string().max(256)).max(64).optional())

export const ReviewRow = later(() =>
  z.object({
    intent: z.string().describe('Its address'),
    name: z.string().describe('Of the review'),
    position: z.int().min(1),
    openedAt: AnswerInstant,
    review: ReviewData.describe('What people are asked, as it was bound'),
    waits: WaitsFor.describe('Who may answer still, and how far it is'),
    answered: z.array(Person).describe('Who has answered, so that it counts'),
    handovers: z
      .array(z.strictObject({ from: Person, to: Person, name: z.string() }))
      .describe('Whom people have asked to look at it instead'),
    known: z.string().describe('What is known of what it asks about, in lines'),
    changes: z.array(z.string()).describe('What has changed since people were asked before'),
    ...OfCell,
  }),
)
export type ReviewRow = z.infer<typeof ReviewRow>

export const reviewsAsked = operation({
  name: 'reviews',
  title: 'List open reviews, with what is needed to decide',
  who: 'party',
  path: '/reviews',
  command: 'reviews',
  input: later(() =>
    z.strictObject({
      person: meantPeople.describe('Only those that one of these people may answer still'),
      ...paged,
    }),
  ),
  output: later(() => rowsPage(ReviewRow, 'Oldest first')),
  examples: ['warrant reviews', 'warrant reviews --limit 10'],
})

/** A member that differs: by its JSON pointer, and absent on the side that lacks it. */
export const Difference = later(() =>
  z.strictObject({
    pointer: z.string(),
    before: z.unknown().optional(),
    now: z.unknown().optional(),
  }),
)
export type Difference = z.infer<typeof Difference>

export const ReviewShown = later(() =>
  z.strictObject({
    ...ReviewRow.omit({ handovers: true }).shape,
    state: z.enum(['open', 'decided', 'expired', 'withdrawn', 'replaced']),
    waits: WaitsFor.nullable().describe('Null where its intent is decided'),
    demands: Demands.describe('What it takes of an answer'),
    grounding: GroundingData.nullable(),
    previous: ReviewData.nullable().describe('The review that this one took the place of'),
    lastApproved: z
      .strictObject({
        intent: Address,
        position: z.int(),
        decidedAt: AnswerInstant,
        confirmedBy: z.array(Person),
        args: z.json(),
      })
      .nullable()
      .describe('The last call of this tool by this agent that people agreed to'),
    differs: z
      .array(Difference)
      .nullable()
      .describe('What differs from its arguments; null where there is none'),
    answers: z
      .array(
        z.strictObject({
          name: z.string(),
          position: z.int(),
          appendedAt: AnswerInstant,
          data: DecisionData,
          counts: z.boolean(),
        }),
      )
      .describe('Whether they count or not'),
    deputies: z
      .array(z.strictObject({ person: Person, instead: Person, until: AnswerInstant }))
      .describe('Who may answer in place of whom, while that one is away'),
    handovers: z
      .array(
        z.strictObject({
          from: Person,
          to: Person,
          at: AnswerInstant,
          note: z.string().nullable(),
        }),
      )
      .describe('Who has asked whom to look at it instead'),
    verdict: z
      .strictObject({
        name: z.string(),
        position: z.int(),
        appendedAt: AnswerInstant,
        data: VerdictData,
      })
      .nullable(),
  }),
)
export type ReviewShown = z.infer<typeof ReviewShown>

export const reviewAsked = operation({
  name: 'review',
  title: 'Show what people were asked about an intent last, and each answer',
  who: 'party',
  path: '/reviews/{intent}',
  command: 'reviews show',
  means: 'intent',
  input: later(() => z.strictObject({ intent: Address.describe('Its address') })),
  output: later(() => z.object({ ...answeredAt, review: ReviewShown })),
  examples: ['warrant reviews show 7QK2M0XA'],
})

export const PastReview = later(() =>
  z.object({
    intent: z.string().describe('Its address'),
    review: z.string().describe('The name of the review'),
    position: z.int().min(1),
    endedAt: AnswerInstant,
    ended: z
      .enum(['allowed', 'denied', 'expired', 'withdrawn', 'replaced', 'answered', 'void'])
      .describe(
        '`answered`: by one of those who are meant, and others are asked still; `void`: by an ' +
          'allow that counts for nothing',
      ),
    agent: z.string(),
    tool: z.string(),
    answers: z
      .array(z.strictObject({ person: Person, agreed: z.boolean() }))
      .describe('Of those who are meant'),
    ...OfCell,
  }),
)
export type PastReview = z.infer<typeof PastReview>

export const pastReviewsAsked = operation({
  name: 'pastReviews',
  title: 'List reviews that have ended: answered, expired, withdrawn or replaced',
  who: 'party',
  path: '/past-reviews',
  command: 'reviews --past',
  input: later(() =>
    z.strictObject({
      person: meantPeople.describe(
        'Only those that asked one of these people, or that one answered',
      ),
      ...paged,
    }),
  ),
  output: later(() =>
    z.object({
      ...answeredAt,
      rows: z.array(PastReview).describe('By when they ended, latest first'),
      next: LogPositions.nullable().describe('`cursor` of the next page; null where there is none'),
      isWhole: z.boolean().describe('False where it looked no further for now: go on with `next`'),
    }),
  ),
  examples: ['warrant reviews --past', 'warrant reviews --past --person olga'],
})
