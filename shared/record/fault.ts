// What goes wrong that is not a decision: the environment (`Fault`), or our own code (`assert`).
import { faultEntry, type FaultCode } from '#schemas/faults/registry'
import type { Retry } from '#schemas/faults/entry'

export class Fault extends Error {
  readonly code: FaultCode
  /** As the registry says of the code, if the throw does not know better. */
  readonly retry: Retry

  constructor(
    code: FaultCode,
    message: string,
    { retry, ...options }: { readonly cause?: unknown; readonly retry?: Retry } = {},
  ) {
    super(message, options)
    this.name = 'Fault'
    this.code = code
    this.retry = retry ?? faultEntry(code).retry
  }
}

/** Throws when we broke: the worker stops, and no verdict means no action. */
export function assert(claim: boolean, what: string): asserts claim {
  if (!claim) throw new Error(`broken invariant: ${what}`)
}

/** Ends a `switch` over a union, so that a new member stops the build. */
export function unreachable(member: never): never {
  throw new Error(`broken invariant: unexpected ${JSON.stringify(member)}`)
}
