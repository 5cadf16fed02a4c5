// The small values that the words of several kinds of facts are made of.
import { z } from 'zod'

export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
export const Position = z.int().min(1)

/** 64 bytes as base64url without padding, in the one spelling that has no bits left over. */
const bytes64Pattern = /^[A-Za-z0-9_-]{85}[AQgw]$/

/** Which key signed, in which format, and what it made of the content, the log and the name. */
export const Signature = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal('ed25519'),
    key: z.string(),
    value: z.string().regex(bytes64Pattern),
  }),
])
export type Signature = z.infer<typeof Signature>

/** Which intent a fact is about: its address in names, and who and where in full. */
export const IntentRef = z.strictObject({
  address: z.string(),
  agent: z.string(),
  session: z.string().nullable(),
})
export type IntentRef = z.infer<typeof IntentRef>
