// What others changed of the graph or the catalog while someone was about to: reported to the
// author, and never taken for its own.
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { patternsOf } from '#record/names'
import { operationsText } from './operation-text.ts'
import { countsAt } from '#state/eras'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'

export type ChangeKind = 'graph' | 'catalog'

/** A revision that came first. */
export interface Moved {
  readonly revision: number
  readonly by: string
  readonly operations: readonly (GraphOperation | CatalogOperation)[]
}

const shownMax = 5

/** Such as `revision 8 by olga: describe file D2`. */
export function movedText({ revision, by, operations }: Moved): string {
  return `revision ${revision} by ${by}: ${operationsText(operations)}`
}

/** What a fact of that kind changed; null for one that cannot be read. */
export function changeIn(kind: ChangeKind, fact: Fact): Moved | null {
  const reading = kind === 'graph' ? readEvent('graph', fact) : readEvent('catalog', fact)
  if (!reading.ok) return null
  const { revision, by, operations } = reading.event.data
  return { revision, by, operations }
}

/** Listens for what becomes a revision of that kind, until it is stopped. */
export function movesOf(follower: Runtime['follower'], kind: ChangeKind) {
  const facts: { readonly revision: number; readonly fact: Fact }[] = []
  const stop = follower.listen((fact, { parts, void: why }) => {
    if (why === null && parts?.kind === kind) {
      facts.push({ revision: Number(parts.tokens[0]), fact })
    }
  })
  const before = (last: number): readonly Moved[] =>
    facts.flatMap(({ revision, fact }) => (revision < last ? (changeIn(kind, fact) ?? []) : []))
  return { before, stop }
}

/**
 * Refuses with `graph_moved` or `catalog_moved` where that revision is not the last any more, and
 * says what came after it.
 */
export async function refuseMoved(
  runtime: Pick<Runtime, 'log' | 'follower'>,
  kind: ChangeKind,
  base: number,
): Promise<void> {
  const { state } = runtime.follower
  const current = revisionOf(state, kind)
  if (current === base) return
  if (current < base) {
    const message = `the ${kind} has no revision ${base} yet: its last is ${current}`
    throw new Fault('revision_unknown', message)
  }
  const moves = await movesSince(runtime, kind, base)
  const shown = moves.slice(-shownMax).map(movedText)
  const more = moves.length - shown.length
  const what = [...(more > 0 ? [`${more} earlier`] : []), ...shown].join('; ')
  const fix = `look at it again, then build on ${current}`
  const message = `the ${kind} has changed since revision ${base}: ${what}; ${fix}`
  throw new Fault(kind === 'graph' ? 'graph_moved' : 'catalog_moved', message)
}

function revisionOf(state: State, kind: ChangeKind): number {
  return kind === 'graph' ? state.graphRevision : state.catalogRevision
}

/** A hint for people, read without folding: a void change set between them is reported as well. */
async function movesSince(
  { log, follower }: Pick<Runtime, 'log' | 'follower'>,
  kind: ChangeKind,
  base: number,
): Promise<readonly Moved[]> {
  const { state } = follower
  const { place, eras, position } = state
  const current = revisionOf(state, kind)
  const moves: Moved[] = []
  for await (const fact of log.read({ to: position }, patternsOf(place, kind))) {
    const moved = countsAt({ place, eras }, fact) ? changeIn(kind, fact) : null
    if (moved !== null && moved.revision > base && moved.revision <= current) moves.push(moved)
  }
  return moves
}
