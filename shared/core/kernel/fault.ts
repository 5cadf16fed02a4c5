// What goes wrong that is no decision: the world broke (`Fault`), or we did (`assert`).

/** Whether trying the same again can help. */
export type Retry = 'never' | 'soon'

export class Fault extends Error {
  readonly code: string
  readonly retry: Retry

  constructor(code: string, retry: Retry, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Fault'
    this.code = code
    this.retry = retry
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
