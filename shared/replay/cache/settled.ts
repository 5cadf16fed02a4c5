// What a snapshot of the fold can never say: who may do what, and what is known. Catalog, graph,
// learning and eras are folded from the log's own facts, which are signed and few; only the work
// that is under way comes from the file.
import { patternOf, partsInRealm } from '#record/names'
import { kinds, kindsAbout } from '#schemas/kinds'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { soundBeginningOf } from '../eras/beginning.ts'

const settledKinds = kindsAbout('knowledge', 'question', 'era')

interface SettledOf {
  readonly log: LogReader
  readonly realm: string
  readonly rootKey: string | null
}

/** The state at the last of those facts, without intents and uses. */
export async function settledState(
  { log, realm, rootKey }: SettledOf,
  { era, last }: { readonly era: number; readonly last: Pick<Fact, 'position' | 'appendedAt'> },
): Promise<State> {
  const { state: begun } = await soundBeginningOf(log, { realm }, rootKey)
  const state: State = { ...begun, isPartial: true, intents: new Map(), uses: new Map() }
  const first = state.place.era
  // Of the next era someone may have bound what is too early.
  const eras = Array.from({ length: era + 2 - first }, (_, index) => first + index)
  const names = eras.flatMap((one) =>
    settledKinds.map((kind) => patternOf({ realm, era: one }, kind)),
  )
  for await (const fact of log.read({ from: state.position + 1, to: last.position }, names)) {
    const parts = partsInRealm(fact.name, realm)
    const opensEra = parts !== null && kinds[parts.kind].about === 'era'
    if (opensEra) await bringForward(log, state, fact)
    evolve(state, fact)
  }
  const { position, appendedAt } = last
  return { ...state, isPartial: false, position, appendedAt }
}

// Where the clock is set back, it is set back from the fact before, whatever its kind.
async function bringForward(log: LogReader, state: State, { position }: Fact): Promise<void> {
  const before = { from: position - 1, to: position - 1 }
  for await (const { appendedAt } of log.read(before)) state.appendedAt = appendedAt
}

/** The settled state with the work of the other. */
export function withWork(settled: State, work: State): State {
  const { isPartial, place, eras, sealed, snapshotSequence, log, root } = settled
  const { catalog, catalogRevision, catalogSequence } = settled
  const { graph, graphRevision, graphSequence, learning, grants } = settled
  return {
    ...work,
    isPartial,
    place,
    eras,
    sealed,
    snapshotSequence,
    log,
    root,
    catalog,
    catalogRevision,
    catalogSequence,
    graph,
    graphRevision,
    graphSequence,
    learning,
    grants,
    early: earlyOf(settled, work),
  }
}

/** Of other sequences, and of eras too far ahead, only the work knows what was bound too early. */
function earlyOf({ early, place }: State, work: State): State['early'] {
  const others = [...work.early].filter(([key]) => {
    const [era = '', sequence = ''] = key.split(' ')
    return Number(era) > place.era + 1 || !settledKinds.some((kind) => kind === sequence)
  })
  return new Map([...early, ...others])
}
