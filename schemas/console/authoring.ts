// What authors read and sign: proposals, grants, changes of graph and catalog with a preview, notes,
// and who stands in for whom.
import { z } from 'zod'
import { GrantData } from '../action/grant.ts'
import { CatalogOperation } from '../catalog.ts'
import { GraphOperation } from '../graph.ts'
import { SignedThat, SigningAsked } from './signing.ts'

const Instant = z.iso.datetime()
const Person = z.string().min(1).max(256)
const Note = z.string().max(4000)

export const GrantListed = z.strictObject({
  name: z.string(),
  id: z.string(),
  position: z.int(),
  grant: GrantData.omit({ signature: true }),
  taken: z.int(),
  state: z.enum(['open', 'used_up', 'ended', 'revoked']),
})

export const GrantsAnswer = z.strictObject({
  position: z.int(),
  now: Instant,
  grants: z.array(GrantListed),
})
export type GrantsAnswer = z.infer<typeof GrantsAnswer>

export const RevokeBody = z.strictObject({
  /** The name of a grant, or the address of an intent whose warrant is taken back. */
  of: z.string().min(1).max(1024),
  note: Note.optional(),
})
export const RevokeSubmit = z.strictObject({ ...RevokeBody.shape, signed: SignedThat })

export const ProposalsAnswer = z.strictObject({
  position: z.int(),
  proposals: z.array(
    z.strictObject({
      name: z.string(),
      position: z.int(),
      /** The candidate for the graph, as the fact has it. */
      data: z.json(),
      /** Held intents that wait for it, with what they would do. */
      releases: z.json(),
    }),
  ),
})
export type ProposalsAnswer = z.infer<typeof ProposalsAnswer>

export const RulingBody = z.strictObject({
  outcome: z.enum(['accept', 'reject', 'skip']),
  /** Of an edited candidate. */
  candidate: z.json().optional(),
  releases: z.array(z.string().max(600)).max(256).optional(),
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

/** Which verdicts of the last days would have come out otherwise. */
export const WhatIfAnswer = z.strictObject({
  position: z.int(),
  since: Instant,
  considered: z.int(),
  flips: z.array(
    z.strictObject({
      intent: z.string(),
      tool: z.string().nullable(),
      was: z.string(),
      would: z.string(),
      reasons: z.array(z.json()),
    }),
  ),
  untold: z.int(),
})
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>

export const ConditionBody = z.strictObject({
  /** In CEL. */
  when: z.string().max(2000),
  /** Of whose arguments it may speak; absent where of any. */
  capability: z.string().max(256).optional(),
})
export const ConditionAnswer = z.strictObject({
  problem: z.strictObject({ message: z.string(), offset: z.int().nullable() }).nullable(),
})

export const NoteBody = z.strictObject({
  /** The address of an intent, or the name of a fact. */
  about: z.string().min(1).max(1024),
  text: z.string().min(1).max(4000),
})
export const NoteSubmit = z.strictObject({ ...NoteBody.shape, signed: SignedThat })

export const AbsenceBody = z.strictObject({
  deputy: Person,
  until: Instant,
  note: Note.optional(),
})
export const AbsenceSubmit = z.strictObject({ ...AbsenceBody.shape, signed: SignedThat })

/** What would be signed, for every act that has nothing more to show. */
export const Prepared = z.strictObject({ toSign: SigningAsked })
export type Prepared = z.infer<typeof Prepared>
