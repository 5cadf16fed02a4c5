// The words of an era's beginning. Golden logs are read by these for ever, too.
import { z } from 'zod'
import { Digest, Position, KeySignature } from './values.ts'
import { later } from './later.ts'

/** The chain of digests over the pieces of a text, and how many they are. */
const Chain = later(() => z.strictObject({ parts: z.int().min(1), digest: Digest }))

/**
 * What an era opens with: a policy admin seals the era before, the state as it was then follows in
 * chunks, then the signed change sets that its catalog came from, and a policy admin signs for all
 * of them. Only then has it begun.
 */
export const SnapshotData = later(() =>
  z.discriminatedUnion('step', [
    z.strictObject({
      step: z.literal('seal'),
      /** The era that ends here. */
      seals: z.int().min(1),
      by: z.string(),
      signature: KeySignature,
    }),
    z.strictObject({
      step: z.literal('chunk'),
      /** From 1. */
      part: z.int().min(1),
      /** The chain of digests up to the chunk before; that of no text for the first. */
      after: Digest,
      text: z.string().min(1),
    }),
    z.strictObject({
      step: z.literal('catalogs'),
      /** From 1. */
      part: z.int().min(1),
      after: Digest,
      /** Of the change sets of the catalog, as they were bound, from the one of the root key on. */
      text: z.string().min(1),
    }),
    z.strictObject({
      step: z.literal('end'),
      by: z.string(),
      /** Up to which position the state was folded: that of the seal. */
      position: Position,
      parts: z.int().min(1),
      /** The chain of digests over all chunks. */
      digest: Digest,
      /** What shows, without the eras before, that the root key let this key sign. */
      catalogs: Chain.optional(),
      /**
       * Whether the log's clock is set back here: what counts from then on counts by the new one.
       */
      resetsClock: z.literal(true).optional(),
      signature: KeySignature,
    }),
  ]),
)
export type SnapshotData = z.infer<typeof SnapshotData>
