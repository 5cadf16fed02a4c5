// A graph that is too large to draw, in parts: what lies around its most connected concepts, and
// how the parts lead to each other. The same graph always falls into the same parts.
import { primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import { relationTypes, type RelationType } from '#schemas/graph'

export interface OverviewPart {
  /** Its most connected concept, by which it is named. */
  readonly name: string
  readonly count: number
  /** Some of the others, the most connected first. */
  readonly names: readonly string[]
}

export interface Overview {
  /** By how deeply they are known; null where not even that they exist is. */
  readonly levels: readonly { readonly level: number | null; readonly count: number }[]
  readonly types: readonly { readonly type: RelationType; readonly count: number }[]
  /** The largest first. */
  readonly parts: readonly OverviewPart[]
  /** Places in the list of parts, and how many relations lead there; the strongest first. */
  readonly links: readonly { readonly from: number; readonly to: number; readonly count: number }[]
  /** How many concepts are in no part that is listed. */
  readonly apart: number
}

const partsMax = 48
const linksMax = 72
const namesMax = 8
/** A part can be drawn, and few parts make the whole. */
const sizeMin = 24
const sizeMax = 250
const smallMax = 6
const partsWanted = 40

export function overviewOf(graph: Graph): Overview {
  const listed = partsOf(graph).slice(0, partsMax)
  const placeOf = new Map(listed.flatMap((part, place) => part.map((id) => [id, place] as const)))
  const names = (part: readonly number[]): readonly string[] => {
    return part.slice(0, namesMax + 1).map((id) => recordAt(graph, id).name)
  }
  return {
    levels: levelsIn(graph),
    types: typesIn(graph),
    parts: listed.map((part) => {
      const [name = '', ...others] = names(part)
      return { name, count: part.length, names: others }
    }),
    links: linksIn(graph, placeOf),
    apart: graph.size - placeOf.size,
  }
}

/** The ids of the part of that name; empty where no part is named so. */
export function partNamed(graph: Graph, name: string): readonly number[] {
  const part = partsOf(graph).find(([first]) => {
    return first !== undefined && recordAt(graph, first).name === name
  })
  return part ?? []
}

type Near = ReadonlyMap<number, ReadonlySet<number>>

function neighboursIn(graph: Graph): Near {
  const near = new Map<number, Set<number>>()
  for (const [id] of primitivesOf(graph)) near.set(id, new Set())
  for (const [id, { edges }] of primitivesOf(graph)) {
    for (const { target } of edges) {
      if (target === id) continue
      near.get(id)?.add(target)
      near.get(target)?.add(id)
    }
  }
  return near
}

type SizeOf = (id: number) => number

type Parts = readonly (readonly number[])[]

/** A revision never changes, and who looks at its overview opens its parts next. */
const known = new WeakMap<Graph, Parts>()

function partsOf(graph: Graph): Parts {
  const before = known.get(graph)
  if (before !== undefined) return before
  const ids = [...primitivesOf(graph)].map(([id]) => id)
  const parts = partsAmong(ids, neighboursIn(graph))
  known.set(graph, parts)
  return parts
}

/** Each with its most connected first; the largest part first. */
function partsAmong(ids: readonly number[], near: Near): Parts {
  const sizeOf: SizeOf = (id) => near.get(id)?.size ?? 0
  const inOrder = (all: readonly number[]): readonly number[] => {
    return all.toSorted((one, other) => sizeOf(other) - sizeOf(one) || one - other)
  }
  const size = Math.min(sizeMax, Math.max(sizeMin, Math.ceil(ids.length / partsWanted)))
  const grown = new Map<number, number[]>()
  const taken = new Map<number, number>()
  for (const id of inOrder(ids)) {
    if (!taken.has(id)) grown.set(id, around(id, { near, taken, size }))
  }
  joinSmall(grown, { near, taken })
  return [...grown]
    .map(([first, part]) => [first, ...inOrder(part.filter((id) => id !== first))])
    .toSorted((one, other) => other.length - one.length || (one[0] ?? 0) - (other[0] ?? 0))
}

interface Taking {
  readonly near: Near
  /** In whose part each is. */
  readonly taken: Map<number, number>
  readonly size: number
}

/**
 * The nearest that no other part has, up to a size. What has more around itself than would go in
 * is left to be a part of its own, so that few are cut off from what they hang on.
 */
function around(from: number, { near, taken, size }: Taking): number[] {
  const part = [from]
  taken.set(from, from)
  let coming = 0
  for (let at = 0; at < part.length && part.length < size; at += 1) {
    const id = part[at] ?? from
    if (at > 0) coming -= beyond(near, id)
    const beside = [...(near.get(id) ?? [])].toSorted((one, other) => {
      return beyond(near, one) - beyond(near, other) || one - other
    })
    for (const next of beside) {
      if (part.length >= size) break
      const more = beyond(near, next)
      if (taken.has(next) || part.length + coming + more > size) continue
      taken.set(next, from)
      part.push(next)
      coming += more
    }
  }
  return part
}

/** How many it may bring along: all but the one it is reached from. */
function beyond(near: Near, id: number): number {
  return (near.get(id)?.size ?? 1) - 1
}

/** What is too small to be looked at by itself joins what it hangs on. */
function joinSmall(
  grown: Map<number, number[]>,
  { near, taken }: Pick<Taking, 'near' | 'taken'>,
): void {
  for (const [first, part] of grown) {
    if (part.length >= smallMax) continue
    const beside = part
      .flatMap((id) => [...(near.get(id) ?? [])])
      .flatMap((id) => taken.get(id) ?? [])
      .find((other) => other !== first)
    const joined = beside === undefined ? undefined : grown.get(beside)
    if (beside === undefined || joined === undefined) continue
    for (const id of part) taken.set(id, beside)
    joined.push(...part)
    grown.delete(first)
  }
}

function linksIn(graph: Graph, placeOf: ReadonlyMap<number, number>): Overview['links'] {
  const links = new Map<string, { readonly from: number; readonly to: number; count: number }>()
  for (const [id, { edges }] of primitivesOf(graph)) {
    for (const { target } of edges) {
      const [from, to] = [placeOf.get(id), placeOf.get(target)]
      if (from === undefined || to === undefined || from === to) continue
      const key = `${from} ${to}`
      const link = links.get(key) ?? { from, to, count: 0 }
      link.count += 1
      links.set(key, link)
    }
  }
  const strongest = [...links.values()].toSorted((one, other) => {
    return other.count - one.count || one.from - other.from || one.to - other.to
  })
  return strongest.slice(0, linksMax)
}

function levelsIn(graph: Graph): Overview['levels'] {
  const counts = new Map<number, number>()
  for (const [, { strict }] of primitivesOf(graph)) {
    counts.set(strict, (counts.get(strict) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([level, count]) => ({ level: level < 0 ? null : level, count }))
}

function typesIn(graph: Graph): Overview['types'] {
  const counts = new Map<RelationType, number>()
  for (const [, { edges }] of primitivesOf(graph)) {
    for (const { type } of edges) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return relationTypes.flatMap((type) => {
    const count = counts.get(type) ?? 0
    return count === 0 ? [] : [{ type, count }]
  })
}
