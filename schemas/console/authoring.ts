// What authors sign: rulings, and changes of graph and catalog with a preview.
import { z } from 'zod'
import { RevocationTarget } from '../action/revocation.ts'
import { CatalogOperation } from '../catalog.ts'
import { GraphOperation, Name, Primitive } from '../graph.ts'
import { Candidate, Release, RulingWord } from '../learning.ts'
import { LogPositions } from './positions.ts'
import { SignedThat, SigningAsked } from './signing.ts'

const Instant = z.iso.datetime()
const Note = z.string().max(4000)

export const RevokeBody = z.strictObject({
  /** Names in full, such as that of a verdict. */
  target: RevocationTarget,
  note: Note.optional(),
})
export const RevokeSubmit = z.strictObject({ ...RevokeBody.shape, signed: SignedThat })

export const RulingBody = z.strictObject({
  ruling: RulingWord,
  /** Of the proposal that the person saw. */
  digest: z.string().max(128),
  /** Of `modified`: what is to be known. */
  candidate: Candidate.optional(),
  /** Of `accepted`: the name of the suggestion. */
  suggestion: z.string().max(1024).optional(),
  releases: z.array(Release).max(256).optional(),
  note: Note.optional(),
})
export const RulingSubmit = z.strictObject({ ...RulingBody.shape, signed: SignedThat })

export const ChangeBody = z.discriminatedUnion('of', [
  z.strictObject({
    of: z.literal('graph'),
    operations: z.array(GraphOperation).min(1).max(500),
    note: Note.optional(),
  }),
  z.strictObject({
    of: z.literal('catalog'),
    operations: z.array(CatalogOperation).min(1).max(500),
    note: Note.optional(),
  }),
])
export type ChangeBody = z.infer<typeof ChangeBody>

export const PreparedChange = z.strictObject({
  toSign: SigningAsked,
  /** When it was drawn up, which it says of itself. */
  at: Instant,
  /** The revision that it would be. */
  revision: z.int(),
})
export type PreparedChange = z.infer<typeof PreparedChange>

export const ChangeSubmit = z.strictObject({
  change: ChangeBody,
  at: Instant,
  signed: SignedThat,
})

/** Concepts as they stand, so that a change can be shown against them. */
export const ConceptsBody = z.strictObject({ names: z.array(Name).min(1).max(500) })

export const ConceptsAnswer = z.strictObject({
  position: z.int(),
  revision: z.int(),
  /** Those that there are, each once. */
  primitives: z.array(Primitive),
})
export type ConceptsAnswer = z.infer<typeof ConceptsAnswer>

/** What would come out otherwise: of the last intents, of those that are held, and of reviews. */
export const WhatIfAnswer = z.strictObject({
  position: LogPositions,
  tried: z.int(),
  unable: z.int(),
  /** Of how many no one can know. */
  unsure: z.int(),
  /** From the first to the last of them. */
  spanMs: z.number(),
  flips: z.array(z.unknown()),
  /** How many more turn than are listed. */
  more: z.int(),
  held: z.array(z.unknown()),
  reviews: z.array(z.unknown()),
})
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>

export const ConditionBody = z.strictObject({
  /** In CEL. */
  when: z.string().max(2000),
  /** Of whose arguments it may speak; absent where of any. */
  capability: z.string().max(256).optional(),
})
export const ConditionAnswer = z.strictObject({
  problem: z.strictObject({ message: z.string(), offset: z.int() }).nullable(),
})
export type ConditionAnswer = z.infer<typeof ConditionAnswer>

/** What would be signed, for every act that has nothing more to show. */
export const Prepared = z.strictObject({ toSign: SigningAsked })
export type Prepared = z.infer<typeof Prepared>
