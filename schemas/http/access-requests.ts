// What access requests by a standard carry, and what they are answered: the OpenID AuthZEN Access
// Request and Approval Profile, draft 1. What these requests have beyond it is dropped.
import { z } from 'zod'
import { EvaluationBody } from './evaluations.ts'

const Text = z.string().min(1)
/** Any JSON. */
const Any: z.ZodType<z.util.JSONType> = z.any().meta({})
const Properties = z.record(z.string(), Any)
const Instant = z.iso.datetime({ offset: true })

const { subject, action, resource, context } = EvaluationBody.shape

export const AccessRequestBody = z.object({
  subject,
  action: action.exactOptional(),
  resource: resource.exactOptional(),
  context,
  items: Any.optional().describe('Not taken: send a request for each'),
  callback: Any.optional().describe('Not taken: look at the task'),
  requested_access: Properties.exactOptional().describe('Recorded, and shown to people'),
  denial: z
    .object({
      evaluation_id: Text.optional(),
      expires_at: Instant.optional(),
      binding_token: Text.optional(),
    })
    .optional()
    .describe('As the evaluation was answered'),
  client: z
    .object({
      id: Text.exactOptional(),
      name: Text.exactOptional(),
      actor: z
        .looseObject({ id: Text, act: Any.optional() })
        .exactOptional()
        .describe('The caller itself, without a chain'),
      source: Properties.exactOptional(),
    })
    .exactOptional()
    .describe('Recorded, and shown to people'),
})
export type AccessRequestBody = z.output<typeof AccessRequestBody>

export const AccessCancelBody = z.object({
  reason: Text.max(256).optional(),
  comment: Text.max(2_000).optional(),
})

export const ApprovalReference = z.strictObject({
  id: z.string().describe('The name of the verdict'),
  approved_at: Instant,
  approved_until: Instant,
})

export const AccessTaskAnswer = z.strictObject({
  task: z.strictObject({
    id: z.string().describe('The address of the intent'),
    status: z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled', 'failed']),
    status_endpoint: z.string(),
    expires_at: Instant.describe('When the task is forgotten'),
    progress: z.strictObject({ current_step: z.int(), total_steps: z.int() }).optional(),
    display: z.strictObject({ title: z.string(), description: z.string().optional() }),
    links: z.strictObject({ cancel: z.string() }).optional(),
  }),
  result: z.strictObject({ mode: z.literal('reevaluate'), approval: ApprovalReference }).optional(),
})
export type AccessTaskAnswer = z.output<typeof AccessTaskAnswer>
