// What an intent without a verdict waits for. It stands alone, so that a client over HTTP reads it
// without all that finds out which.
import { z } from 'zod'
import { later } from './later.ts'

/**
 * `stages`: one of them, where it cannot be read which. `message`: the log has no such intent.
 * `repeated`: what was published later under its address opens nothing. `log`: it gives no answer.
 */
export const waitedFor = [
  'grounding',
  'policy',
  'learning',
  'people',
  'confirmation',
  'stages',
  'message',
  'repeated',
  'log',
] as const

export const WaitsFor = later(() =>
  z.strictObject({
    for: z.enum(waitedFor),
    people: z.array(z.string()).describe('Who may answer still'),
    quorum: z.int().min(0).describe('How many of them must agree still'),
    needed: z.int().min(0).describe('How many had to at first'),
    agreed: z.array(z.string()).describe('Who has agreed already'),
    reason: z.boolean().describe('Whether agreeing takes a reason of theirs'),
    until: z.iso.datetime().nullable().describe('Null where nothing ends by itself'),
  }),
)
export type WaitsFor = z.infer<typeof WaitsFor>
