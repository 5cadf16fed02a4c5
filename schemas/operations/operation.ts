// What can be asked of a realm, as data: its name, who may ask, what it takes and what it answers.
// Every door is made from this, and none of it knows how the answer is found.
import { z } from 'zod'
import { LogPositions, PositionsText } from '../console/positions.ts'
import { later } from '../later.ts'

/**
 * `party`: anyone, about what is their own business; who may read all of the log, about all.
 * `auditor`: only who may read all of the log.
 */
export type AskedBy = 'party' | 'auditor'

export interface Operation {
  readonly name: string
  /** What it answers, as one line of help. */
  readonly title: string
  readonly who: AskedBy
  /** Below `/v1` and `/console/api`; what stands in braces is a member of the input. */
  readonly path: `/${string}`
  /** The words of the command. One with a member in its path is its argument’s. */
  readonly command: string
  /** What the tool of MCP is called; else by its name. */
  readonly tool?: string
  /** What an argument is by which a person may mean an intent: the end of an address will do. */
  readonly means?: 'intent'
  /** Whether its command prints the rows alone, one a line, as they come: it can be followed. */
  readonly lines?: true
  /** Whether it is answered from the state alone, and so can be asked of the past. */
  readonly ofState?: true
  readonly input: z.ZodObject
  /** A member that a later release adds is left out by who reads it. */
  readonly output: z.ZodType
  readonly examples: readonly string[]
}

/** As it is given: what the doors are made from is its type, too. */
export function operation<const O extends Operation>(of: O): O {
  return of
}

export const AnswerInstant = later(() => z.iso.datetime())

/** What each answer begins with: up to where the log was read, and the moment of the answer. */
export const answeredAt = {
  position: LogPositions.describe('Up to where the log was read, in each of its cells'),
  now: AnswerInstant,
}

/** By which a list is read page by page. */
export const paged = {
  cursor: PositionsText.optional().describe('`next` of the page before'),
  limit: z.int().min(1).max(1_000).default(50).describe('At most so many'),
}

/** A page of rows. */
export function rowsPage<Row extends z.ZodType>(row: Row, order: string) {
  return z.object({
    ...answeredAt,
    count: z.int().min(0).describe('How many there are, on all pages'),
    rows: z.array(row).describe(order),
    next: LogPositions.nullable().describe('`cursor` of the next page; null where there is none'),
  })
}

/** What any page has. */
export interface Page<Row> extends AnswerBegin {
  readonly count: number
  readonly rows: Row[]
  readonly next: LogPositions | null
}

export interface AnswerBegin {
  readonly position: LogPositions
  readonly now: string
}
