// A dense sequence of names (`graph.1`, `graph.2`, …): which number comes next. Numbers that junk
// has used are stepped over, so that junk can waste a name and never stop the sequence.

export interface Sequence {
  /** The next number that may be bound. */
  readonly next: number
  /** Numbers after `next` that are used already. */
  readonly used: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()

export const newSequence: Sequence = { next: 1, used: none }

/** Whether a fact of that number continues the sequence; one out of turn is void. */
export function continues(sequence: Sequence, number: number): boolean {
  return number === sequence.next
}

/** The sequence after that number was bound, no matter by whom. */
export function take(sequence: Sequence, number: number): Sequence {
  if (number < sequence.next) return sequence
  if (number > sequence.next)
    return { next: sequence.next, used: new Set(sequence.used).add(number) }
  if (sequence.used.size === 0) return { next: number + 1, used: none }
  const used = new Set(sequence.used)
  let next = number + 1
  while (used.delete(next)) next += 1
  return { next, used }
}

const numberPattern = /^[1-9][0-9]{0,14}$/

/** The number that a token spells, or null. */
export function numberOf(token: string | undefined): number | null {
  return token !== undefined && numberPattern.test(token) ? Number(token) : null
}

/** Numbers that were bound before their era began, by era and sequence: `2 rate.bot.look`. */
export type Early = Map<string, ReadonlySet<number>>
