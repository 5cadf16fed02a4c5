// What an auditor reads beside what is asked by the table of operations: graph and catalog at a
// moment, from what an intent is derived again, and events as they come.
import { z } from 'zod'
import { CatalogFile } from '../catalog.ts'
import { GraphFile, RelationType } from '../graph.ts'
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

export const GraphQuery = z.strictObject({
  concept: z.string().max(256).optional(),
  /** How many steps around it. */
  steps: z.coerce.number().int().min(0).max(4).default(1),
  at: MomentText.optional(),
  /** Names that begin so, where no concept is named. */
  search: z.string().max(256).optional(),
  /** The part of the overview that has this name, where no concept is named. */
  part: z.string().max(256).optional(),
})

export const GraphAnswer = z.strictObject({
  position: LogPositions,
  revision: z.int(),
  /** How many concepts there are in all. */
  count: z.int(),
  graph: GraphFile,
  /** Whether more are within so many steps than are shown. */
  isCut: z.boolean(),
})
export type GraphAnswer = z.infer<typeof GraphAnswer>

export const OverviewQuery = z.strictObject({ at: MomentText.optional() })

/** A graph that is too large to draw, in parts. */
export const OverviewAnswer = z.strictObject({
  position: LogPositions,
  revision: z.int(),
  /** How many concepts there are in all. */
  count: z.int(),
  levels: z.array(z.strictObject({ level: z.int().nullable(), count: z.int() })),
  types: z.array(z.strictObject({ type: RelationType, count: z.int() })),
  parts: z.array(z.strictObject({ name: z.string(), count: z.int(), names: z.array(z.string()) })),
  /** Places in the list of parts. */
  links: z.array(z.strictObject({ from: z.int(), to: z.int(), count: z.int() })),
  /** How many are in no part that is listed. */
  apart: z.int(),
})
export type OverviewAnswer = z.infer<typeof OverviewAnswer>

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
