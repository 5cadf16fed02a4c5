// What the reply subject of a delivered message says of it: so it is read once, and no more of it
// than is needed. The driver takes it apart for each question.

export interface DeliveredAs {
  readonly position: number
  /** Milliseconds since 1970 by the server's clock, rounded down. */
  readonly appendedAt: number
  readonly attempt: number
}

/**
 * `$JS.ACK.<stream>.<queue>.<attempt>.<position>.<…>.<ns>` and more, or the same behind a domain
 * and the hash of an account; null for another subject.
 */
export function deliveredAs(reply: string): DeliveredAs | null {
  const tokens = reply.split('.')
  const first = tokens.length === 9 ? 4 : 6
  if (tokens.length < 9 || tokens[0] !== '$JS' || tokens[1] !== 'ACK') return null
  return {
    attempt: Number(tokens[first]),
    position: Number(tokens[first + 1]),
    // A number would round nanoseconds, and so now and then a millisecond.
    appendedAt: Number(tokens[first + 3]?.slice(0, -6)),
  }
}
