// What one person has answered lately: enough to judge whether one more answer may count by itself.

export interface AnsweredLately {
  /** When the latest answers that count were appended, oldest first. */
  readonly times: readonly number[]
  /** The reviews that this person last answered together, by name; empty where none were. */
  readonly batch: readonly string[]
}

export const nothingAnswered: AnsweredLately = { times: [], batch: [] }

/** As many as a catalog may allow a day. */
const timesKeptMax = 1_000
const dayMs = 86_400_000

/** Whether that many answers came within the 24 hours before. */
export function isBeyond({ times }: AnsweredLately, perDay: number, at: number): boolean {
  const blocking = times.at(-perDay)
  return blocking !== undefined && blocking + dayMs > at
}

/** How many more of that many count one by one now; where none does, from when one does again. */
export function answersLeft(
  { times }: AnsweredLately,
  perDay: number,
  at: number,
): { readonly left: number; readonly nextAt: number | null } {
  const left = Math.max(0, perDay - times.filter((time) => time + dayMs > at).length)
  const blocking = times.at(-perDay)
  return { left, nextAt: left > 0 || blocking === undefined ? null : blocking + dayMs }
}

export function withAnswer(
  { times, batch }: AnsweredLately,
  at: number,
  together: readonly string[] | null,
): AnsweredLately {
  return { times: [...times.slice(1 - timesKeptMax), at], batch: together ?? batch }
}

export function isSameBatch(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}
