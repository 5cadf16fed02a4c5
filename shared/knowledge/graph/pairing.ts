// Which primitive of one graph is which of another: the one of the same name, or else the only one
// that says exactly the same under a new name. Ids mean nothing here, since each graph has its
// own.
import { findFolded, primitivesOf, recordAt, type Graph } from './revision.ts'
import type { Edge, LevelRecord, PrimitiveRecord } from './record.ts'

/** Names that depend on each other's are found one round later; a longer chain is not reported. */
const roundsMax = 16

export interface Pairing {
  /** Ids of the graph before by ids of the graph after, and the other way round. */
  readonly before: ReadonlyMap<number, number>
  readonly after: ReadonlyMap<number, number>
}

export function paired(before: Graph, after: Graph): Pairing {
  const pairing = { before: new Map<number, number>(), after: new Map<number, number>() }
  const gone: number[] = []
  for (const [id, { folded }] of primitivesOf(before)) {
    const same = findFolded(after, folded)
    if (same === undefined) gone.push(id)
    else pair(pairing, id, same)
  }
  const come = [...primitivesOf(after)].map(([id]) => id).filter((id) => !pairing.before.has(id))
  pairRenamed({ graph: before, ids: gone }, { graph: after, ids: come }, pairing)
  return pairing
}

interface Unpaired {
  readonly graph: Graph
  readonly ids: readonly number[]
}

interface Maps {
  readonly before: Map<number, number>
  readonly after: Map<number, number>
}

function pair({ before, after }: Maps, one: number, other: number): void {
  before.set(other, one)
  after.set(one, other)
}

function pairRenamed(gone: Unpaired, come: Unpaired, maps: Maps): void {
  for (let round = 0; round < roundsMax; round += 1) {
    const found = maps.after.size
    if (gone.ids.length === 0 || come.ids.length === 0) return
    const theirs = byContent(come, (id) => (maps.before.has(id) ? id : null), maps.before)
    const ours = byContent(gone, (id) => maps.after.get(id) ?? null, maps.after)
    for (const [content, [id, ...others]] of ours) {
      const [same, ...alike] = theirs.get(content) ?? []
      const isOne = others.length === 0 && alike.length === 0
      if (isOne && id !== undefined && same !== undefined) pair(maps, id, same)
    }
    if (maps.after.size === found) return
  }
}

/** Those that are not paired yet, by their content; none that has no content. */
function byContent(
  { graph, ids }: Unpaired,
  targetOf: (id: number) => number | null,
  known: ReadonlyMap<number, number>,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const id of ids) {
    if (known.has(id)) continue
    const record = recordAt(graph, id)
    if (!saysAnything(record)) continue
    const content = contentOf(record, (target) => (target === id ? 'itself' : targetOf(target)))
    const alike = found.get(content)
    if (alike === undefined) found.set(content, [id])
    else alike.push(id)
  }
  return found
}

function saysAnything({ levels }: PrimitiveRecord): boolean {
  return levels.some(
    ({ properties, relata }) => relata.length > 0 || Object.keys(properties).length > 0,
  )
}

function contentOf(
  { levels }: PrimitiveRecord,
  targetOf: (id: number) => number | string | null,
): string {
  return JSON.stringify(
    levels.map(({ relata, ...level }) => [
      saidAtLevel(level),
      relata.map(({ target, ...edge }) => [targetOf(target), saidOfEdge(edge)]),
    ]),
  )
}

/** All of a level but its edges, as text: two levels are alike where their texts are. */
export function saidAtLevel({
  level,
  properties,
  provenance,
}: Omit<LevelRecord, 'relata'>): string {
  return JSON.stringify([level, properties, provenance])
}

/** All of an edge but its target. */
export function saidOfEdge(edge: Omit<Edge, 'target'>): string {
  const { type, sourceDepth, targetDepth, metadata, policies, provenance } = edge
  return JSON.stringify([type, sourceDepth, targetDepth, metadata, policies, provenance])
}
