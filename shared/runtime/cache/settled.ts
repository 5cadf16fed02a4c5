// What a snapshot of the fold can never say: who may do what, and what is known. Catalog, graph,
// learning and eras are folded from the log's own facts, which are signed and few; only the work
// that is under way comes from the file.
import { patternOf, partsInRealm } from '#core/kernel/names'
import { kinds, kindsAbout } from '#schemas/kinds'
import { evolve } from '#core/state/fold/evolve'
import type { World } from '#core/state/world'
import type { Fact, LogReader } from '#ports/log'
import { soundBeginningOf } from '../eras/beginning.ts'

const settledKinds = kindsAbout('knowledge', 'question', 'era')

interface SettledOf {
  readonly log: LogReader
  readonly realm: string
  readonly rootKey: string | null
}

/** The world at the last of those facts, without intents and uses. */
export async function settledWorld(
  { log, realm, rootKey }: SettledOf,
  { era, last }: { readonly era: number; readonly last: Pick<Fact, 'position' | 'appendedAt'> },
): Promise<World> {
  const { world: begun } = await soundBeginningOf(log, { realm }, rootKey)
  const world: World = { ...begun, isPartial: true, intents: new Map(), uses: new Map() }
  const first = world.place.era
  // Of the next era someone may have bound what is too early.
  const eras = Array.from({ length: era + 2 - first }, (_, index) => first + index)
  const names = eras.flatMap((one) =>
    settledKinds.map((kind) => patternOf({ realm, era: one }, kind)),
  )
  for await (const fact of log.read({ from: world.position + 1, to: last.position }, names)) {
    const parts = partsInRealm(fact.name, realm)
    const opensEra = parts !== null && kinds[parts.kind].about === 'era'
    if (opensEra) await bringForward(log, world, fact)
    evolve(world, fact)
  }
  const { position, appendedAt } = last
  return { ...world, isPartial: false, position, appendedAt }
}

// Where the clock is set back, it is set back from the fact before, whatever its kind.
async function bringForward(log: LogReader, world: World, { position }: Fact): Promise<void> {
  const before = { from: position - 1, to: position - 1 }
  for await (const { appendedAt } of log.read(before)) world.appendedAt = appendedAt
}

/** The settled world with the work of the other. */
export function withWork(settled: World, work: World): World {
  const { isPartial, place, eras, sealed, snapshotSequence, log, root } = settled
  const { catalog, catalogRevision, catalogSequence } = settled
  const { graph, graphRevision, graphSequence, learning } = settled
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
    early: earlyOf(settled, work),
  }
}

/** Of other sequences, and of eras too far ahead, only the work knows what was bound too early. */
function earlyOf({ early, place }: World, work: World): World['early'] {
  const others = [...work.early].filter(([key]) => {
    const [era = '', sequence = ''] = key.split(' ')
    return Number(era) > place.era + 1 || !settledKinds.some((kind) => kind === sequence)
  })
  return new Map([...early, ...others])
}
