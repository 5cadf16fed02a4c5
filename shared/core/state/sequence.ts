// A dense series of names (`graph.1`, `graph.2`, …): which number comes next. Numbers that junk has
// spent are stepped over, so that junk can waste a name and never stop the series.

export interface Series {
  /** The next number that may be bound. */
  readonly next: number
  /** Numbers after `next` that are spent already. */
  readonly spent: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()

export const newSeries: Series = { next: 1, spent: none }

/** Whether a fact of that number continues the series; one out of turn is void. */
export function continues(series: Series, number: number): boolean {
  return number === series.next
}

/** The series after that number was bound, by whomever. */
export function spend(series: Series, number: number): Series {
  if (number < series.next) return series
  if (number > series.next) return { next: series.next, spent: new Set(series.spent).add(number) }
  if (series.spent.size === 0) return { next: number + 1, spent: none }
  const spent = new Set(series.spent)
  let next = number + 1
  while (spent.delete(next)) next += 1
  return { next, spent }
}

const numberPattern = /^[1-9][0-9]{0,14}$/

/** The number that a token spells, or null. */
export function numberOf(token: string | undefined): number | null {
  return token !== undefined && numberPattern.test(token) ? Number(token) : null
}

/** Numbers that were bound before their era began, by era and series: `2 rate.bot.look`. */
export type Early = Map<string, ReadonlySet<number>>
