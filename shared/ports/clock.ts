// Time as two promises. Nothing but their adapters may ask the machine for the time, so that a
// simulation can own it.

export interface Clock {
  /** Milliseconds since 1970, whole. May step back; a caller that must not see that handles it. */
  now(): number
  /**
   * Milliseconds since some moment, as they pass: whatever the clock is set to, it goes on. Absent
   * where `now` is all there is.
   */
  readonly elapsed?: () => number
}

/** How long this machine has run, suspended or not, whatever its clock is set to. */
export interface Uptime {
  /** Which start of the machine that is; another at each. */
  readonly boot: string
  /** Whole milliseconds since then. */
  readonly ms: number
}

export interface Timer {
  /** Runs it once, when at least that long has passed. The returned function calls it off. */
  after(delayMs: number, run: () => void): () => void
}
