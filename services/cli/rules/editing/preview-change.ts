// What a change of the graph or the catalog would do, for anyone who is about to make it: one
// preview for all commands that change one. It binds nothing.
import { cellIn } from '#record/names'
import type { State } from '#state/state'
import { checkedCatalog, checkedGraph, type Operations } from '#authoring/change-check'
import type { Runtime } from '#runtime/engine/runtime'
import { whatIfToday, type TodayOptions, type TodayReport } from '#replay/what-if/today'
import { note } from '#cli/terminal/terminal'

export interface PreviewedChange extends Pick<TodayOptions, 'held'> {
  /** What it makes of them; what is not given stays. */
  readonly after: Partial<Pick<State, 'graph' | 'catalog'>>
  /** So many of the last intents; none, and nothing is previewed. */
  readonly last: number
}

/** Null where none is wanted. */
export async function previewChange(
  { log, place, callbacks, follower, clock }: Runtime,
  { after, last, ...rest }: PreviewedChange,
): Promise<TodayReport | null> {
  if (last === 0) return null
  const { cells } = follower.state.catalog
  if (cells !== null && cellIn(place.realm) === null) {
    const how = '`warrant whatif FOLDER --realm main-c0` tries one'
    note(`not previewed: the intents are in the ${cells} cells of this realm; ${how}`)
    return null
  }
  const { stages } = await import('#workers/stages')
  const { state } = follower
  const { graph, catalog } = state
  const time = new Date(clock.now()).toISOString()
  const changed = { graph, catalog, ...after }
  return whatIfToday({ log, state, stages, callbacks, time, after: changed, last, ...rest })
}

/** Of change sets that can be applied, one after the other. Null where none is wanted. */
export function previewSets(
  runtime: Runtime,
  sets: readonly Operations[],
  last: number,
): Promise<TodayReport | null> {
  let { graph, catalog } = runtime.follower.state
  for (const set of sets) {
    if (set.kind === 'graph') graph = checkedGraph(graph, set.operations)
    else catalog = checkedCatalog(catalog, set.operations)
  }
  return previewChange(runtime, { after: { graph, catalog }, last })
}
