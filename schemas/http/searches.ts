// What AuthZEN 1.0 searches take and give. What is searched for has no id of its
// own in a request; what these have beyond the standard is dropped, as that wants.
import { z } from 'zod'
import { EvaluationBody } from './evaluations.ts'

const { subject: Entity, action: Action, context } = EvaluationBody.shape
const Sought = Entity.omit({ id: true })

const paged = {
  context,
  page: z
    .object({
      token: z.string().max(256).exactOptional().describe('`next_token` of the page before'),
      limit: z.int().min(0).exactOptional().describe('So many results at most; never over 200'),
    })
    .exactOptional(),
}

export const SubjectSearchBody = z.object({
  subject: Sought,
  action: Action,
  resource: Entity,
  ...paged,
})
export const ResourceSearchBody = z.object({
  subject: Entity,
  action: Action,
  resource: Sought,
  ...paged,
})
export const ActionSearchBody = z.object({ subject: Entity, resource: Entity, ...paged })

export type SearchContext = z.output<typeof ActionSearchBody>['context']
export type SearchPage = NonNullable<z.output<typeof ActionSearchBody>['page']>

export const SearchAnswer = z.strictObject({
  page: z.strictObject({
    next_token: z.string().describe('Empty where there is no next page'),
    count: z.int().min(0).describe('How many results this page has'),
  }),
  context: z.strictObject({
    id: z.string().optional().describe('The name of the verdict'),
    intent: z.string().optional().describe('The address of what was asked'),
    reasons: z
      .array(z.looseObject({ code: z.string(), text: z.string() }))
      .optional()
      .describe('Why there is nothing, or what could not be looked at'),
  }),
  results: z.array(
    z.union([
      z.strictObject({ type: z.string(), id: z.string() }),
      z.strictObject({ name: z.string() }),
    ]),
  ),
})
export type SearchAnswer = z.output<typeof SearchAnswer>
