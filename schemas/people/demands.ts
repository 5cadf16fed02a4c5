// What a confirmation demands of the answers that count, beside how many they are.
import { z } from 'zod'
import { later } from '../later.ts'

export const demandFields = {
  /**
   * `passkey`: nothing else counts. `browser`: the key of a browser, which a passkey enrolled for a
   * few days, counts too. Absent: passkeys and key files.
   */
  signedWith: z.enum(['browser', 'passkey']).optional(),
  /** Which answers need a note: those that decline, or all. */
  reason: z.enum(['decline', 'always']).optional(),
  /** Whether each answer must come through another console, or from a key file. */
  differentServers: z.literal(true).optional(),
  /** Whether someone who is away may name another who answers meanwhile. */
  deputies: z.literal(true).optional(),
}

/** The same, as a review carries it. */
export const AnswerDemands = later(() => z.strictObject(demandFields))
export type AnswerDemands = z.infer<typeof AnswerDemands>
