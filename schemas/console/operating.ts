// What an operator looks at and does: workers and their lag, faults, open intents, and
// suspending an agent.
import { z } from 'zod'
import { OfCell, LogPositions, PositionsText } from './positions.ts'
import { WaitsFor } from './reviews.ts'
import { SignedThat } from './signing.ts'

const Instant = z.iso.datetime()
const Address = z.string().min(1).max(600)

/** A stage, and what waits for it. */
const WorkerRow = z.strictObject({
  stage: z.string(),
  /** When it last bound something; null where it has not since this server began. */
  lastAt: Instant.nullable(),
  /** How many open intents wait for it, and since when the oldest does. */
  waiting: z.int(),
  oldestAt: Instant.nullable(),
  ...OfCell,
})

export const WorkersAnswer = z.strictObject({
  position: LogPositions,
  /** Of the log; behind it by as much as the difference. */
  head: LogPositions,
  now: Instant,
  workers: z.array(WorkerRow),
  /** How many pages in browsers are sent events now. */
  watching: z.int(),
})
export type WorkersAnswer = z.infer<typeof WorkersAnswer>

export const OpenQuery = z.strictObject({
  /** `unanswerable`: only those that wait for people of whom too few can answer. */
  only: z.enum(['all', 'people', 'stages', 'unanswerable']).default('all'),
  /** `next` of the page before. */
  after: PositionsText.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

/** Why too few can answer: someone is suspended, has no key, or may not. */
export const Unanswerable = z.strictObject({
  needed: z.int(),
  can: z.array(z.string()),
  cannot: z.array(
    z.strictObject({ person: z.string(), why: z.enum(['unknown', 'suspended', 'no_key']) }),
  ),
})
export type Unanswerable = z.infer<typeof Unanswerable>

const OpenIntentRow = z.strictObject({
  intent: Address,
  position: z.int(),
  since: Instant,
  agent: z.string(),
  tool: z.string(),
  waits: WaitsFor,
  unanswerable: Unanswerable.nullable(),
  ...OfCell,
})

export const OpenAnswer = z.strictObject({
  position: LogPositions,
  now: Instant,
  /** How many are open, and how many of those no one can answer. */
  count: z.int(),
  unanswerable: z.int(),
  open: z.array(OpenIntentRow),
  next: LogPositions.nullable(),
})
export type OpenAnswer = z.infer<typeof OpenAnswer>

/** A job that a stage has set aside. */
const FaultRow = z.strictObject({
  /** Of the fault, and its name. */
  position: z.int(),
  name: z.string(),
  queue: z.string(),
  /** The fact that was the job, and the intent that it is about. */
  about: z.string(),
  intent: Address.nullable(),
  code: z.string(),
  message: z.string(),
  attempts: z.int(),
  appendedAt: Instant,
  /** Whether its intent has no verdict yet. */
  open: z.boolean(),
  ...OfCell,
})

export const FaultsAnswer = z.strictObject({ position: LogPositions, faults: z.array(FaultRow) })
export type FaultsAnswer = z.infer<typeof FaultsAnswer>

export const RetryBody = z.strictObject({ name: z.string().min(1).max(1024) })
export const RetryAnswer = z.strictObject({
  outcome: z.enum(['done', 'failed_again', 'nothing_to_do']),
})
export type RetryAnswer = z.infer<typeof RetryAnswer>

/** What `warrant doctor` finds, of the server and the log that it serves. */
export const FindingsAnswer = z.strictObject({
  /** When it looked; null where this server cannot. */
  at: Instant.nullable(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      about: z.string(),
      status: z.enum(['ok', 'warning', 'failure']),
      found: z.string(),
      fix: z.string().nullable(),
    }),
  ),
})
export type FindingsAnswer = z.infer<typeof FindingsAnswer>

export const SuspendBody = z.strictObject({ note: z.string().max(4000).optional() })
export const SuspendSubmit = z.strictObject({ ...SuspendBody.shape, signed: SignedThat })

export const ReinstateBody = z.strictObject({ reason: z.string().min(1).max(4_000) })
export const ReinstateSubmit = z.strictObject({ ...ReinstateBody.shape, signed: SignedThat })
