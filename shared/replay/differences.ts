// Where what was derived is not what was recorded. A stage's fact that came too late for its era
// counts for nothing and derives all the same, so what does not derive was forged, void or not.
import { textOfUtf8 } from '#platform/bytes'
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

/** What deriving a fact again came to. */
export type ComparedFact = { readonly fact: Fact } & (
  | { readonly is: 'equal' }
  /** A JSON text; null where nothing was derived. */
  | { readonly is: 'differs'; readonly derived: string | null }
  /** Eras, callback modules or recorded answers are not here, or deciding was stopped. */
  | { readonly is: 'cannot_tell' }
)

export interface Differences extends CountedDifferences {
  /** Notified of each fact that was derived again. */
  readonly compared: (found: ComparedFact) => void
}

export interface CountedDifferences {
  /** What may differ because of eras or callback modules that are not here. */
  unchecked: number
  /** Of how many of these deciding was stopped. */
  stopped: number
  /** How many of these were decided by each module. */
  readonly byModule: Map<string, number>
  differences: number
  first: ReplayDifference | null
}

export function noDifferences(compared: Differences['compared']): Differences {
  return { compared, unchecked: 0, stopped: 0, byModule: new Map(), differences: 0, first: null }
}

export function addTo(all: CountedDifferences, more: CountedDifferences): void {
  all.unchecked += more.unchecked
  all.stopped += more.stopped
  for (const [module, facts] of more.byModule) countModule(all, module, facts)
  all.differences += more.differences
  if (more.first !== null) all.first = firstOf(all.first, more.first)
}

export function missing(all: CountedDifferences, from: number, to: number): void {
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
  const { kind, basis, derived, fact } = at
  const reachesBack = at.reachesBack === true
  all.compared({ fact, ...(reachesBack ? { is: 'cannot_tell' } : { is: 'differs', derived }) })
  if (reachesBack) {
    all.unchecked += 1
    return
  }
  all.differences += 1
  const { position, name } = fact
  const recorded = textOfUtf8(fact.bytes)
  all.first = firstOf(all.first, { kind, position, name, basis, recorded, derived })
}

/** It was decided by a callback module that is not here, or deciding it was stopped. */
export function underivable(
  all: Differences,
  fact: Fact,
  { module }: { readonly module: string | null },
): void {
  all.compared({ fact, is: 'cannot_tell' })
  all.unchecked += 1
  if (module === null) all.stopped += 1
  else countModule(all, module, 1)
}

function countModule({ byModule }: CountedDifferences, module: string, facts: number): void {
  byModule.set(module, (byModule.get(module) ?? 0) + facts)
}

// Facts are not judged in their order.
function firstOf(found: ReplayDifference | null, other: ReplayDifference): ReplayDifference {
  return found === null || other.position < found.position ? other : found
}
