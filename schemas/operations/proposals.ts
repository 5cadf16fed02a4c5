// What is asked about proposals: the questions of learning that wait for people, and what became of
// those before.
import { z } from 'zod'
import { GraphOperation, Primitive } from '../graph.ts'
import { OfCell } from '../console/positions.ts'
import { ReleasedHeld, SuggestedAnswer } from '../console/turned.ts'
import { Candidate, MetBy, ProposalData, RulingWord, SuggestionFault } from '../learning.ts'
import { answeredAt, AnswerInstant, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

export const ProposalRow = later(() =>
  z.object({
    proposal: z.string().describe('Its ID'),
    name: z.string(),
    position: z.int().min(1),
    askedAt: AnswerInstant,
    state: z
      .enum(['open', 'agreed', 'applied', 'skipped', 'rejected', 'expired', 'overtaken'])
      .describe(
        '`agreed`: it is not in the graph yet; `overtaken`: the graph came to know it otherwise, ' +
          'or takes no more what was agreed to',
      ),
    data: ProposalData.describe('What is missing, as it was asked'),
    met: z.array(MetBy).describe('Every agent that is known to have met it'),
    suggestions: z.array(SuggestedAnswer).describe('Of models, the latest last'),
    failed: z
      .object({ by: z.string(), fault: SuggestionFault })
      .nullable()
      .describe('The latest of a model, where it cannot be used'),
    waiting: z
      .array(z.strictObject({ intent: z.string(), until: AnswerInstant, ...OfCell }))
      .describe('The held intents that wait for it'),
    releases: z.array(ReleasedHeld).describe('What of those a ruling would sign as seen'),
    ruled: z
      .strictObject({
        by: z.string(),
        byOwner: z.boolean(),
        word: RulingWord,
        at: AnswerInstant,
        note: z.string().nullable(),
        candidate: Candidate.nullable(),
      })
      .nullable()
      .describe('What a person made of it'),
    revision: z.int().nullable().describe('Of the graph, that the ruling became'),
  }),
)
export type ProposalRow = z.infer<typeof ProposalRow>

export const proposalsAsked = operation({
  name: 'proposals',
  title: 'List open proposals: what learning asks people',
  who: 'auditor',
  path: '/proposals',
  command: 'proposals',
  input: later(() =>
    z.strictObject({
      all: z
        .boolean()
        .optional()
        .describe('Also what was skipped, rejected or added, by whom, when and why'),
      ...paged,
    }),
  ),
  output: later(() =>
    rowsPage(ProposalRow, 'In the order in which they were asked').extend({
      learning: z.boolean().describe('Whether the catalog has anything asked'),
    }),
  ),
  examples: ['warrant proposals', 'warrant proposals --all'],
})

const Names = later(() => z.array(z.string()))

/** What is known around a question, for those who answer it. */
export const Around = later(() =>
  z.object({
    about: z.array(Primitive).describe('What it is about, as far as it is known'),
    unknown: Names.describe('Names that it is about, and the graph lacks'),
    like: z
      .array(z.strictObject({ name: z.string(), near: Names }))
      .describe('Of each unknown name, the known ones that it may be a slip of'),
    odd: Names.describe('Unknown names of several scripts, or with characters that do not show'),
    near: z.array(Primitive).describe('What those relate to, or what relates to them'),
    more: z.boolean().describe('Whether there is more near it'),
  }),
)
export type Around = z.infer<typeof Around>

export const proposalAsked = operation({
  name: 'proposal',
  title: 'Show one proposal, what is known around it, and what accepting it would bind',
  who: 'auditor',
  path: '/proposals/{proposal}',
  command: 'proposals show',
  input: later(() =>
    z.strictObject({
      proposal: z.string().min(1).max(1024).describe('Its ID, or the last characters of that'),
    }),
  ),
  output: later(() =>
    z.object({
      ...answeredAt,
      proposal: ProposalRow,
      around: Around,
      operations: z
        .array(GraphOperation)
        .nullable()
        .describe('What accepting the suggestion would bind; null where there is none'),
    }),
  ),
  examples: ['warrant proposals show 65Q6591C'],
})
