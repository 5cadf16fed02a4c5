// Compares what the database holds with what was folded, label by label: by a digest of each, and
// by name what differs.
import {
  conceptsHeld,
  intentsHeld,
  newNumbers,
  numberHeld,
  primitivesHeld,
  saidThere,
  takeCensus,
  type HeldNumbers,
} from './driver/held.ts'
import type { RunCypher } from './driver/link.ts'
import type { HeldMarks } from './driver/mark.ts'
import { canonical, type JsonMap } from '#record/canonical'
import { digestOf } from '#record/digest'
import {
  addToCensus,
  heldConcepts,
  heldIntents,
  heldPrimitives,
  newProjectedCounts,
  type Census,
  type ProjectedCounts,
  type Held,
} from './projection/held.ts'
import { judgedAfter, type Folding, type Foldings } from './folding.ts'
import { headIn, markOfLog, type Heads } from './projected.ts'
import {
  shownMax,
  type Compared,
  type ComparedCell,
  type Digests,
  type Found,
  type ProjectionDifference,
} from './report.ts'

export interface ProjectionSides {
  readonly run: RunCypher
  readonly held: HeldMarks
  readonly foldings: Foldings
  readonly heads: Heads
}

/** What the log says, and what is there of which only an earlier part of the log speaks. */
interface Sides extends ProjectionSides {
  readonly counted: ProjectedCounts
  readonly earlier: ProjectedCounts
  readonly numbers: HeldNumbers
  readonly found: Found
}

export async function compareAll(comparing: ProjectionSides, found: Found): Promise<Compared> {
  const { run, held, foldings, heads } = comparing
  const { all, control, hasCells } = foldings
  const { graph, position } = control.state
  const [counted, earlier, numbers] = [newProjectedCounts(), newProjectedCounts(), newNumbers()]
  const sides = { ...comparing, counted, earlier, numbers, found }
  const Primitive = await compareHeld(
    sides,
    { of: 'primitive', expected: ({ census }) => heldPrimitives(graph, census) },
    primitivesHeld(run, numbers),
  )
  compareMarks(sides)
  const cells: ComparedCell[] = []
  const each: Digests[] = []
  for (const folding of hasCells ? all.slice(1) : all) {
    const before = counted.census.get('Intent') ?? 0
    const from = Math.max(folding.first, markOfLog(held, folding.of).from)
    each.push(await compareIntents(sides, folding, from))
    const intents = (counted.census.get('Intent') ?? 0) - before
    const ends = { position: folding.state.position, head: headIn(heads, folding.of) }
    cells.push({ cell: folding.of.cell ?? 0, ...ends, from, intents })
  }
  for (const key of earlier.concepts.keys()) counted.concepts.delete(key)
  const Concept = await compareHeld(
    sides,
    { of: 'concept', expected: ({ census }) => heldConcepts(counted.concepts, census) },
    conceptsLater(sides),
  )
  compareCensus(sides, await takeCensus(run))
  const digests = { Primitive, Intent: joined(each), Concept }
  const { differences, first } = found
  const isAt = all.every(({ of, state }) => state.position >= headIn(heads, of))
  return {
    standing: differences > 0 ? 'differs' : isAt ? 'same' : 'behind',
    realm: held.control.realm,
    position,
    head: headIn(heads, control.of),
    primitives: graph.size,
    intents: cells.reduce((sum, { intents }) => sum + intents, 0),
    from: hasCells ? 0 : (cells[0]?.from ?? 0),
    digest: joined(Object.values(digests)),
    digests,
    differences,
    first,
    ...(hasCells && { cells }),
  }
}

function joined(all: readonly Digests[]): Digests {
  const [one] = all
  if (one !== undefined && all.length === 1) return one
  return {
    here: digestOf(all.map(({ here }) => here).join('\n')),
    there: digestOf(all.map(({ there }) => there).join('\n')),
  }
}

/** All of one label, or the intents of one cell. */
interface Label extends Pick<ProjectionDifference, 'of' | 'cell'> {
  /** In stored order; made once more where something differs, and then counted for nothing. */
  readonly expected: (counted: ProjectedCounts) => Iterable<Held>
}

async function compareHeld(
  { counted, found }: Pick<Sides, 'counted' | 'found'>,
  { expected, ...which }: Label,
  held: AsyncIterable<Held>,
): Promise<Digests> {
  const left = new Map<string, { readonly digest: string; readonly nth: number }>()
  for (const { id, text } of expected(counted)) {
    left.set(id, { digest: digestOf(text), nth: left.size })
  }
  const here = [...left.values()].map(({ digest }) => digest)
  const there: string[] = []
  const differing = new Map<string, Pick<ProjectionDifference, 'what' | 'there'>>()
  let last = -1
  for await (const { id, name, text } of held) {
    const digest = digestOf(text)
    there.push(digest)
    const same = left.get(id)
    left.delete(id)
    if (same === undefined) {
      found.note({ ...which, name, what: 'extra', here: null, there: text })
      continue
    }
    const isInOrder = which.of !== 'primitive' || same.nth > last
    last = same.nth
    if (same.digest === digest && isInOrder) continue
    // Only so many are shown with what they hold.
    const shown = differing.size < shownMax ? text : ''
    differing.set(id, { what: isInOrder ? 'differs' : 'out_of_order', there: shown })
  }
  for (const id of left.keys()) differing.set(id, { what: 'missing', there: null })
  if (differing.size > 0) {
    for (const { id, name, text } of expected(newProjectedCounts())) {
      const difference = differing.get(id)
      if (difference !== undefined) found.note({ ...which, name, here: text, ...difference })
    }
  }
  // Concepts have no order.
  const inOrder = (all: string[]) => (which.of === 'concept' ? all.toSorted() : all).join('\n')
  return { here: digestOf(inOrder(here)), there: digestOf(inOrder(there)) }
}

function compareIntents(sides: Sides, folding: Folding, from: number): Promise<Digests> {
  const { foldings, run, held, numbers, earlier } = sides
  const { of, first } = folding
  const { graph } = foldings.control.state
  const isPartial = markOfLog(held, of).from < first
  async function* later(): AsyncGenerator<Held> {
    for await (const intent of intentsHeld(run, { cell: of.cell, edges: numbers.edges })) {
      if (!isPartial || intent.position > first) {
        yield intent
        continue
      }
      for (const [what, many] of intent.counts) addToCensus(earlier.census, what, many)
      for (const key of intent.concepts) earlier.concepts.set(key, key)
    }
  }
  const label: Label = {
    of: 'intent',
    ...(of.cell !== null && { cell: of.cell }),
    expected: (counted) => heldIntents(graph, judgedAfter(foldings, folding, from), counted),
  }
  return compareHeld(sides, label, later())
}

/** Those that no earlier part of the log speaks of; the others are counted. */
async function* conceptsLater({ run, earlier }: Sides): AsyncGenerator<Held> {
  for await (const concept of conceptsHeld(run)) {
    if (earlier.concepts.has(concept.id)) addToCensus(earlier.census, 'Concept', 1)
    else yield concept
  }
}

/** How far it is, as its nodes say. */
function compareMarks({ held, foldings, numbers, counted, found }: Sides): void {
  for (const { of, state, last } of foldings.all) {
    const mark = markOfLog(held, of)
    const { position, graphRevision, catalogRevision, eras } = state
    // A log begins with its first fact, or with what an era opened with.
    const isBeginning = mark.from === 0 || eras.some(({ to }) => to === mark.from)
    // Where it was written from a snapshot alone, it names no fact.
    const fact = position === mark.from ? null : last
    const expected = {
      realm: of.realm,
      reached: position,
      position,
      from: isBeginning ? mark.from : 0,
      fact: fact?.name,
      digest: fact?.digest,
    }
    const [label, name] =
      of.cell === null ? ['Projection', 'Projection'] : ['Cell', `Cell ${of.cell}`]
    const node = of.cell === null ? held.nodes.control : nodeOfCell(held, of.cell)
    const there = saidThere(node, label)
    const rest =
      of.cell === null
        ? { only: true, graphRevision, catalogRevision, ...numbered(there, numbers) }
        : { cell: of.cell }
    found.compare({ of: 'mark', name }, canonical({ ...expected, ...rest }), canonical(there))
    addToCensus(counted.census, label, 1)
  }
}

function nodeOfCell({ cells, nodes }: HeldMarks, cell: number): JsonMap {
  const nth = cells.findIndex((mark) => mark.cell === cell)
  return nodes.cells[nth] ?? {}
}

/** How far they were numbered depends on how the writing was divided. */
function numbered(there: JsonMap, { place, order }: HeldNumbers) {
  return {
    places: Math.max(numberHeld(there['places']), place + 1),
    orders: Math.max(numberHeld(there['orders']), order + 1),
  }
}

/** How many there are of each; what the log does not say should not be there at all. */
function compareCensus({ counted, earlier, found }: Sides, there: Census): void {
  for (const name of new Set([...there.keys(), ...counted.census.keys()])) {
    const expected = (counted.census.get(name) ?? 0) + (earlier.census.get(name) ?? 0)
    found.compare({ of: 'count', name }, String(expected), String(there.get(name) ?? 0))
  }
}
