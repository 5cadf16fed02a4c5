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

export interface Timer {
  /** Runs it once, when at least that long has passed. The returned function calls it off. */
  after(delayMs: number, run: () => void): () => void
}
