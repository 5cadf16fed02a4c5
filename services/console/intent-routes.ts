// All that the log has on one intent as a file for others, and what a browser needs to derive it
// again.
import type { Context, Hono } from 'hono'
import { Fault } from '#record/fault'
import { factAbout } from '#runtime/engine/binding'
import { tracedIn } from '#operations/traces'
import type { Reported } from '#present/story/reported'
import {
  PageQuery,
  CatalogQuery,
  CompareQuery,
  type DeriveAnswer,
  type CatalogShown,
  type CompareAnswer,
} from '#schemas/console/reading'
import type { ConsoleOn } from './console.ts'
import { stages } from '#workers/stages'
import { ofCell } from './logs.ts'
import { isAddress } from '#operations/found-review'
import { addFor, queryAsked } from './routed.ts'
import { catalogChanges } from '#rules/catalog/catalog-difference'
import { catalogToFile } from '#rules/catalog/catalog-file'
import { primitiveToFile } from '#knowledge/graph/graph'
import { recordAt, type Graph } from '#knowledge/graph/revision'
import { jsonOf } from '#record/canonical'
import { wholeOf } from '#present/picture/of-graph'
import type { Revised } from '#replay/eras/state-at'
import { knownThen, type KnowledgeThen } from '#operations/finding/then'
import { realmServed } from './asked.ts'
import { jsonDifferences, type JsonDifference } from '#present/console/json-difference'
import { pointerToken } from '#record/pointer-token'

/** To say what counts, the log is folded up to its end. */
const evidenceCost = 20
const deriveCost = 5
/** The facts of one page of a derivation come to no more than this, or are one. */
const pageBytesMax = 4 * 1024 * 1024

export function addIntentViews(app: Hono, on: ConsoleOn): void {
  addFor(app, on, 'evidence', async ({ on: at, c }) => evidenceIn(at, c), evidenceCost)
  addFor(app, on, 'derive', async ({ on: at, c }) => c.json(await sliceIn(at, c)), deriveCost)
}

async function traced({ runtime }: ConsoleOn, address: string) {
  const { log, clock, follower, callbacks } = runtime
  const { place } = follower.state
  if (!isAddress(place, address)) throw noIntent()
  const of = { log, place, now: clock.now(), deciders: { stages, callbacks } }
  const { facts } = await tracedIn(of, address)
  if (facts.length === 0) throw noIntent()
  return facts
}

function noIntent(): Fault {
  return new Fault('no_intent', 'the log has no intent of that address')
}

async function evidenceIn(on: ConsoleOn, c: Context): Promise<Response> {
  const intent = c.req.param('intent') ?? ''
  const facts = await traced(on, intent)
  const { log, root } = on.runtime.follower.state
  const head = { intent, log, root, facts: facts.length }
  const lines = [head, ...facts.map(evidenceOf)].map((line) => JSON.stringify(line))
  const file = `warrant-${intent.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 120)}.ndjson`
  return c.body(`${lines.join('\n')}\n`, 200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="${file}"`,
  })
}

/** Its bytes as they are: by these its signatures and digests verify. */
function evidenceOf({ position, appendedAt, name, bytes, void: why }: Reported) {
  return { position, appendedAt, name, void: why, bytes: Buffer.from(bytes).toString('base64') }
}

/** All facts up to its verdict, a page at a time; of an open intent up to now. */
async function sliceIn(on: ConsoleOn, c: Context): Promise<DeriveAnswer> {
  const { runtime } = on
  const { from = 1, limit } = queryAsked(c, PageQuery)
  const intent = c.req.param('intent') ?? ''
  const { state } = runtime.follower
  if (!isAddress(state.place, intent)) throw noIntent()
  const verdict = await factAbout(runtime, 'verdict', intent)
  if (verdict === undefined && !state.intents.has(intent)) throw noIntent()
  const end = verdict?.position ?? state.position
  const to = Math.min(end, from + limit - 1)
  const { realm } = state.place
  const facts: DeriveAnswer['facts'] = []
  const page = (next: number | null): DeriveAnswer => ({
    intent,
    realm,
    facts,
    next,
    ...ofCell(on),
  })
  let size = 0
  for await (const { position, name, appendedAt, bytes } of runtime.log.read({ from, to })) {
    size += bytes.length
    if (size > pageBytesMax && facts.length > 0) return page(position)
    facts.push({ position, name, appendedAt, bytes: Buffer.from(bytes).toString('base64') })
  }
  return page(to < end ? to + 1 : null)
}

// The catalog, now or as it was at a moment, and what differs between two moments of it or of the
// graph.

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
