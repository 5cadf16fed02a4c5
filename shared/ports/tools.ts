// Drivers: what carries out a call that was allowed, and nothing else. A driver decides nothing; it
// must never do more, or other than, what the catalog and the judged arguments come to.
import type { ToRead } from '#rules/drivers/answer-reading'
import type { ResultValue } from '#rules/drivers/written-json'
import type { ReadApart } from './framing.ts'
import type { Capability, JsonObject, JsonValue } from '#schemas/catalog'
import type { Driver, ToolServer } from '#schemas/action/driver'

export { ToolFailure } from '#rules/drivers/tool-failure'

export type DriverKind = Driver['kind']

/** How many bytes of what a tool wrote a failure repeats. */
export const failureTextBytesMax = 512
/** How large a result may be where the capability does not limit it. */
export const resultBytesMax = 16 * 1024 * 1024
/** How large it may be whatever the capability says: a frame must be made of it, in one memory. */
export const anyResultBytesMax = 64 * 1024 * 1024

export interface ToolCall {
  /** As the catalog has it: which operation runs is there, and never in `args`. */
  readonly capability: Capability
  /** Of an `mcp` driver. */
  readonly server: ToolServer | null
  /** The judged arguments, with defaults. Constraints are not among them. */
  readonly args: JsonObject
  /** The idempotency key: the same for each attempt of one call. */
  readonly key: string
  /** The one deadline, and cancellation. */
  readonly signal: AbortSignal
  /** Takes each part of a result that streams, in order. */
  readonly onPart?: (part: JsonValue) => void
  /** Reads answers that are large, apart; absent: they are read where the driver runs. */
  readonly readApart?: (given: ToRead) => Promise<ReadApart | null>
}

export interface DriverResult {
  readonly value: ResultValue
  /** As the tool sent it. */
  readonly bytes: number
}

/**
 * What every driver promises; `test/gateway/tools/driver-conformance.ts` has a case for each.
 *
 * - It must run the operation that the capability names. An argument called `operation`, `tool`,
 *   `method`, `url` or `command` is an argument, and changes none of these.
 * - It must pass on the judged arguments, all of them and no others. What a template names and is
 *   absent, and what nothing would send, is a failure with `happened` `no`.
 * - A value must stay a value: it never becomes a path, a query, a header, an option, a further
 *   word of a command, or a reference to a secret.
 * - It must throw `ToolFailure` and nothing else. `happened` is `no` only where surely nothing was
 *   done, `unknown` where it cannot be known, and `yes` where the tool answered with an error.
 * - It must settle soon after `signal` aborts, whatever the tool does, and must leave nothing
 *   running that it started for this call alone.
 * - A call whose `signal` had aborted before must do nothing.
 * - It must stop reading once a result is larger than `bytesMax` of the capability, or than
 *   `resultBytesMax` where it has none, and in any case than `anyResultBytesMax`.
 * - A result of more values than `valuesMax` of the capability, or than `resultValuesMax`, is a
 *   failure, and is found to be one before a value of each was made.
 * - It must attempt a call once. Trying again is up to the caller.
 * - A secret must never stand in what it returns, streams, throws or describes, in any spelling
 *   that `scrub` knows.
 * - `describe` must do nothing, and must name secrets by reference. It throws as `run` would where
 *   the arguments do not fit.
 * - After `close` nothing that it started is left, and a call fails with `happened` `no`.
 */
export interface ToolDriver {
  readonly kind: DriverKind
  /** What it would do, without doing it and without secrets. */
  describe(call: ToolCall): JsonValue
  run(call: ToolCall): Promise<DriverResult>
  close(): Promise<void>
}
