// What an operator looks at and does: workers and their lag, faults, and suspending an agent.
import { z } from 'zod'
import { OfCell, LogPositions } from './positions.ts'
import { SignedThat } from './signing.ts'

const Instant = z.iso.datetime()

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

/** Lifts each block up to that position, which is the last that the person has seen. */
export const UnblockBody = z.strictObject({
  through: z.int().min(1),
  note: z.string().max(4_000).optional(),
})
export const UnblockSubmit = z.strictObject({ ...UnblockBody.shape, signed: SignedThat })
