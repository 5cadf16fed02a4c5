// Compares the primitives of a projection with those of a graph, one after the other.
import { findFolded, primitivesOf, type Graph } from '#knowledge/graph/revision'
import { heldPrimitive, type HeldPrimitive } from './projection/held.ts'
import { noteDifference, type Found } from './found.ts'

/** The database's side. */
export interface HeldGraph {
  /** In stored order. */
  readonly primitives: AsyncIterable<HeldPrimitive>
  has(key: string): Promise<boolean>
}

/** Is given every text of the log's and of the database's, in order. */
export type Received = (side: 'here' | 'there', text: string) => void

interface Sides {
  readonly graph: Graph
  readonly held: HeldGraph
  readonly found: Found
}

/** Both sides come in stored order. What stands on one alone is passed over on that one. */
export async function comparePrimitives(sides: Sides, received: Received): Promise<void> {
  const ours = heldIn(sides.graph)
  const theirs = sides.held.primitives[Symbol.asyncIterator]()
  let our = ours.next()
  let their = await theirs.next()
  while (our.done !== true || their.done !== true) {
    const one = our.done === true ? null : our.value
    const other = their.done === true ? null : their.value
    const passed = await compareTwo(sides, one, other)
    if (one !== null && passed.here) {
      received('here', one.text)
      our = ours.next()
    }
    if (other !== null && passed.there) {
      received('there', other.text)
      their = await theirs.next()
    }
  }
}

function* heldIn(graph: Graph): Generator<HeldPrimitive> {
  for (const [, record] of primitivesOf(graph)) yield heldPrimitive(graph, record)
}

const onlyHere = { here: true, there: false }
const onlyThere = { here: false, there: true }
const both = { here: true, there: true }
const of = 'primitive'

/** Which of them is done with. */
async function compareTwo(
  { graph, held, found }: Sides,
  one: HeldPrimitive | null,
  other: HeldPrimitive | null,
): Promise<typeof both> {
  if (other !== null && (one === null || findFolded(graph, other.key) === undefined)) {
    noteDifference(found, { of, name: other.name, what: 'extra', here: null, there: other.text })
    return onlyThere
  }
  if (one === null || other === null || !(await isThere(held, one, other))) {
    if (one !== null) {
      noteDifference(found, { of, name: one.name, what: 'missing', here: one.text, there: null })
    }
    return onlyHere
  }
  const isSame = one.key === other.key
  const what = isSame ? 'differs' : 'out_of_order'
  const { name, text: here } = one
  if (here !== other.text) noteDifference(found, { of, name, what, here, there: other.text })
  return both
}

async function isThere(held: HeldGraph, one: HeldPrimitive, other: HeldPrimitive) {
  return one.key === other.key || (await held.has(one.key))
}
