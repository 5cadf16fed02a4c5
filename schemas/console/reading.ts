// What an auditor reads beside what is asked by the table of operations: the catalog at a
// moment, from what an intent is derived again, and events as they come.
import { z } from 'zod'
import { CatalogFile } from '../catalog.ts'
import { Difference } from '../operations/reviews.ts'
import { NoteData } from '../people/said.ts'
import { OfCell, LogPositions } from './positions.ts'
import { SignedThat } from './signing.ts'

const Address = z.string().min(1).max(600)
/** A position, `c1.40` of a cell, `r12` for a revision, or a time. */
const MomentText = z.string().min(1).max(64)

/** The facts up to the last one about the intent, from which a browser derives it again. */
export const DeriveAnswer = z.strictObject({
  intent: Address,
  realm: z.string(),
  /** In their order, bytes as base64. */
  facts: z.array(
    z.strictObject({
      position: z.int(),
      name: z.string(),
      appendedAt: z.int(),
      bytes: z.string(),
    }),
  ),
  next: z.int().nullable(),
  ...OfCell,
})
export type DeriveAnswer = z.infer<typeof DeriveAnswer>

export const PageQuery = z.strictObject({
  from: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(1000),
})

export const CatalogQuery = z.strictObject({ at: MomentText.optional() })

export const CatalogShown = z.strictObject({
  position: LogPositions,
  revision: z.int(),
  catalog: CatalogFile,
})
export type CatalogShown = z.infer<typeof CatalogShown>

export const CompareQuery = z.strictObject({
  of: z.enum(['graph', 'catalog']),
  from: MomentText,
  to: MomentText.optional(),
})

export const CompareAnswer = z.strictObject({
  from: z.strictObject({ position: LogPositions, revision: z.int() }),
  to: z.strictObject({ position: LogPositions, revision: z.int() }),
  differences: z.array(Difference),
  isCut: z.boolean(),
})
export type CompareAnswer = z.infer<typeof CompareAnswer>

/** What a person notes about an intent, by its address, or about a position of a log. */
export const NoteBody = NoteData.pick({ about: true, text: true }).extend(OfCell)
export const NoteSubmit = z.strictObject({ ...NoteBody.shape, signed: SignedThat })

/** The data of one event; its id is where the page then is in every log. */
export const ConsoleEvent = z.strictObject({
  position: z.int(),
  kind: z.string(),
  name: z.string(),
  intent: Address.optional(),
  ...OfCell,
})
export type ConsoleEvent = z.infer<typeof ConsoleEvent>
