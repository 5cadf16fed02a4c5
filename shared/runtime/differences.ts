// Where what was derived is not what was recorded. A difference is only one if the fact counts in
// its era, which is known when it is folded.
import { countsIn, type Eras } from '#core/world/eras'
import type { Fact } from '#ports/log'

export interface Difference {
  readonly kind: 'differs' | 'not_derived' | 'missing' | 'unreadable'
  readonly position: number
  readonly name: string
  readonly basis: number | null
  /** JSON texts; null where there is none. */
  readonly recorded: string | null
  readonly derived: string | null
}

interface Found extends Difference {
  /** Whether eras that are not here may be why. */
  readonly reachesBack: boolean
}

export interface Differences {
  /** By position, until the fold comes there. */
  readonly found: Map<number, Found>
  /** What may differ because of eras that are not here. */
  unchecked: number
  differences: number
  first: Difference | null
}

export function noDifferences(): Differences {
  return { found: new Map(), unchecked: 0, differences: 0, first: null }
}

export function addTo(all: Differences, more: Differences): void {
  all.unchecked += more.unchecked
  all.differences += more.differences
  all.first ??= more.first
}

export function missing(all: Differences, from: number, to: number): void {
  all.differences += 1
  const recorded = `positions ${from} to ${to} are not in the log`
  all.first ??= { kind: 'missing', position: from, name: '', basis: null, recorded, derived: null }
}

export function difference(
  { found }: Differences,
  at: Pick<Difference, 'kind' | 'basis' | 'derived'> & {
    readonly fact: Fact
    readonly reachesBack?: boolean
  },
): void {
  const { kind, basis, derived, fact, reachesBack = false } = at
  const { position, name } = fact
  const recorded = Buffer.from(fact.bytes).toString('utf8')
  found.set(position, { kind, position, name, basis, recorded, derived, reachesBack })
}

/**
 * Says what was found of the fact once it is folded. What was bound too early or too late for its
 * era is void: whoever wrote it, nobody heard it.
 */
export function settle(all: Differences, fact: Fact, eras: Eras): void {
  const found = all.found.get(fact.position)
  if (found === undefined) return
  all.found.delete(fact.position)
  const { reachesBack, ...first } = found
  if (!countsIn(eras, fact)) return
  if (reachesBack) all.unchecked += 1
  else {
    all.differences += 1
    all.first ??= first
  }
}
