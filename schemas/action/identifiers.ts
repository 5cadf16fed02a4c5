// What a gateway publishes of a result in place of the result: what stood in it, as digests.
import { z } from 'zod'
import { Digest, ValueKind } from '../values.ts'
import { later } from '../later.ts'

export const identifierLimits = {
  /** Of one message. */
  identifiersMax: 2_000,
  /** Of its payload as JSON, in bytes. */
  bytesMax: 128 * 1024,
}

/** A value that stood in a result. */
const SaidIdentifier = later(() =>
  z.strictObject({
    kind: ValueKind,
    /** JSON pointer into the result. */
    pointer: z.string().max(2_000),
    /** Over the salt, the kind, and the value in the form in which its kind is compared. */
    digest: Digest,
    /** Whether others than the user and the tool can have written it. */
    untrusted: z.literal(true).optional(),
  }),
)
export type SaidIdentifier = z.infer<typeof SaidIdentifier>

/** The members of such a payload that known values read. */
export const SaidIdentifiers = later(() =>
  z.looseObject({
    /** Random, of this message alone. */
    salt: z.string().regex(/^[A-Za-z0-9_-]{22,86}$/),
    identifiers: z.array(SaidIdentifier).max(identifierLimits.identifiersMax),
    /** The result held more: a value that is not listed may have stood in it. */
    incomplete: z.literal(true).optional(),
  }),
)
