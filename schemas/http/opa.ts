// The shape of OPA's data API: what is asked of a path, and what is answered. What an input has
// beyond this is dropped.
import { z } from 'zod'
import { Intent } from '../intent.ts'

const Text = z.string().min(1)

export const OpaBody = z.object({ input: z.unknown().optional().meta({}) })

/** As clients of AI SDKs send it: which tool, with which arguments; and whom it is about. */
export const OpaInput = z.object({
  tool: z.object({ name: Text }),
  args: Intent.shape.args,
  /** Absent where the caller asks about itself. */
  subject: z.object({ type: Text, id: Text }).optional(),
  justification: z.string().max(8_000).optional(),
})

export const OpaAnswer = z.strictObject({
  result: z.unknown().optional().meta({}),
  decision_id: z.string().optional().describe('The name of the verdict'),
})
