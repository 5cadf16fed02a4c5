// Compares what the database holds with a fold of the log up to the same position, primitive after
// primitive. It changes nothing, and what it finds it does not mend.
import { whileHeld, type HeldGraph } from '#adapters/graph/neo4j-digest'
import { projectionMark, type ProjectionLink } from '#adapters/graph/neo4j-writes'
import { digestOf } from '#core/digest'
import { Fault } from '#core/fault'
import { findFolded, primitivesOf, type Graph } from '#core/graph/revision'
import { censusOf, chainedDigest, heldPrimitive, type HeldPrimitive } from '#core/projection/held'
import { evolve } from '#core/world/evolve'
import type { World } from '#core/world/world'
import type { Log } from '#ports/log'
import { soundBeginningOf } from '../beginning.ts'
import { demandFits } from './run.ts'

export interface ProjectionDifference {
  /** Of a primitive; of a count, what is counted. */
  readonly name: string
  readonly what: 'missing' | 'extra' | 'differs' | 'out_of_order' | 'count'
  /** What the log says. Canonical JSON, but for counts; null where there is nothing. */
  readonly here: string | null
  /** What the database holds. */
  readonly there: string | null
}

export interface ProjectionCheck {
  readonly position: number
  readonly primitives: number
  readonly digest: { readonly here: string; readonly there: string }
  readonly differences: number
  /** The first of them. */
  readonly first: readonly ProjectionDifference[]
}

export interface CheckOptions {
  readonly log: Log
  readonly realm: string
  readonly rootKey: string | null
  readonly link: ProjectionLink
}

const shownMax = 20

export async function checkProjection(options: CheckOptions): Promise<ProjectionCheck> {
  const { log, realm, rootKey, link } = options
  const mark = await projectionMark(link)
  if (mark?.reached === null || mark === null) throw unfinished()
  const { world } = await soundBeginningOf(log, { realm }, rootKey)
  demandFits(mark.reached, { first: world.position, head: (await log.head()).position })
  // What takes long is done before anybody has to wait for it.
  await foldTo(log, world, mark.reached, mark.digest)
  return whileHeld(link, async (held) => {
    if (held.reached === null || held.reached < world.position) throw unfinished()
    await foldTo(log, world, held.reached, null)
    return compared(world, held)
  })
}

function unfinished(): Fault {
  const what = 'nothing is projected, or a rebuild is under way'
  return new Fault('projection_unfinished', 'never', `${what}: check when it is over`)
}

async function foldTo(log: Log, world: World, to: number, digest: string | null): Promise<void> {
  if (world.position >= to) return
  let last = ''
  for await (const fact of log.read({ from: world.position + 1, to })) {
    evolve(world, fact)
    if (fact.position === to) last = digestOf(fact.bytes)
  }
  if (digest === null || digest === last) return
  const what = `the projection stands at position ${to} of another log`
  throw new Fault('projection_strayed', 'never', `${what}: project this one by --rebuild`)
}

interface Found {
  differences: number
  readonly first: ProjectionDifference[]
}

async function compared(
  { graph, position }: Pick<World, 'graph' | 'position'>,
  held: HeldGraph,
): Promise<ProjectionCheck> {
  const found: Found = { differences: 0, first: [] }
  const digest = await compareAll(graph, held, found)
  const here = censusOf(graph)
  for (const [name, count] of Object.entries(await held.census())) {
    const expected = here[name] ?? 0
    if (count === expected) continue
    note(found, { name, what: 'count', here: String(expected), there: String(count) })
  }
  const { differences, first } = found
  return { position, primitives: graph.size, digest, differences, first }
}

/** Both sides come in stored order. What stands on one alone is passed over on that one. */
async function compareAll(
  graph: Graph,
  held: HeldGraph,
  found: Found,
): Promise<ProjectionCheck['digest']> {
  let [here, there] = [digestOf(''), digestOf('')]
  const ours = heldIn(graph)
  const theirs = held.primitives()[Symbol.asyncIterator]()
  let our = ours.next()
  let their = await theirs.next()
  while (our.done !== true || their.done !== true) {
    const one = our.done === true ? null : our.value
    const other = their.done === true ? null : their.value
    const passed = await compareTwo({ graph, held, found }, one, other)
    if (one !== null && passed.here) {
      here = chainedDigest(here, one)
      our = ours.next()
    }
    if (other !== null && passed.there) {
      there = chainedDigest(there, other)
      their = await theirs.next()
    }
  }
  return { here, there }
}

function* heldIn(graph: Graph): Generator<HeldPrimitive> {
  for (const [, record] of primitivesOf(graph)) yield heldPrimitive(graph, record)
}

interface Sides {
  readonly graph: Graph
  readonly held: HeldGraph
  readonly found: Found
}

const onlyHere = { here: true, there: false }
const onlyThere = { here: false, there: true }
const both = { here: true, there: true }

/** Which of them is done with. */
async function compareTwo(
  { graph, held, found }: Sides,
  one: HeldPrimitive | null,
  other: HeldPrimitive | null,
): Promise<typeof both> {
  if (other !== null && (one === null || findFolded(graph, other.key) === undefined)) {
    note(found, { name: other.name, what: 'extra', here: null, there: other.text })
    return onlyThere
  }
  if (one === null || other === null || !(await isThere(held, one, other))) {
    if (one !== null) note(found, { name: one.name, what: 'missing', here: one.text, there: null })
    return onlyHere
  }
  const isSame = one.key === other.key
  const what = isSame ? 'differs' : 'out_of_order'
  const { name, text: here } = one
  if (here !== other.text) note(found, { name, what, here, there: other.text })
  return both
}

async function isThere(held: HeldGraph, one: HeldPrimitive, other: HeldPrimitive) {
  return one.key === other.key || (await held.has(one.key))
}

function note(found: Found, difference: ProjectionDifference): void {
  found.differences += 1
  if (found.first.length < shownMax) found.first.push(difference)
}
