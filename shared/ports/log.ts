// The log: a total order of facts in which every name is bound at most once. Each sentence below
// is a case of the conformance suite that every adapter passes as it stands.

/** What is given to the log: a name and the fact's exact bytes. */
export interface Entry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What the log gives back: the entry, and what only the log may say of it. */
export interface Fact extends Entry {
  /** 1 for the first fact; each next fact has the next integer. */
  readonly position: number
  /** Milliseconds since 1970 by the log's clock; never smaller than that of an earlier position. */
  readonly appendedAt: number
}

/** `appended` tells whether this call bound the name; if not, `fact` is the one that had. */
export interface Appended {
  readonly appended: boolean
  readonly fact: Fact
}

/** Both ends belong to the range; absent means the first and the last fact. */
export interface Range {
  readonly from?: number
  readonly to?: number
}

/** One job of a queue. It must be ended by `done` or `retry`; a job of a dead worker comes again. */
export interface Job {
  readonly fact: Fact
  /** 1 for the first delivery. */
  readonly attempt: number
  /** Ends the job for ever. May be lost with the process, and then the job comes again. */
  done(): Promise<void>
  /** Gives the job back, to come again after at least this many milliseconds. It holds up no other. */
  retry(delayMs: number): Promise<void>
}

export interface Log {
  /**
   * Must resolve only when the fact is durable. Of many concurrent appends of one name exactly one
   * has `appended: true`, and all others get that fact. An append must never replace or remove a fact.
   * A name that is not one (`#core/names`) or an entry over `entryBytesMax` is refused
   * with `Fault('entry_invalid', 'never')`, and nothing is stored.
   */
  append(entry: Entry): Promise<Appended>

  /** The fact of that name, or undefined: asked of whoever decides, never of a stale copy. */
  get(name: string): Promise<Fact | undefined>

  /**
   * The facts of the range in order of position; with `names`, only those that one of the patterns
   * covers. A pattern is a name whose tokens may be `*` (one token), and whose last may be `>` (one or more).
   */
  read(range: Range, names?: readonly string[]): AsyncIterable<Fact>

  /**
   * Every fact from that position on, in order, without loss or repeat, and then each new one soon after
   * it is durable, whoever appended it. Ends when the signal aborts, and not before.
   */
  follow(from: number, signal: AbortSignal): AsyncIterable<Fact>

  /**
   * Jobs: one for each fact that the patterns cover, oldest first, each to one of the workers of that
   * queue at a time, at least once. At most `inFlightMax` are out at this worker. Ends when the signal aborts; what is
   * still out may then be ended, or comes again to another worker.
   */
  work(
    queue: string,
    names: readonly string[],
    options: { readonly inFlightMax: number; readonly signal: AbortSignal },
  ): AsyncIterable<Job>

  /** The last position and its time; position 0 for an empty log. Asked of whoever decides. */
  head(): Promise<{ readonly position: number; readonly appendedAt: number }>

  /** Ends followers and workers, waits for appends under way, and lets go of the store. */
  close(): Promise<void>
}

/** Bytes of one entry: the limit that a JetStream message has here (`max_msg_size`). */
export const entryBytesMax = 262_144
