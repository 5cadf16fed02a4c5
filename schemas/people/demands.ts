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

/** By what a person signs: the means that a confirmation may demand, lowest first. */
const SigningMeans = later(() => z.enum(['browser', 'key_file', 'passkey']))

/** What a review takes of an answer: by what it is signed, and a reason. */
export const Demands = later(() =>
  z.strictObject({
    signedWith: SigningMeans,
    /** How long one must be at least, in characters that count; 0 where none is needed. */
    reason: z.strictObject({ approving: z.int(), declining: z.int() }),
  }),
)
export type Demands = z.infer<typeof Demands>
