// The change sets that the catalog came from, out of the log, for the next era to carry. The eras
// before need not be there, if the first that is carries them too.
import { kinds } from '#schemas/kinds'
import { evolve } from '#state/fold/evolve'
import { leadsTo, type BoundChange } from '#state/fold/catalogs'
import type { State } from '#state/state'
import { patternOf, type Place } from '#record/names'
import type { LogReader } from '#ports/log'
import { beginningOf, snapshotOf, type Beginning } from './beginning.ts'

/** Those of a state that is sealed; null where the first of them are not in the log. */
export async function catalogsOf(
  log: LogReader,
  state: State,
): Promise<readonly BoundChange[] | null> {
  const { place, rootKey } = state
  const { realm } = place
  const begun = await beginningOf(log, place, rootKey)
  const first = begun.start?.era ?? 1
  // Nearly always the present era carries all but its own.
  for (let { era } = place; era > first; era -= 1) {
    const opened = await snapshotOf(log, { realm, era }, rootKey)
    const changes = opened === null ? null : await changesSince(log, opened, state)
    if (changes !== null) return changes
  }
  return changesSince(log, begun, state)
}

async function changesSince(
  log: LogReader,
  { state: begun, catalogs: before }: Beginning,
  state: State,
): Promise<readonly BoundChange[] | null> {
  if (before === null || state.sealed === null) return null
  const changes = [...before]
  const partial: State = { ...begun, isPartial: true, intents: new Map(), uses: new Map() }
  const range = { from: begun.position + 1, to: state.sealed.position }
  for await (const fact of log.read(range, namesIn(begun.place, state.place))) {
    const { parts, void: why } = evolve(partial, fact)
    const isChange = parts !== null && kinds[parts.kind].about === 'knowledge'
    if (why === null && isChange) changes.push(fact)
  }
  return leadsTo(state, changes) ? changes : null
}

/** Catalogs, and what turns eras. Of the next one someone may have bound what is too early. */
function namesIn(first: Place, { realm, era }: Place): readonly string[] {
  const eras = Array.from({ length: era + 2 - first.era }, (_, index) => first.era + index)
  return eras.flatMap((one) =>
    (['catalog', 'snapshot'] as const).map((kind) => patternOf({ realm, era: one }, kind)),
  )
}
