// What a door needs, and every other door that is mounted beside it: who calls, and the agent that
// acts in that principal's name. A door parses, asks for both, and renders; it decides nothing.
import type { Context } from 'hono'
import type { DoorAgent } from '#client/doors/door-agent'
import type { Runtime } from '#runtime/engine/runtime'

/** A principal that has proved who it is. */
export interface Caller {
  readonly principal: string
  /** Which of its credentials it was. */
  readonly credential: string
  /** Throws a Refusal where the credential does not count any more: asked after each wait. */
  stillGood(): Promise<void>
}

export interface Door {
  /** As the catalog assigns it in `via`. */
  readonly name: string
  readonly runtime: Runtime
  /** Where clients address it, without a slash at the end. */
  url(): string
  /** Throws a Refusal: 401 without a credential that counts, 429 where it comes too often. */
  callerOf(c: Context): Promise<Caller>
  /** Counts so many more requests of the caller. Throws a Refusal 429 where it comes too often. */
  charge(caller: Pick<Caller, 'principal'>, requests: number): void
  /** Throws a Fault `door_refused` where the catalog does not assign the door to the caller. */
  agentFor(caller: Caller): DoorAgent
  /** Throws the same where the caller may not even look at what is theirs, and answer by a key. */
  admit(caller: Caller): void
  /** Does it as one of the waits of which a caller may have so many. Throws a Refusal 429. */
  waiting<T>(caller: Caller, act: () => Promise<T>): Promise<T>
  /** Takes one of them until it is given back. */
  enter(caller: Caller): () => void
  /** Aborted when the server takes no more requests: waits and streams end. */
  readonly closing: AbortSignal
}
