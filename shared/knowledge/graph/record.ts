// One primitive as a graph holds it: what was written of it, and what grounding needs to know of
// that, worked out once when it is written. A record is never changed.
import type { Depth, Policy, Provenance, RelationType } from '#schemas/graph'

/** An edge on its source's level; the target is an id, so that a rename touches one record. */
export interface Edge {
  readonly type: RelationType
  readonly target: number
  readonly targetDepth: number
  readonly sourceDepth: number
  readonly metadata: DepthProperties
  readonly policies: readonly Policy[]
  readonly provenance: Provenance | null
}

export type DepthProperties = Readonly<Depth['properties']>

export interface LevelRecord {
  readonly level: number
  readonly properties: DepthProperties
  readonly relata: readonly Edge[]
  readonly provenance: Provenance | null
}

export interface Definition {
  readonly name: string
  readonly folded: string
  readonly provenance: Provenance | null
  /** Ascending, each level at most once. */
  readonly levels: readonly LevelRecord[]
  /** How many edges of other primitives point here. */
  readonly inbound: number
}

export interface PrimitiveRecord extends Definition {
  /** The highest level that counts, by each profile; -1 where not even existence does. */
  readonly strict: number
  readonly classic: number
  /** All edges in stored order: by level, then as they were written. */
  readonly edges: readonly Edge[]
  /** The targets of the pulling edges, each once. */
  readonly pulls: readonly number[]
}

/** Whether grounding the source brings the target in, at whatever depth the edge hangs. */
export function isPulling(type: RelationType): boolean {
  return type === 'REQUIRES' || type === 'CONSTRAINED_BY' || type === 'DEPENDS_ON'
}

/** Works out the record; `before` is the one it replaces, whose work stands if its levels do. */
export function compile(definition: Definition, before?: PrimitiveRecord): PrimitiveRecord {
  const { name, folded, provenance, levels, inbound } = definition
  const work = before?.levels === levels ? before : worked(levels)
  const { strict, classic, edges, pulls } = work
  // Written out, not spread: so that all records have one hidden class, and reading one stays
  // quick.
  return { name, folded, provenance, levels, inbound, strict, classic, edges, pulls }
}

function worked(
  levels: Definition['levels'],
): Pick<PrimitiveRecord, 'strict' | 'classic' | 'edges' | 'pulls'> {
  const edges = levels.flatMap((level) => level.relata)
  const pulled = edges.filter((edge) => isPulling(edge.type)).map((edge) => edge.target)
  return {
    strict: ladder(levels, hasContent),
    classic: ladder(levels, () => true),
    edges,
    pulls: [...new Set(pulled)],
  }
}

/** The largest k such that the levels 0 to k all count, or -1. */
function ladder(levels: readonly LevelRecord[], counts: (level: LevelRecord) => boolean): number {
  let reached = -1
  for (const level of levels) {
    if (level.level !== reached + 1 || !counts(level)) return reached
    reached = level.level
  }
  return reached
}

/**
 * The vacuity floor: above existence, a level that has neither properties nor edges does not
 * count. Stored relata count, wherever they lead, so that it is the graph's answer and not the
 * question's.
 */
export function hasContent(level: LevelRecord): boolean {
  return level.level === 0 || level.relata.length > 0 || Object.keys(level.properties).length > 0
}
