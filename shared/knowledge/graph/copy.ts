// A graph as plain primitives and back, for anyone who keeps it elsewhere for a while: everything
// that a later change set or a grounding could show is there again, and ids are not.
import type { Provenance } from '#schemas/graph'
import { caseFold } from '#record/case-fold'
import { addHint, newNameIndex } from './name-index.ts'
import { noPages, withPlaces } from './pages.ts'
import { compile, type Edge, type LevelRecord, type PrimitiveRecord } from './record.ts'
import { emptyGraph, primitivesOf, type Graph } from './revision.ts'

export interface PlainEdge extends Omit<Edge, 'target'> {
  /** Which primitive in stored order, from 0. */
  readonly target: number
}

export interface PlainLevel extends Omit<LevelRecord, 'relata'> {
  readonly relata: readonly PlainEdge[]
}

export interface PlainPrimitive {
  readonly name: string
  readonly provenance: Provenance | null
  readonly levels: readonly PlainLevel[]
}

/** The primitives in stored order. */
export function* plainPrimitives(graph: Graph): Generator<PlainPrimitive> {
  const places = new Map<number, number>()
  for (const [id] of primitivesOf(graph)) places.set(id, places.size)
  for (const [, { name, provenance, levels }] of primitivesOf(graph)) {
    yield { name, provenance, levels: levels.map((level) => moved(level, places)) }
  }
}

function moved(level: LevelRecord, places: ReadonlyMap<number, number>): PlainLevel {
  const relata = level.relata.map((edge) => ({ ...edge, target: places.get(edge.target) ?? -1 }))
  return { ...level, relata }
}

/** The graph of these primitives; null where an edge leads to none of them. */
export function graphOfPrimitives(primitives: readonly PlainPrimitive[]): Graph | null {
  if (primitives.length === 0) return emptyGraph
  const inbound = inboundOf(primitives)
  if (inbound === null) return null
  const names = newNameIndex()
  const records = new Map<number, PrimitiveRecord>()
  for (const [id, { name, provenance, levels }] of primitives.entries()) {
    const folded = caseFold(name)
    records.set(id, compile({ name, folded, provenance, levels, inbound: inbound[id] ?? 0 }))
    addHint(names, folded, id)
  }
  const size = primitives.length
  return { size, records: withPlaces(noPages, records, size), names }
}

function inboundOf(primitives: readonly PlainPrimitive[]): readonly number[] | null {
  const inbound = primitives.map(() => 0)
  for (const [source, { levels }] of primitives.entries()) {
    for (const { target } of levels.flatMap(({ relata }) => relata)) {
      const count = inbound[target]
      if (count === undefined) return null
      if (target !== source) inbound[target] = count + 1
    }
  }
  return inbound
}
