// Results of tools behind handles: kept whole until they expire, for those alone who may have some
// of them. A store decides nothing: who may see what is judged where a handle is expanded.
import type { WrittenJson } from '#rules/drivers/written-json'
import type { Json } from '#record/canonical'

export interface ResultToKeep {
  /** The address of the intent that it came of. */
  readonly intent: string
  /** The principal whose result it is. */
  readonly owner: string
  readonly capability: string
  readonly value: Json | WrittenJson
  /** Milliseconds since 1970; from then on it is gone. */
  readonly expiresAt: number
  /** By which it is found again: what was kept under it before goes. */
  readonly name?: string
}

export interface KeptResult extends Omit<ResultToKeep, 'value' | 'name'> {
  readonly id: string
  /** The value, as JSON: who needs it reads it, and a large one apart. */
  readonly json: Uint8Array
}

export interface ResultLimits {
  readonly resultsMax: number
  /** Of all together, as they are kept. */
  readonly bytesMax: number
  readonly resultBytesMax: number
  /** Of those of one owner together: beyond it, the oldest of that owner go. */
  readonly ownerBytesMax: number
}

const mebibyte = 1024 * 1024

export const resultLimits: ResultLimits = {
  resultsMax: 10_000,
  bytesMax: 1024 * mebibyte,
  resultBytesMax: 20 * mebibyte,
  ownerBytesMax: 256 * mebibyte,
}

/**
 * What every store promises; `test/gateway/results/conformance.ts` has a case for each.
 *
 * - `put` returns an id that no one can guess, and what it kept is there when it has returned.
 * - `get` returns what was put, or null for an id that it does not know and for one that has
 *   expired, at the very moment that it does. An id may be any text.
 * - A result that expired leaves the store, and makes room.
 * - `idOf` returns the id of what is kept under a name; no one guesses it without the store.
 * - `ids` returns those of all that it holds, and `remove` takes one out, if it is there.
 * - `put` throws a Fault `result_too_large`, or `results_full` where no more fit. One owner's
 *   results never push out another's: beyond `ownerBytesMax` the owner's own oldest go.
 * - `get` throws a Fault `result_unreadable` for what was changed since, and never returns it.
 * - What is kept outlives the process, except in memory. Several processes may open one folder:
 *   each finds what was there when it opened it, and keeps what it puts itself.
 */
export interface ResultStore {
  put(result: ResultToKeep): Promise<{ readonly id: string }>
  get(id: string): Promise<KeptResult | null>
  idOf(name: string): string
  ids(): readonly string[]
  remove(id: string): Promise<void>
  close(): Promise<void>
}
