// Identifiers of messages, as a promise: a simulation hands out its own.

export interface Ids {
  /** A ULID, greater than all that this source has given before. */
  next(now: number): string
}
