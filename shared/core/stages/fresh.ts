// The freshness that an intent may demand, as a token that the log gave out: today the position of
// a fact in decimal. What this version cannot read is never met.

const positionPattern = /^[1-9][0-9]{0,14}$/

/** The position that the token stands for; null where it cannot be read. */
export function positionIn(freshAt: string): number | null {
  return positionPattern.test(freshAt) ? Number(freshAt) : null
}

/** Whether everything that the token demands is folded at that basis. */
export function isFresh(freshAt: string | undefined, basis: number): boolean {
  if (freshAt === undefined) return true
  const position = positionIn(freshAt)
  return position !== null && position <= basis
}
