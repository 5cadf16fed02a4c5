// What people say at a console beside their answers: which browser signs for them, whom they ask to
// look, and that they are away.
import { z } from 'zod'
import { PublicKeyText } from '../people/principal.ts'
import { LogPositions } from './positions.ts'
import { SignedThat } from './signing.ts'

const Instant = z.iso.datetime()
const Person = z.string().min(1).max(256)
const Note = z.string().max(4000)

/** The keys of browsers that sign for the person who asks. */
export const BrowsersAnswer = z.strictObject({
  position: LogPositions,
  now: Instant,
  browsers: z.array(
    z.strictObject({
      name: z.string(),
      position: z.int(),
      enrolledAt: Instant,
      key: PublicKeyText,
      label: z.string().nullable(),
      until: Instant,
    }),
  ),
})
export type BrowsersAnswer = z.infer<typeof BrowsersAnswer>

export const EnrolBody = z.strictObject({
  key: PublicKeyText,
  /** Its last moment; at most seven days from now. Null ends it now. */
  until: Instant.nullable(),
  label: z.string().min(1).max(64).optional(),
})
export type EnrolBody = z.infer<typeof EnrolBody>

export const EnrolSubmit = z.strictObject({ ...EnrolBody.shape, signed: SignedThat })

export const HandoverBody = z.strictObject({ to: Person, note: Note.optional() })
export type HandoverBody = z.infer<typeof HandoverBody>

export const HandoverSubmit = z.strictObject({ ...HandoverBody.shape, signed: SignedThat })

/** Whether the person who asks is away, and for whom they answer. */
export const AbsenceAnswer = z.strictObject({
  position: LogPositions,
  now: Instant,
  /** Null for one who is here. */
  own: z
    .strictObject({ deputy: Person, since: Instant, until: Instant, note: Note.nullable() })
    .nullable(),
  /** Of whom they are the deputy, be it that the absence counts now. */
  standsIn: z.array(z.strictObject({ for: Person, until: Instant, note: Note.nullable() })),
  /** Who could be the deputy: those of the same groups. Any other person of the catalog may be. */
  fellows: z.array(Person),
})
export type AbsenceAnswer = z.infer<typeof AbsenceAnswer>

const absence = {
  /** Null, as the end is, for one who is back. */
  deputy: Person.nullable(),
  until: Instant.nullable(),
  note: Note.optional(),
}

const isWhole = ({ deputy, until }: { deputy: string | null; until: string | null }): boolean =>
  (deputy === null) === (until === null)

export const AbsenceBody = z.strictObject(absence).refine(isWhole)
export type AbsenceBody = z.infer<typeof AbsenceBody>

export const AbsenceSubmit = z.strictObject({ ...absence, signed: SignedThat }).refine(isWhole)
