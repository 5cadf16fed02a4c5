// The words of a revocation: a person takes back what was permitted before it. Golden logs are read
// by these for ever: a change is a new version.
import { z } from 'zod'
import { Signature } from '../values.ts'
import { later } from '../later.ts'

const Name = later(() => z.string().min(1).max(600))

/** What is taken back: one warrant, or all of a capability, of an agent, or of a grant. */
export const RevocationTarget = later(() =>
  z.union([
    z.strictObject({ verdict: Name }),
    z.strictObject({ capability: Name }),
    z.strictObject({ agent: Name }),
    z.strictObject({ grant: Name }),
  ]),
)
export type RevocationTarget = z.infer<typeof RevocationTarget>

/** It counts for what was decided before it, and for nothing that is decided later. */
export const RevocationData = later(() =>
  z.strictObject({
    target: RevocationTarget,
    by: z.string(),
    note: z.string().max(4000).optional(),
    signature: Signature,
  }),
)
export type RevocationData = z.infer<typeof RevocationData>
