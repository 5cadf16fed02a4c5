// The catalog, now or as it was at a moment, and what differs between two moments of it or of the
// graph.
import type { Context, Hono } from 'hono'
import { catalogChanges } from '#rules/catalog/catalog-difference'
import { catalogToFile } from '#rules/catalog/catalog-file'
import { primitiveToFile } from '#knowledge/graph/graph'
import { recordAt, type Graph } from '#knowledge/graph/revision'
import { jsonOf } from '#record/canonical'
import { wholeOf } from '#present/picture/of-graph'
import type { Revised } from '#replay/eras/state-at'
import {
  CatalogQuery,
  CompareQuery,
  type CatalogShown,
  type CompareAnswer,
} from '#schemas/console/reading'
import { knownThen, type KnowledgeThen } from '#operations/finding/then'
import { realmServed } from '../asked.ts'
import type { ConsoleOn } from '../console.ts'
import { addFor, queryAsked } from '../routed.ts'
import { jsonDifferences, type JsonDifference } from '#present/console/json-difference'
import { pointerToken } from '#record/pointer-token'

/** The log is folded up to a moment. */
const thenCost = 10
const differencesMax = 1_000

export function addKnown(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'catalog', async ({ c }) => c.json(await catalogIn(on, c)), thenCost)
  addFor(app, on, 'compare', async ({ c }) => c.json(await comparedIn(on, c)), thenCost)
}

async function catalogIn(on: ConsoleOn, c: Context): Promise<CatalogShown> {
  const { at } = queryAsked(c, CatalogQuery)
  const {
    catalog,
    catalogRevision: revision,
    position,
  } = await knownThen(realmServed(on), at, 'catalog')
  return { position, revision, catalog: catalogToFile(catalog) }
}

async function comparedIn(on: ConsoleOn, c: Context): Promise<CompareAnswer> {
  const { of, from, to } = queryAsked(c, CompareQuery)
  const before = await knownThen(realmServed(on), from, of)
  const after = await knownThen(realmServed(on), to, of)
  const all = of === 'graph' ? graphDiffers(before, after) : catalogDiffers(before, after)
  const differences = all.slice(0, differencesMax)
  const isCut = differences.length < all.length
  return { from: standOf(before, of), to: standOf(after, of), differences, isCut }
}

function standOf({ position, graphRevision, catalogRevision }: KnowledgeThen, of: Revised) {
  return { position, revision: of === 'graph' ? graphRevision : catalogRevision }
}

function catalogDiffers(before: KnowledgeThen, after: KnowledgeThen): JsonDifference[] {
  return catalogChanges(before.catalog, after.catalog).flatMap((change) => {
    const place = change.collection === null ? '' : `/${change.collection}`
    return differing(`${place}/${pointerToken(change.id)}`, change.before, change.after)
  })
}

function graphDiffers(before: KnowledgeThen, after: KnowledgeThen): JsonDifference[] {
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
