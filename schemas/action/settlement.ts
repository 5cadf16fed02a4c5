// What a person says became of a call whose outcome is not known. Golden logs are read by this for
// ever: a change is a new version.
import { z } from 'zod'
import { IntentRef, Signature } from '../values.ts'
import { later } from '../later.ts'

export const SettlementData = later(() =>
  z.strictObject({
    intent: IntentRef,
    /** Whether what was asked for has happened. */
    happened: z.boolean(),
    by: z.string(),
    note: z.string().max(4000).optional(),
    signature: Signature.optional(),
  }),
)
export type SettlementData = z.infer<typeof SettlementData>
