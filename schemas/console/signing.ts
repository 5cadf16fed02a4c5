// What a person signs through the console, in two steps: the server says what would be signed, and
// the page sends it back with the signature. What has changed in between is refused as stale.
import { z } from 'zod'
import { Digest, Signature } from '../values.ts'

/** What a signature covers: the canonical bytes of `{data, log, name}`. */
export const SigningAsked = z.strictObject({
  of: z.strictObject({ log: Digest.nullable(), name: z.string().max(1024) }),
  data: z.unknown(),
  /** What a passkey signs: SHA-256 of those bytes, as base64url. */
  challenge: z.string(),
})
export type SigningAsked = z.infer<typeof SigningAsked>

export const SignedThat = SigningAsked.omit({ challenge: true }).extend({ signature: Signature })
export type SignedThat = z.infer<typeof SignedThat>

/** That a fact was bound. */
export const BoundAnswer = z.strictObject({
  name: z.string(),
  position: z.int(),
  appendedAt: z.iso.datetime(),
})
export type BoundAnswer = z.infer<typeof BoundAnswer>

/** A refusal, as RFC 9457 has it. Its `detail` is for those who look for a fault. */
export const ConsoleProblem = z.looseObject({
  type: z.string(),
  status: z.int(),
  code: z.string(),
  retry: z.enum(['never', 'soon']),
  reason: z.string().optional(),
})
export type ConsoleProblem = z.infer<typeof ConsoleProblem>
