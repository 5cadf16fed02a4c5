// Where what was derived is not what was recorded. A stage's fact that came too late for its era
// counts for nothing and derives all the same, so what does not derive was forged, void or not.
import type { Fact } from '#ports/log'

export interface ReplayDifference {
  readonly kind: 'differs' | 'not_derived' | 'missing' | 'unreadable'
  readonly position: number
  readonly name: string
  readonly basis: number | null
  /** JSON texts; null where there is none. */
  readonly recorded: string | null
  readonly derived: string | null
}

export interface Differences {
  /** What may differ because of eras or callback modules that are not here. */
  unchecked: number
  /** How many of these were decided by each module. */
  readonly byModule: Map<string, number>
  differences: number
  first: ReplayDifference | null
}

export function noDifferences(): Differences {
  return { unchecked: 0, byModule: new Map(), differences: 0, first: null }
}

export function addTo(all: Differences, more: Differences): void {
  all.unchecked += more.unchecked
  for (const [module, facts] of more.byModule) countModule(all, module, facts)
  all.differences += more.differences
  if (more.first !== null) all.first = firstOf(all.first, more.first)
}

export function missing(all: Differences, from: number, to: number): void {
  all.differences += 1
  const recorded = `positions ${from} to ${to} are not in the log`
  const at = { position: from, name: '', basis: null, recorded, derived: null }
  all.first = firstOf(all.first, { kind: 'missing', ...at })
}

export function difference(
  all: Differences,
  at: Pick<ReplayDifference, 'kind' | 'basis' | 'derived'> & {
    readonly fact: Fact
    /** Whether eras that are not here may be why. */
    readonly reachesBack?: boolean
  },
): void {
  if (at.reachesBack === true) {
    all.unchecked += 1
    return
  }
  all.differences += 1
  const { kind, basis, derived, fact } = at
  const { position, name } = fact
  const recorded = Buffer.from(fact.bytes).toString('utf8')
  all.first = firstOf(all.first, { kind, position, name, basis, recorded, derived })
}

/** It was decided by a callback module that is not here. */
export function withoutModule(all: Differences, module: string): void {
  all.unchecked += 1
  countModule(all, module, 1)
}

function countModule({ byModule }: Differences, module: string, facts: number): void {
  byModule.set(module, (byModule.get(module) ?? 0) + facts)
}

// Facts are not judged in their order.
function firstOf(found: ReplayDifference | null, other: ReplayDifference): ReplayDifference {
  return found === null || other.position < found.position ? other : found
}
