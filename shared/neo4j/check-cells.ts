// The same check where a realm has cells: the graph by the control log, and the intents of each
// cell by its own.
import { earlierCensus, takeCensus } from './driver/census.ts'
import { cellMarks, cellOfMarks, heldCells, type CellMarks } from './driver/cells/mark.ts'
import { hasPrimitive, heldPrimitives, numbered } from './driver/held-graph.ts'
import { heldConcepts, heldIntentsOf } from './driver/held-intents.ts'
import type { RunCypher } from './driver/link.ts'
import { withMarkHeld, type HeldMark } from './driver/mark.ts'
import { schemaFlaws } from './driver/schema.ts'
import { digestOf } from '#record/digest'
import { assert } from '#record/fault'
import { censusOf, chainedDigest, type Census } from './projection/held.ts'
import { heldIntentsIn, intentCensus, newCounts } from './projection/held-intents.ts'
import {
  addVersion,
  carried,
  newHistory,
  versionOfRevision,
  type GraphHistory,
} from './projection/history.ts'
import type { Judged } from './projection/intent-writes.ts'
import { cellStepOf, projectionStepOf } from './projection/step.ts'
import { soundBeginningOf } from '#replay/eras/beginning'
import {
  caughtUpWith,
  readMark,
  sumOf,
  without,
  type ComparedCell,
  type ProjectionCheck,
  type ProjectionCheckOptions,
  type Uncompared,
} from './check.ts'
import type { CellLog } from './cells-begin.ts'
import { foldTo, isOtherLog, newFolding, type Folding } from './check-fold.ts'
import { comparePrimitives } from './compare-graph.ts'
import { compareConcepts, compareIntents } from './compare-intents.ts'
import { compareCellMark, compareCensus, compareMark } from './compare-rest.ts'
import { addFound, compareTexts, newFound, type Found } from './found.ts'

/** The log is the control log. */
export interface CellsCheckOptions extends ProjectionCheckOptions {
  readonly cells: readonly CellLog[]
}

/** Where the logs ended when the check began. */
interface Heads {
  readonly control: number
  /** In the order of the cells. */
  readonly cells: readonly number[]
}

/** What a cell's log says of intents, each with the revision that it was judged at. */
interface CellFolding {
  readonly of: CellLog
  readonly folding: Folding
  readonly judged: { readonly judged: Judged; readonly revision: number }[]
}

interface Foldings {
  readonly control: Folding
  readonly history: GraphHistory
  readonly cells: readonly CellFolding[]
}

/** Throws a Fault where nothing was ever projected. */
export async function checkCells(options: CellsCheckOptions): Promise<ProjectionCheck> {
  const { log, realm, link, timer } = options
  const heads = await headsOf(options)
  const marks = await caughtUpWith(
    timer,
    () => readMark(() => cellMarks(link)),
    (now: CellMarks) => isBehind(now, heads),
  )
  if (marks === null) return { standing: 'broken', realm, position: 0, head: heads.control }
  // A projector may have brought it further than the ends were when the check began.
  const flaw = await flawOf(options, marks, await headsOf(options))
  if (flaw !== null) return flaw
  const foldings = await begun(options)
  const cut = foldings.cells.find(({ of, folding }) => {
    return cellOfMarks(marks.cells, of.cell).reached < folding.first
  })
  if (cut !== undefined) return { standing: 'cut_off', ...cellAt(marks, heads, cut.of) }
  // What takes long is done before anyone has to wait for it.
  await foldAll(foldings, marks)
  if (isOtherLog(marks.control, foldings.control)) {
    const position = marks.control.reached ?? 0
    return { standing: 'other_log', realm, position, head: heads.control }
  }
  const other = foldings.cells.find(({ of, folding }) => {
    return isOtherLog(cellOfMarks(marks.cells, of.cell), folding)
  })
  if (other !== undefined) return { standing: 'other_log', ...cellAt(marks, heads, other.of) }
  const found = newFound()
  for (const { name, here, there } of await schemaFlaws(link, 'cells')) {
    compareTexts(found, { of: 'schema', name }, here, there)
  }
  return withMarkHeld(link, async (run, held) => {
    const cells = await heldCells(run)
    const now = { control: held.mark, cells: cells.map(({ mark }) => mark) }
    const moved = await flawOf(options, now, await headsOf({ ...options, log }))
    if (moved !== null) return moved
    await foldAll(foldings, now)
    const all = { ...found, first: [...found.first] }
    return compared({ run, held, cells, foldings, heads }, all)
  })
}

async function headsOf({ log, cells }: CellsCheckOptions): Promise<Heads> {
  // A cell never has more of what all share than the control log had before.
  const each = await Promise.all(cells.map((cell) => cell.log.head()))
  const { position: control } = await log.head()
  return { control, cells: each.map(({ position }) => position) }
}

function isBehind({ control, cells }: CellMarks, heads: Heads): boolean {
  const isRebuilt = control.rebuild !== null || cells.some(({ rebuild }) => rebuild !== null)
  if (isRebuilt || control.reached === null) return false
  const behind = cells.some(({ cell, reached }) => reached < (heads.cells[cell] ?? 0))
  return behind || control.reached < heads.control
}

/** Why nothing can be compared; null where it can. */
async function flawOf(
  { realm, cells }: CellsCheckOptions,
  marks: CellMarks,
  heads: Heads,
): Promise<Uncompared | null> {
  const { control } = marks
  const at = { realm: control.realm, position: control.reached ?? 0, head: heads.control }
  if (control.realm !== realm) return { standing: 'other_realm', ...at }
  if (control.rebuild !== null || control.reached === null) return { standing: 'incomplete', ...at }
  if (control.reached > heads.control) return { standing: 'other_log', ...at }
  for (const of of cells) {
    const mark = marks.cells.find(({ cell }) => cell === of.cell)
    const head = heads.cells[of.cell] ?? 0
    if (mark === undefined || mark.realm !== of.realm) {
      return { standing: 'broken', realm, cell: of.cell, position: 0, head }
    }
    const found = { realm, cell: of.cell, position: mark.reached, head }
    if (mark.rebuild !== null) return { standing: 'incomplete', ...found }
    if (mark.reached > head) return { standing: 'other_log', ...found }
  }
  return null
}

function cellAt({ control, cells }: CellMarks, heads: Heads, { cell }: CellLog) {
  const { reached: position } = cellOfMarks(cells, cell)
  return { realm: control.realm, cell, position, head: heads.cells[cell] ?? 0 }
}

async function begun(options: CellsCheckOptions): Promise<Foldings> {
  const { log, rootKey, onProgress } = options
  const progress = onProgress === undefined ? {} : { onProgress }
  const { state } = await soundBeginningOf(log, options, rootKey)
  const history = newHistory(state)
  const control = newFolding({
    log,
    state,
    take: ({ eve, state: after, fact, folded }) => {
      addVersion(history, after, projectionStepOf(eve, after, fact, folded))
    },
    ...progress,
  })
  const cells: CellFolding[] = []
  for (const of of options.cells) {
    const { state: first } = await soundBeginningOf(of.log, of, rootKey)
    const judged: CellFolding['judged'] = []
    const take: Folding['take'] = ({ eve, state: after, fact, folded }) => {
      if (folded.void !== null || eve.intent === null) return
      const { graphRevision: revision } = after
      const { graph } = versionOfRevision(history, revision)
      const step = cellStepOf(eve, { graph, cell: of.cell, state: after }, fact)
      if (step !== null && step.judged !== null) judged.push({ judged: step.judged, revision })
    }
    cells.push({
      of,
      judged,
      folding: newFolding({ log: of.log, state: first, take, ...progress }),
    })
  }
  return { control, history, cells }
}

/** The graph first: intents are tied to it. */
async function foldAll({ control, cells }: Foldings, marks: CellMarks): Promise<void> {
  await foldTo(control, marks.control.reached ?? 0)
  for (const { of, folding } of cells) {
    await foldTo(folding, cellOfMarks(marks.cells, of.cell).reached)
  }
}

interface Comparing {
  readonly run: RunCypher
  readonly held: HeldMark
  readonly cells: Awaited<ReturnType<typeof heldCells>>
  readonly foldings: Foldings
  readonly heads: Heads
}

async function compared(
  { run, held, cells, foldings, heads }: Comparing,
  found: Found,
): Promise<ProjectionCheck> {
  const { control, history } = foldings
  const { state, last } = control
  const { graph, position, graphRevision: to } = state
  const digest = { here: digestOf(''), there: digestOf('') }
  const received = (side: 'here' | 'there', text: string): void => {
    digest[side] = chainedDigest(digest[side], text)
  }
  compareMark(found, held, { state, last, numbered: await numbered(run) })
  const has = (key: string) => hasPrimitive(run, key)
  const heldGraph = { primitives: heldPrimitives(run), has }
  await comparePrimitives({ graph, held: heldGraph, found }, received)
  const counts = newCounts()
  const each: ComparedCell[] = []
  const partial: { readonly cell: number; readonly first: number }[] = []
  for (const { of, folding, judged } of foldings.cells) {
    const at = cells.find(({ mark }) => mark.cell === of.cell)
    assert(at !== undefined, 'each cell says how far it is')
    const { first } = folding
    const within = newFound()
    compareCellMark(found, at, { state: folding.state, last: folding.last, cell: of.cell })
    const from = Math.max(first, at.mark.from)
    const before = counts.intents
    const intents = heldIntentsIn(graph, tied(history, judged, to), { after: from, counts })
    const heldThere = heldIntentsOf(run, { cell: of.cell, from })
    await compareIntents({ intents }, heldThere, { found: within, received })
    addFound(found, within, of.cell)
    const ends = { position: folding.state.position, head: heads.cells[of.cell] ?? 0 }
    each.push({ cell: of.cell, ...ends, from, intents: counts.intents - before })
    if (at.mark.from < first) partial.push({ cell: of.cell, first })
  }
  const firsts = foldings.cells.map(({ folding }) => folding.first)
  const isPartial = partial.length > 0
  await compareConcepts(counts.concepts, heldConcepts(run, firsts), { found, isPartial })
  let here: Census = {
    ...censusOf(graph),
    ...intentCensus(counts),
    Projection: 1,
    Cell: each.length,
  }
  for (const { cell, first } of partial) here = sumOf(here, await earlierCensus(run, first, cell))
  const there = await takeCensus(run)
  compareCensus(found, here, isPartial ? without(there, 'Concept') : there)
  const { differences } = found
  const isAt = each.every((one) => one.position >= one.head) && position >= heads.control
  const standing = differences > 0 ? 'differs' : isAt ? 'same' : 'behind'
  const { size: primitives } = graph
  const { intents } = counts
  const of = { realm: held.mark.realm, position, head: heads.control, from: 0 }
  return { standing, ...of, primitives, intents, digest, ...found, cells: each }
}

/** As they are called in the graph of that revision. */
function* tied(history: GraphHistory, all: CellFolding['judged'], to: number): Generator<Judged> {
  for (const { judged, revision } of all) yield carried(history, judged, { from: revision, to })
}
