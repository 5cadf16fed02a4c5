// What is asked about reviews: those that are open, which wait for people.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { ReviewData } from '../review.ts'
import { WaitsFor } from '../waits.ts'
import { AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Person = later(() => z.string())

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
  who: 'auditor',
  path: '/reviews',
  command: 'reviews',
  input: later(() =>
    z.strictObject({
      person: z
        .array(z.string().max(256))
        .max(64)
        .optional()
        .describe('Only those that one of these people may answer still'),
      ...paged,
    }),
  ),
  output: later(() => rowsPage(ReviewRow, 'Oldest first')),
  examples: ['warrant reviews', 'warrant reviews --limit 10'],
})
