// What Neo4j holds, primitive by primitive and intent by intent, as it is to be compared with what
// the log says: whatever a hand has put there is in it, and nothing of it is believed.
import { canonical, isList, type Json, type JsonMap } from '#record/canonical'
import { addToCensus, intentText, type Census, type Held } from '../projection/held.ts'
import { relationTypes } from '#schemas/graph'
import type { CypherRow, RunCypher } from './link.ts'
import { projectedLabels } from './model.ts'

/** What was numbered, by which some of it is found. */
export interface HeldNumbers {
  place: number
  order: number
  /** How an edge is called whose policies may have stopped an intent. */
  readonly edges: Map<number, JsonMap>
  readonly orders: Set<number>
}

export function newNumbers(): HeldNumbers {
  return { place: -1, order: -1, edges: new Map(), orders: new Set() }
}

const relations = relationTypes.join('|')
const types = new Set<string>([
  ...relationTypes,
  'HAS_LEVEL',
  'ON_SOURCE',
  'ON_TARGET',
  'READS_AS',
  'TOUCHED',
  'LACKED',
  'STOPPED_BY',
])

const primitives = `MATCH (p:Primitive) WHERE p.place > $after
  WITH p ORDER BY p.place LIMIT $pageMax
  RETURN p.place AS page, properties(p) AS node, labels(p) AS labels,
    [(p)-[r:HAS_LEVEL]->(n) | {node: properties(n), labels: labels(n), tie: properties(r)}]
      AS levels,
    [(p)-[r:READS_AS]->(n) | {node: properties(n), labels: labels(n), tie: properties(r)}]
      AS words,
    [(p)-[r:${relations}]->(to) | {edge: properties(r), type: type(r),
      target: CASE WHEN to:Primitive THEN to.key END}] AS edges,
    [(p)<-[r:ON_SOURCE]-(n) | {node: properties(n), labels: labels(n), tie: properties(r),
      ends: [(n)-[of:ON_TARGET]->(to) | {node: {key: to.key}, labels: labels(to),
        tie: properties(of)}]}] AS policies
  ORDER BY p.place`

/** The primitives in stored order. */
export async function* primitivesHeld(run: RunCypher, numbers: HeldNumbers): AsyncGenerator<Held> {
  for await (const row of inPages(run, primitives)) {
    const { place } = mapOf(row['node'])
    const isPlace = typeof place === 'number'
    if (isPlace) numbers.place = Math.max(numbers.place, place)
    const node = saidThere(row, 'Primitive', { place: isPlace ? place : null })
    const key = textOf(node['key'])
    const policies = mapsOf(row['policies']).map((policy) => {
      const { edge } = mapOf(policy['node'])
      return { edge, policy: { ...saidThere(policy, 'Policy', { edge }), ends: endsOf(policy) } }
    })
    const edges = inOrder(mapsOf(row['edges']), ({ edge }) => {
      const { sourceDepth, order } = mapOf(edge)
      return [sourceDepth, order]
    })
    const text = canonical({
      node,
      levels: inOrder(mapsOf(row['levels']), ({ node: level }) => [mapOf(level)['level']]).map(
        (level) => saidThere(level, 'Level', { of: place }),
      ),
      edges: edgesOf(edges, { key, policies, numbers }),
      words: mapsOf(row['words'])
        .map((word) => saidThere(word, 'Word'))
        .toSorted((one, other) => (textOf(one['text']) < textOf(other['text']) ? -1 : 1)),
      stray: strayIn(policies, edges),
    })
    yield { id: key, name: textOf(node['name']), text }
  }
}

interface ReadPolicy {
  readonly edge: Json | undefined
  readonly policy: JsonMap
}

function endsOf({ ends }: JsonMap): Json {
  return mapsOf(ends).map((end) => saidThere(end, 'Primitive'))
}

/** Policies of no edge; absent where there are none. */
function strayIn(policies: readonly ReadPolicy[], edges: readonly JsonMap[]): Json | undefined {
  const orders = new Set(edges.map(({ edge }) => mapOf(edge)['order']))
  const stray = policies.filter(({ edge }) => !orders.has(edge)).map(({ policy }) => policy)
  return stray.length === 0 ? undefined : stray
}

interface OfPrimitive {
  readonly key: string
  readonly policies: readonly ReadPolicy[]
  readonly numbers: HeldNumbers
}

/** A number is shown where it is not one, or another edge has it. */
function edgesOf(edges: readonly JsonMap[], { key, policies, numbers }: OfPrimitive): Json {
  const alike = new Map<string, number>()
  return edges.map(({ edge, type, target = null }) => {
    const { order, ...rest } = mapOf(edge)
    const own = policies.filter(({ edge: of }) => of === order).map(({ policy }) => policy)
    const shown = inOrder(own, ({ nth }) => [nth])
    const level = rest['sourceDepth']
    const kind = canonical([type ?? null, level ?? null, target])
    const nth = alike.get(kind) ?? 0
    alike.set(kind, nth + 1)
    const isOwn = typeof order === 'number' && order >= 0 && !numbers.orders.has(order)
    if (isOwn) {
      numbers.orders.add(order)
      numbers.order = Math.max(numbers.order, order)
      if (shown.length > 0) numbers.edges.set(order, { key, target, type, level, alike: nth })
    }
    return { type, target, edge: isOwn ? rest : { order: order ?? null, ...rest }, shown }
  })
}

const tied = (type: string) => `[(i)-[r:${type}]->(n) |
  {node: n{.key, .edge, .nth}, labels: labels(n), tie: properties(r)}]`

const intents = (whose: string) => `MATCH (i:Intent) WHERE ${whose}i.position > $after
  WITH i ORDER BY i.position LIMIT $pageMax
  RETURN i.position AS page, properties(i) AS node, labels(i) AS labels,
    ${tied('TOUCHED')} AS touched, ${tied('LACKED')} AS lacked, ${tied('STOPPED_BY')} AS stopped
  ORDER BY i.position`

/** An intent, with what of it is counted. */
export interface HeldIntent extends Held {
  readonly position: number
  readonly counts: readonly (readonly [string, number])[]
  /** The keys of concepts that it lacked. */
  readonly concepts: readonly string[]
}

/** By the positions of their verdicts; those of one cell, or of all where it is null. */
export async function* intentsHeld(
  run: RunCypher,
  { cell, edges }: Pick<HeldNumbers, 'edges'> & { readonly cell: number | null },
): AsyncGenerator<HeldIntent> {
  const query = intents(cell === null ? '' : 'i.cell = $cell AND ')
  for await (const row of inPages(run, query, { cell })) {
    const node = saidThere(row, 'Intent')
    const [touched, lacked, stopped] = [row['touched'], row['lacked'], row['stopped']].map(mapsOf)
    const ties = {
      touched: (touched ?? []).map(endOf),
      lacked: (lacked ?? []).map(endOf),
      stopped: (stopped ?? []).map((tie) => {
        const { edge, ...rest } = endOf(tie)
        return { ...rest, edge: (typeof edge === 'number' ? edges.get(edge) : undefined) ?? edge }
      }),
    }
    yield {
      id: textOf(node['position']),
      name: textOf(node['address']),
      text: intentText(node, ties),
      position: numberHeld(node['position']),
      counts: [
        ['Intent', 1],
        ['TOUCHED', ties.touched.length],
        ['LACKED', ties.lacked.length],
        ['STOPPED_BY', ties.stopped.length],
      ],
      concepts: ties.lacked
        .filter(({ label }) => label === 'Concept')
        .map(({ key }) => textOf(key)),
    }
  }
}

function endOf({ node, labels, tie }: JsonMap): JsonMap {
  return { ...present(mapOf(node)), label: textsOf(labels).join(', '), tie: mapOf(tie) }
}

const concepts = `MATCH (n:Concept) WHERE n.key > $after
  WITH n ORDER BY n.key LIMIT $pageMax
  RETURN n.key AS page, properties(n) AS node, labels(n) AS labels ORDER BY n.key`

/** In an order of the database's own. */
export async function* conceptsHeld(run: RunCypher): AsyncGenerator<Held> {
  for await (const row of inPages(run, concepts, {}, '')) {
    const node = saidThere(row, 'Concept')
    yield { id: textOf(node['key']), name: textOf(node['name']), text: canonical(node) }
  }
}

/** How many of each there are in all, so that nothing is there unseen. */
export async function takeCensus(run: RunCypher): Promise<Census> {
  const census: Census = new Map([
    ['other nodes', 0],
    ['other relations', 0],
  ])
  const labels = new Set<string>(projectedLabels)
  for (const row of await run('MATCH (n) RETURN labels(n) AS labels, count(n) AS count')) {
    const ours = textsOf(row['labels']).filter((label) => labels.has(label))
    const found = numberHeld(row['count'])
    for (const label of ours.length === 0 ? ['other nodes'] : ours)
      addToCensus(census, label, found)
  }
  for (const row of await run('MATCH ()-[r]->() RETURN type(r) AS type, count(r) AS count')) {
    const type = textOf(row['type'])
    addToCensus(census, types.has(type) ? type : 'other relations', numberHeld(row['count']))
  }
  return census
}

const pageMax = 500

/** In pages, for all at once could be more than fit into memory: each begins after the last. */
export async function* inPages(
  run: RunCypher,
  cypher: string,
  params: Readonly<Record<string, unknown>> = {},
  first: number | string = -1,
): AsyncGenerator<CypherRow> {
  for (let after = first; ;) {
    const rows = await run(cypher, { ...params, after, pageMax })
    yield* rows
    const last = rows.at(-1)?.['page']
    if (rows.length < pageMax) return
    after = typeof last === 'string' ? last : numberHeld(last)
  }
}

/**
 * What a node says, but for numbers that only order, where they are as they should be; its labels
 * are there where they are not the one that it should have, and what its tie says where that is
 * anything.
 */
export function saidThere(
  { node, labels, tie }: CypherRow,
  label: string,
  orders: JsonMap = {},
): JsonMap {
  const properties = new Map(Object.entries(mapOf(node)))
  for (const [name, value] of Object.entries(orders)) {
    if (properties.get(name) === value) properties.delete(name)
    else properties.set(name, properties.get(name) ?? null)
  }
  const [found, more] = [textsOf(labels), mapOf(tie)]
  const isPlain = found.length === 1 && found[0] === label
  return {
    ...Object.fromEntries(properties),
    ...(!isPlain && { labels: found.toSorted() }),
    ...(Object.keys(more).length > 0 && { tie: more }),
  }
}

/** A property that is null is not there. */
function present(map: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null))
}

/** By numbers; what is not a number comes first. */
function inOrder<T>(
  list: readonly T[],
  by: (each: T) => readonly (Json | undefined)[],
): readonly T[] {
  return list.toSorted((one, other) => {
    const [these, those] = [by(one), by(other)]
    for (const [index, value] of these.entries()) {
      const difference = numberHeld(value) - numberHeld(those[index])
      if (difference !== 0) return difference
    }
    return 0
  })
}

/** Also of a number that should have been stored as whole. */
export function numberHeld(value: Json | undefined): number {
  const number = typeof value === 'number' ? value : Number(mapOf(value)['float'] ?? -1)
  return Number.isNaN(number) ? -1 : number
}

function mapOf(value: Json | undefined): JsonMap {
  return typeof value === 'object' && value !== null && !isList(value) ? value : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return typeof value === 'object' && value !== null && isList(value) ? value : []
}

function mapsOf(value: Json | undefined): readonly JsonMap[] {
  return listOf(value).map(mapOf)
}

export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).map(textOf)
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : canonical(value ?? null)
}
