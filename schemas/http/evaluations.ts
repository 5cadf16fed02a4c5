// What gateways and applications ask by a standard, and what they are answered: AuthZEN 1.0. What
// these requests have beyond it is dropped, as the standard wants.
import { z } from 'zod'

const Text = z.string().min(1)
/** Any JSON. */
const Any: z.ZodType<z.util.JSONType> = z.any().meta({})
const Properties = z.record(z.string(), Any)

const Entity = z.object({ type: Text, id: Text, properties: Properties.exactOptional() })
const Action = z.object({ name: Text, properties: Properties.exactOptional() })

export const EvaluationBody = z.object({
  subject: Entity,
  action: Action,
  resource: Entity,
  context: Properties.exactOptional(),
})
export type EvaluationBody = z.output<typeof EvaluationBody>

/** So many evaluations a request may have. */
const evaluationsMax = 100

export const EvaluationsBody = EvaluationBody.partial().extend({
  evaluations: z
    .array(Any)
    .max(evaluationsMax)
    .optional()
    .describe('Each an evaluation; what it leaves out is as the request has it'),
  options: z
    .object({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .default('execute_all'),
    })
    .optional(),
})
export type EvaluationsBody = z.output<typeof EvaluationsBody>

export const EvaluationAnswer = z.strictObject({
  decision: z.boolean(),
  context: z
    .looseObject({
      id: z.string().optional().describe('The name of the verdict'),
      intent: z.string().optional().describe('The address of what was asked'),
      item: z.int().optional().describe('Its place in the verdict, which several share'),
      reasons: z.array(z.looseObject({ code: z.string(), text: z.string() })).optional(),
      constraints: Properties.optional().describe('What a call would be bound to'),
      request: z
        .strictObject({ href: z.string(), method: z.string(), tool: z.string() })
        .optional()
        .describe('Where the subject can ask, so that people are'),
    })
    .optional(),
})
export type EvaluationAnswer = z.output<typeof EvaluationAnswer>

export const EvaluationsAnswer = z.union([
  EvaluationAnswer,
  z.strictObject({ evaluations: z.array(EvaluationAnswer) }),
])

export const AuthzenMetadata = z.strictObject({
  policy_decision_point: z.string(),
  access_evaluation_endpoint: z.string(),
  access_evaluations_endpoint: z.string(),
  search_subject_endpoint: z.string(),
  search_resource_endpoint: z.string(),
  search_action_endpoint: z.string(),
})
