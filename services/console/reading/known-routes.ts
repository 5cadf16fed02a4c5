// The graph and the catalog, now or as they were at a moment, and what differs between two.
import type { Context, Hono } from 'hono'
import { catalogChanges } from '#rules/catalog/catalog-difference'
import { catalogToFile } from '#rules/catalog/catalog-file'
import { primitiveToFile } from '#knowledge/graph/graph'
import { findId, recordAt, type Graph } from '#knowledge/graph/revision'
import { jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { neighbourhoodOf, wholeOf } from '#present/picture/of-graph'
import { overviewOf, partNamed } from '#present/picture/overview'
import { stateAt, type KnownAt, type Moment, type Revised } from '#replay/eras/state-at'
import {
  CatalogQuery,
  CompareQuery,
  GraphQuery,
  OverviewQuery,
  type CatalogShown,
  type CompareAnswer,
  type GraphAnswer,
  type OverviewAnswer,
} from '#schemas/console/reading'
import { positionsOf, type LogPositions } from '#schemas/console/positions'
import { momentMeant, momentSpelling } from '#operations/finding/moment'
import type { ConsoleOn } from '../console.ts'
import { ofCell } from '../logs.ts'
import { addFor, queryAsked } from '../routed.ts'
import { jsonDifferences, type JsonDifference } from '#present/console/json-difference'
import { pointerToken } from '#record/pointer-token'

/** The log is folded up to a moment. */
const thenCost = 10
const conceptsMax = 300
const differencesMax = 1_000

export function addKnown(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'graph', async ({ c }) => c.json(await graphIn(on, c)), thenCost)
  addFor(app, on, 'graphOverview', async ({ c }) => c.json(await overviewIn(on, c)), thenCost)
  addFor(app, on, 'catalog', async ({ c }) => c.json(await catalogIn(on, c)), thenCost)
  addFor(app, on, 'compare', async ({ c }) => c.json(await comparedIn(on, c)), thenCost)
}

async function graphIn(on: ConsoleOn, c: Context): Promise<GraphAnswer> {
  const { concept, steps, at, search = '', part } = queryAsked(c, GraphQuery)
  const { graph, graphRevision: revision, position } = await thenOf(on, at, 'graph')
  const listed = (): readonly number[] =>
    part === undefined ? namesIn(graph, search) : partNamed(graph, part)
  const ids = concept === undefined ? listed() : around(graph, concept, steps)
  const shown = ids.slice(0, conceptsMax)
  const primitives = shown.map((id) => primitiveToFile(graph, recordAt(graph, id)))
  const isCut = shown.length < ids.length
  return { position, revision, count: wholeOf(graph).size, graph: { primitives }, isCut }
}

async function overviewIn(on: ConsoleOn, c: Context): Promise<OverviewAnswer> {
  const { at } = queryAsked(c, OverviewQuery)
  const { graph, graphRevision: revision, position } = await thenOf(on, at, 'graph')
  const { levels, types, parts, links, apart } = overviewOf(graph)
  return {
    position,
    revision,
    count: graph.size,
    levels: [...levels],
    types: [...types],
    parts: parts.map(({ name, count, names }) => ({ name, count, names: [...names] })),
    links: [...links],
    apart,
  }
}

async function catalogIn(on: ConsoleOn, c: Context): Promise<CatalogShown> {
  const { at } = queryAsked(c, CatalogQuery)
  const { catalog, catalogRevision: revision, position } = await thenOf(on, at, 'catalog')
  return { position, revision, catalog: catalogToFile(catalog) }
}

async function comparedIn(on: ConsoleOn, c: Context): Promise<CompareAnswer> {
  const { of, from, to } = queryAsked(c, CompareQuery)
  const before = await thenOf(on, from, of)
  const after = await thenOf(on, to, of)
  const all = of === 'graph' ? graphDiffers(before, after) : catalogDiffers(before, after)
  const differences = all.slice(0, differencesMax)
  const isCut = differences.length < all.length
  return { from: standOf(before, of), to: standOf(after, of), differences, isCut }
}

/** What was known then, and where that is in the logs. */
interface Then extends Omit<KnownAt, 'position'> {
  readonly position: LogPositions
}

/**
 * As it is now, if no moment is given. All cells know the same, each as soon as it has come to its
 * log: a moment is one of the first, unless it names another cell.
 */
async function thenOf(on: ConsoleOn, given: string | undefined, of: Revised): Promise<Then> {
  const { cell, moment } = given === undefined ? { moment: null } : momentIn(on, given)
  const at = on.logs.find((one) => ofCell(one).cell === cell) ?? on
  const { follower, log } = at.runtime
  const { state } = follower
  const history = { log, realm: state.place.realm, rootKey: state.rootKey }
  const known = moment === null ? state : await stateAt(history, moment, of)
  const { appendedAt, catalog, catalogRevision, graph, graphRevision } = known
  const position = positionsOf([{ ...ofCell(at), position: known.position }])
  return { position, appendedAt, catalog, catalogRevision, graph, graphRevision }
}

interface MomentIn {
  readonly cell?: number
  readonly moment: Exclude<Moment, { readonly at: 'end' }>
}

function momentIn(on: ConsoleOn, text: string): MomentIn {
  const [, index, rest = text] = /^c([0-9]{1,3})\.([0-9]+)$/.exec(text) ?? []
  const moment = momentMeant(rest)
  const cell = index === undefined ? {} : { cell: Number(index) }
  const isOne = on.logs.length === 1
  const isThere = on.logs.some((at) => ofCell(at).cell === cell.cell)
  if (moment === null || (index !== undefined && !isThere)) {
    throw new Fault('usage', `a moment is ${momentSpelling}`)
  }
  if (isOne || index !== undefined || moment.at !== 'position') return { ...cell, moment }
  throw new Fault('usage', 'a position is of one cell: `c1.40` is position 40 of cell 1')
}

function standOf({ position, graphRevision, catalogRevision }: Then, of: Revised) {
  return { position, revision: of === 'graph' ? graphRevision : catalogRevision }
}

function around(graph: Graph, concept: string, steps: number): readonly number[] {
  const id = findId(graph, concept)
  return id === undefined ? [] : [...neighbourhoodOf(graph, id, steps)]
}

function namesIn(graph: Graph, search: string): readonly number[] {
  const wanted = search.toLowerCase()
  return [...wholeOf(graph)].filter((id) => {
    return recordAt(graph, id).name.toLowerCase().startsWith(wanted)
  })
}

function catalogDiffers(before: Then, after: Then): JsonDifference[] {
  return catalogChanges(before.catalog, after.catalog).flatMap((change) => {
    const place = change.collection === null ? '' : `/${change.collection}`
    return differing(`${place}/${pointerToken(change.id)}`, change.before, change.after)
  })
}

function graphDiffers(before: Then, after: Then): JsonDifference[] {
  const [had, has] = [namedIn(before.graph), namedIn(after.graph)]
  const names = [...new Set([...had.keys(), ...has.keys()])].toSorted()
  return names.flatMap((name) => {
    return differing(
      `/primitives/${pointerToken(name)}`,
      had.get(name) ?? null,
      has.get(name) ?? null,
    )
  })
}

function namedIn(graph: Graph): ReadonlyMap<string, unknown> {
  const records = [...wholeOf(graph)].map((id) => recordAt(graph, id))
  return new Map(records.map((record) => [record.name, primitiveToFile(graph, record)]))
}

/** Null stands for what was not there. */
function differing(pointer: string, before: unknown, now: unknown): JsonDifference[] {
  if (before === null) return [{ pointer, now: jsonOf(now) }]
  if (now === null) return [{ pointer, before: jsonOf(before) }]
  return jsonDifferences(jsonOf(before), jsonOf(now), differencesMax).map((one) => {
    return { ...one, pointer: `${pointer}${one.pointer}` }
  })
}
