// A further look at a result that a gateway keeps. Golden logs are read by this for ever: a change
// is a new version.
import { z } from 'zod'
import { Digest, IntentRef } from '../values.ts'
import { later } from '../later.ts'

export const ExpansionData = later(() =>
  z.strictObject({
    intent: IntentRef,
    /** The n-th of the intent, counting from 1. */
    number: z.int().min(1),
    gateway: z.string().max(256),
    /** Of what was asked for; what an agent looks for is not for the log. */
    query: Digest,
    /** How many rows were shown; 0 where it was refused. */
    rows: z.int().min(0),
    /** Why nothing was shown. */
    refused: z.string().max(64).optional(),
  }),
)
export type ExpansionData = z.infer<typeof ExpansionData>
