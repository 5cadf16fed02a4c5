// The log: a total order of facts in which every name is bound at most once. Each sentence below
// is a case of the conformance suite that every adapter passes as it stands.

/**
 * What is given to the log: a name and the fact's exact bytes. From the call on no one may change
 * those bytes, nor those of a fact: readers in the same process share them.
 */
export interface Entry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What the log gives back: the entry, and what only the log may say of it. */
export interface Fact extends Entry {
  /** 1 for the first fact; each next fact has the next integer. */
  readonly position: number
  /**
   * Milliseconds since 1970 by the log's clock; never smaller than that of an earlier position,
   * unless an append in between was asked to reset it.
   */
  readonly appendedAt: number
}

export interface AppendOptions {
  /**
   * What happens where this machine's clock stamps, and is too far behind the last fact: without it
   * the append is refused; `keep` stamps it as the last fact is, and `reset` as the clock says. A
   * server's clock stamps alone.
   */
  readonly behind?: 'keep' | 'reset'
  /** The caller reads no time: `appendedAt` may then be 0 where it would have to be asked for. */
  readonly untimed?: boolean
}

/** `appended` shows whether this call bound the name; if not, `fact` is the one that had. */
export interface Appended {
  readonly appended: boolean
  readonly fact: Fact
}

export interface Head {
  /** 0 for an empty log. */
  readonly position: number
  /** When that fact was appended. */
  readonly appendedAt: number
  /** What the log's own clock said when it was asked, where that is not this machine's. */
  readonly now?: number
  /** The latest that it can be now, where this machine's clock is so far ahead that it counts. */
  readonly latest?: number
}

/** Both ends belong to the range; absent means the first and the last fact. */
export interface Range {
  readonly from?: number
  readonly to?: number
}

/**
 * One job of a queue. It must be ended by `done` or `retry`; a job of a dead worker is redelivered.
 */
export interface Job {
  readonly fact: Fact
  /** 1 for the first delivery. */
  readonly attempt: number
  /** Ends the job for ever. May be lost with the process, and then the job is redelivered. */
  done(): Promise<void>
  /**
   * Gives the job back, to be redelivered after at least this many milliseconds, perhaps to another
   * worker. It holds up no other. Once a job is ended, ending it again does nothing.
   */
  retry(delayMs: number): Promise<void>
}

export interface WorkOptions {
  readonly inFlightMax: number
  /** If not said, nothing is claimed in advance. */
  readonly reachMax?: number
  readonly signal: AbortSignal
}

/** What comes one after the other. */
export interface Arriving<T> extends AsyncIterable<T> {
  /** The next one where it is here already; undefined where it has to be waited for. */
  ready?(): T | undefined
}

export interface LogReader {
  /** The fact of that name, or undefined: asked of the leader, never of a stale copy. */
  get(name: string): Promise<Fact | undefined>

  /**
   * The facts of the range in order of position, up to the last that is there when reading begins;
   * with `names`, only those that one of the patterns (`#record/pattern`) covers, each once. A text
   * that is no pattern is refused with `Fault('pattern_invalid', 'never')`.
   */
  read(range: Range, names?: readonly string[]): AsyncIterable<Fact>

  /** Where the log ends. Asked of the leader. */
  head(): Promise<Head>
}

export interface LogFollower {
  /**
   * Every fact from that position on, in order, without loss or repeat, and then each new one soon
   * after it is durable, no matter who appended it. Ends when the signal aborts or the log is
   * closed, and not before.
   */
  follow(from: number, signal: AbortSignal): Arriving<Fact>
}

export interface LogAppender {
  /**
   * Must resolve only when the fact is durable. Of many concurrent appends of one name exactly one
   * has `appended: true`, and all others get that fact. It must never replace or remove a fact. A
   * name that is not one (`#record/names`) or an entry over `entryBytesMax` is refused with
   * `Fault('entry_invalid', 'never')`, nothing of it is stored, and no other append fails with it.
   * Where this machine's clock stamps facts, one that is too far behind the last fact or ahead of
   * it is refused with `Fault('clock_behind', 'soon')` or `Fault('clock_ahead', 'soon')`, and
   * nothing is stored; a name that is bound is still found so. After any other fault the fact may
   * be in the log or not: the same append shows.
   */
  append(entry: Entry, options?: AppendOptions): Promise<Appended>
}

export interface JobQueue {
  /**
   * Jobs: one for each fact that the patterns cover, whenever it was appended, oldest first, each
   * to one of the workers of that queue at a time, at least once. At most `inFlightMax` are out at
   * this worker. A log that has its jobs at hand may claim `reachMax` in advance, and then gives
   * those that it has in turns over their agents, of each the oldest first. New jobs and those that
   * are redelivered must not keep each other away. Ends when the signal aborts or the log is
   * closed; jobs that no one has seen yet then go to others at once, and what is still out may be
   * ended, or is redelivered to another worker once the log is closed. The name of a queue is a
   * token (else `Fault('queue_invalid', 'never')`), and all its workers give the same patterns, in
   * any order: who gives others is refused with `Fault('queue_differs', 'never')`, or facts would
   * be passed over in silence.
   */
  work(queue: string, names: readonly string[], options: WorkOptions): Arriving<Job>
}

/** A closed log refuses every use, jobs included, with `Fault('log_closed', 'never')`. */
export interface Log extends LogReader, LogFollower, LogAppender, JobQueue {
  /** Ends followers and workers, waits for appends under way, and releases the store. */
  close(): Promise<void>
}

/** Bytes of one entry: the limit that a JetStream message has here (`max_msg_size`). */
export const entryBytesMax = 262_144
