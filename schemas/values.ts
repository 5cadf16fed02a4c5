// The small values that the words of several kinds of facts are made of.
import { z } from 'zod'

export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
export const Position = z.int().min(1)

/** Which key signed, and what it made of the content and the name. */
export const Signature = z.strictObject({ key: z.string(), value: z.string() })
export type Signature = z.infer<typeof Signature>

/** Which intent a fact is about: its address in names, and who and where in full. */
export const IntentRef = z.strictObject({
  address: z.string(),
  agent: z.string(),
  session: z.string().nullable(),
})
export type IntentRef = z.infer<typeof IntentRef>
