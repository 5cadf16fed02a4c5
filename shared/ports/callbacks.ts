// Policy callbacks: pure functions, called by name from a module that the catalog pins by digest.
import type { CallbackFault } from '#schemas/callbacks'

/** What a call came to; `answer` is whatever the function returned, not yet believed. */
export type CallbackOutcome =
  | { readonly answer: unknown; readonly recorded: boolean }
  | { readonly fault: CallbackFault; readonly recorded?: boolean }

export interface CallbackRun {
  /** On whose account: no agent may wait for the calls of another longer than for its turn. */
  readonly agent: string
  /** The digest of the module. */
  readonly module: string | null
  readonly name: string
  /** A JSON value; what the calls of one intent share they should share. */
  readonly context: unknown
}

export interface Callbacks {
  /**
   * Calls the named export of the module of that digest with the context. Must answer within
   * `callbackMsMax`, and must never throw: a module or name that is not there, an exception
   * and a hang are a `fault`, the same one on each run. A hang is `recorded`: it may not happen
   * again.
   */
  run(call: CallbackRun): Promise<CallbackOutcome>

  /** Whether the module of that digest is here, and is what was pinned. Must never throw. */
  has(module: string): Promise<boolean>

  close(): Promise<void>
}

/** What asking alone needs. */
export type CallbackRunner = Pick<Callbacks, 'run'>

/** After this many milliseconds a callback is killed. */
export const callbackMsMax = 1_000
