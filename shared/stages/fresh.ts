// The freshness that an intent may demand, as a token: revisions of the catalog and of the graph,
// and a position of the log, as in `c12.g40.345`. What this version cannot read is never met.

/** How far a log is folded, and what is known of catalog and graph there. */
export interface Freshness {
  readonly position: number
  readonly catalogRevision: number
  readonly graphRevision: number
}

const partPattern = /^([cg]?)([1-9][0-9]{0,14})$/
const parts = { c: 'catalogRevision', g: 'graphRevision', '': 'position' } as const

/** What the token demands, 0 where it demands nothing of that; null where it cannot be read. */
export function demandIn(freshAt: string): Freshness | null {
  const demanded = { position: 0, catalogRevision: 0, graphRevision: 0 }
  for (const part of freshAt.split('.')) {
    const [, letter, digits] = partPattern.exec(part) ?? []
    if (letter !== 'c' && letter !== 'g' && letter !== '') return null
    const what = parts[letter]
    if (demanded[what] > 0) return null
    demanded[what] = Number(digits)
  }
  return demanded
}

/** Whether everything that the token demands is known there. */
export function isFresh(freshAt: string | undefined, reached: Freshness): boolean {
  if (freshAt === undefined) return true
  const demanded = demandIn(freshAt)
  return (
    demanded !== null &&
    demanded.position <= reached.position &&
    demanded.catalogRevision <= reached.catalogRevision &&
    demanded.graphRevision <= reached.graphRevision
  )
}
