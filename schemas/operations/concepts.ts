// What is asked of the graph: concepts with what it says of each, all of them, those around one or
// in one part, and the parts of a graph that is too large to be looked at as a whole.
import { z } from 'zod'
import { Primitive, RelationType } from '../graph.ts'
import { answeredAt, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Concept = later(() => z.string().min(1).max(256))

const Moment = later(() =>
  z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('As it was then: a position, `c1.40` of a cell, `r12` for a revision, or a time'),
)

const Revision = later(() => z.int().min(0).describe('Of the graph, as it was then'))

export const conceptsAsked = operation({
  name: 'concepts',
  title: 'List concepts of the graph, or those around one, with what it says of each',
  who: 'auditor',
  path: '/concepts',
  command: 'graph concepts',
  input: later(() =>
    z.strictObject({
      around: Concept.optional().describe('Only what lies around this concept'),
      hops: z.int().min(0).max(4).default(1).describe('With `around`: over how many relations'),
      part: Concept.optional().describe('Only what is in the part of that name'),
      search: z.string().max(256).optional().describe('Only whose name begins so'),
      at: Moment,
      ...paged,
    }),
  ),
  output: later(() =>
    rowsPage(Primitive, 'Around one, or in a part, the nearest first').extend({
      revision: Revision,
    }),
  ),
  examples: [
    'warrant graph concepts --search re',
    'warrant graph concepts --around email --hops 2',
  ],
})

const Count = later(() => z.int().min(0))

export const graphPartsAsked = operation({
  name: 'graphParts',
  title: 'Show the graph in parts, each around its most connected concept',
  who: 'auditor',
  path: '/concepts/parts',
  command: 'graph parts',
  input: later(() => z.strictObject({ at: Moment })),
  output: later(() =>
    z.object({
      ...answeredAt,
      revision: Revision,
      count: Count.describe('How many concepts there are in all'),
      levels: z
        .array(z.object({ level: z.int().nullable(), count: Count }))
        .describe('How deeply they are known; null where not even that they exist is'),
      types: z.array(z.object({ type: RelationType, count: Count })).describe('Their relations'),
      parts: z
        .array(z.object({ name: z.string(), count: Count, names: z.array(z.string()) }))
        .describe('The largest first, with the most connected of each'),
      links: z
        .array(z.object({ from: Count, to: Count, count: Count }))
        .describe('By their places among the parts, how many relations lead there'),
      apart: Count.describe('How many are in no part that is listed'),
    }),
  ),
  examples: ['warrant graph parts'],
})
