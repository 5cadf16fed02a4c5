// What if the graph were another: the last verdicts derived again under two graphs, and those told
// that come out differently. It only reads; a callback that is called for the first time may look
// outside, and then says what it sees now.
import type { CallbackFault } from '#schemas/callbacks'
import type { Graph } from '#core/graph/graph'
import type { Place } from '#core/names'
import type { Stage } from '#core/stage/stage'
import { viewOf } from '#core/stage/view'
import { evolve } from '#core/world/evolve'
import type { World } from '#core/world/world'
import type { Callbacks } from '#ports/callbacks'
import type { Log } from '#ports/log'
import { beginningOf } from '../beginning.ts'
import { believedWorld, newestSnapshot, type SnapshotsOf } from '../snapshots/store.ts'
import { gatherContext, gatherOpening, readerOf, type Reader } from '../gather.ts'
import { outcomeUnder, type Derived } from './outcome.ts'
import { lastVerdicts, type RecordedVerdict } from './verdicts.ts'

export interface WhatIfOptions {
  readonly log: Log
  readonly place: Place
  readonly rootKey: string | null
  readonly stages: readonly Stage[]
  readonly callbacks: Callbacks
  /** How many verdicts are derived again; of more than `whatIfMax` the last so many. */
  readonly last: number
  readonly before: Graph
  readonly after: Graph
  /** Where snapshots of the fold lie, so that it need not begin with the first fact. */
  readonly snapshots?: Pick<SnapshotsOf, 'folder' | 'logger'>
  /** Told now and then how many facts are folded, and of how many. */
  readonly progress?: (folded: number, of: number) => void
}

/** An intent that comes out differently. */
export interface Flip {
  readonly address: string
  readonly agent: string
  readonly tool: string | null
  readonly recorded: Pick<RecordedVerdict, 'outcome' | 'reasons'>
  readonly before: Derived
  readonly after: Derived
}

export interface WhatIfReport {
  /** How many verdicts were derived under both graphs. */
  readonly tried: number
  /** Those that cannot be: unreadable, or of an era or an opening that is not here. */
  readonly unable: number
  /** In the order of their bases. */
  readonly flips: readonly Flip[]
  /** Of how many a callback did not answer, which refuses, and why the first did not. */
  readonly faulted?: { readonly count: number; readonly first: CallbackFault }
}

export const whatIfMax = 10_000
const factsBetweenProgress = 100_000

export async function whatIf(options: WhatIfOptions): Promise<WhatIfReport> {
  const { log, place, progress } = options
  const verdicts = await lastVerdicts(log, place, Math.min(options.last, whatIfMax))
  const due = byBasis(verdicts)
  const to = Math.max(0, ...due.keys())
  const flips: Flip[] = []
  const faults = new Map<string, CallbackFault>()
  let tried = 0
  if (to > 0) {
    const world = await worldBefore(options, Math.min(...due.keys()))
    const trying = { options, world, reader: readerOf(log, world.position), faults }
    for await (const fact of log.read({ from: world.position + 1, to })) {
      trying.reader.sessions.hear(fact, evolve(world, fact), world)
      if (fact.position % factsBetweenProgress === 0) progress?.(fact.position, to)
      for (const verdict of due.get(fact.position) ?? []) {
        const found = await triedAgain(trying, verdict)
        if (found === null) continue
        tried += 1
        if (found.before.outcome !== found.after.outcome) flips.push(found)
      }
    }
  }
  const [first] = faults.values()
  const faulted = first === undefined ? {} : { faulted: { count: faults.size, first } }
  return { tried, unable: verdicts.length - tried, flips, ...faulted }
}

/** A world to fold on from: as late as there is one, but before that position. */
async function worldBefore(options: WhatIfOptions, position: number): Promise<World> {
  const { log, place, rootKey, snapshots } = options
  if (snapshots !== undefined) {
    const of = { log, realm: place.realm, rootKey, ...snapshots }
    const newest = await newestSnapshot(of)
    const isBefore = newest !== null && newest.about.last.position < position
    const world = isBefore ? await believedWorld(of) : null
    if (world !== null && world.position < position) return world
  }
  return (await beginningOf(log, place, rootKey)).world
}

function byBasis(verdicts: readonly (RecordedVerdict | null)[]) {
  const due = new Map<number, RecordedVerdict[]>()
  for (const verdict of verdicts) {
    if (verdict === null) continue
    const others = due.get(verdict.basis)
    if (others === undefined) due.set(verdict.basis, [verdict])
    else others.push(verdict)
  }
  return due
}

interface Trying {
  readonly options: WhatIfOptions
  /** Folded up to the basis of the verdict. */
  readonly world: World
  readonly reader: Reader
  /** Why a callback did not answer, by the verdict. */
  readonly faults: Map<string, CallbackFault>
}

async function triedAgain(
  { options, world, reader, faults }: Trying,
  verdict: RecordedVerdict,
): Promise<Flip | null> {
  const { address, name, time, outcome, reasons } = verdict
  const { stages, callbacks, log } = options
  const intent = world.intents.get(address)
  const opening = intent === undefined ? null : await gatherOpening(reader, world, intent)
  const view = opening === null ? null : viewOf(world, address, opening)
  if (view === null) return null
  const context = await gatherContext(reader, world, view)
  const recorded = () => log.get(name)
  const faulted = (fault: CallbackFault): void => {
    if (!faults.has(name)) faults.set(name, fault)
  }
  const deriving = { view, context, time, stages, callbacks, verdict: recorded, faulted }
  const before = await outcomeUnder(options.before, deriving)
  const after = await outcomeUnder(options.after, deriving)
  if (before === null || after === null) return null
  const tool = view.opening.request?.tool ?? null
  return { address, agent: view.ref.agent, tool, recorded: { outcome, reasons }, before, after }
}
