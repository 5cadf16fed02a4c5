// What people say beside their answers: which browser answers for them, who is to look instead,
// that they are away, and what they note. Golden logs are read by these for ever.
import { z } from 'zod'
import { IntentRef, PasskeySignature, Position, Signature } from '../values.ts'
import { PublicKeyText } from './principal.ts'
import { later } from '../later.ts'

const Instant = later(() => z.iso.datetime({ offset: true }))
const Note = later(() => z.string().max(4000))

/**
 * The key of a browser, enrolled by a passkey: until then its answers are that person's. Null ends
 * it at once.
 */
export const EnrolmentData = later(() =>
  z.strictObject({
    confirmer: z.string(),
    key: PublicKeyText,
    until: Instant.nullable(),
    /** What its owner calls it. */
    label: z.string().min(1).max(64).optional(),
    signature: PasskeySignature.optional(),
  }),
)
export type EnrolmentData = z.infer<typeof EnrolmentData>

/** One who may answer a review asks another who may to look at it. It gives no right to anyone. */
export const HandoverData = later(() =>
  z.strictObject({
    intent: IntentRef,
    review: z.string(),
    confirmer: z.string(),
    to: z.string(),
    note: Note.optional(),
    signature: Signature.optional(),
  }),
)
export type HandoverData = z.infer<typeof HandoverData>

function bothAre(type: string) {
  return { properties: { deputy: { type }, until: { type } } }
}

/** Someone is away until then, and the deputy may answer meanwhile; null for both: is back. */
export const AbsenceData = later(() =>
  z
    .strictObject({
      confirmer: z.string(),
      deputy: z.string().nullable(),
      until: Instant.nullable(),
      note: Note.optional(),
      signature: Signature.optional(),
    })
    .refine(({ deputy, until }) => (deputy === null) === (until === null), {
      message: 'an absence has a deputy and an end, and a return neither',
    })
    // The same for who reads the JSON Schema, which has no refinements.
    .meta({ oneOf: [bothAre('string'), bothAre('null')] }),
)
export type AbsenceData = z.infer<typeof AbsenceData>

/** What a person notes about an intent, or about a position of the log. */
export const NoteData = later(() =>
  z.strictObject({
    by: z.string(),
    about: z.union([
      /** Its address. */
      z.strictObject({ intent: z.string().max(600) }),
      z.strictObject({ position: Position }),
    ]),
    text: z.string().min(1).max(4000),
    signature: Signature.optional(),
  }),
)
export type NoteData = z.infer<typeof NoteData>
