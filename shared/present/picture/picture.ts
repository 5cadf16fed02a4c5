// A picture of a graph before it is written in anyone's language: boxes, arrows, and what is to be
// distinguished. It holds names as they are; making them harmless is up to anyone who writes it
// down.
import type { RelationType } from '#schemas/graph'
import { Fault } from '#record/fault'

/**
 * Of a grounding: `visible` counted, `gated` is written and did not count or is not deep enough,
 * `missing` is not there. `plain` where nothing was asked.
 */
export type PartState = 'plain' | 'visible' | 'gated' | 'missing'

export interface PictureNode {
  readonly name: string
  /** How deeply it is known; null where not even that it exists is, or no one looked. */
  readonly level: number | null
  /** Such as `needs D3`. */
  readonly notes: readonly string[]
  readonly state: PartState
}

export interface PictureEdge {
  /** Places in the list of nodes. */
  readonly source: number
  readonly target: number
  /** Null where nothing is written, and something would have to be. */
  readonly relation: {
    readonly type: RelationType
    readonly sourceDepth: number
    readonly targetDepth: number
  } | null
  /** The names of those on it. */
  readonly policies: readonly string[]
  readonly state: PartState
}

export interface Picture {
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly PictureEdge[]
  /** What was left out where it was recorded. */
  readonly omitted: number
}

/** What a page can show and a browser draws: Mermaid refuses 500 edges by itself. */
const nodesMax = 150
const edgesMax = 400

/** Throws a Fault for what no one could see anything in. */
export function refuseLarge(nodes: number, edges: number): void {
  if (nodes <= nodesMax && edges <= edgesMax) return
  const what = `${nodes} primitives and ${edges} edges are too many to draw`
  const fix = `draw a part with --around NAME and few --hops, at most ${nodesMax} and ${edgesMax}`
  throw new Fault('picture_too_large', `${what}: ${fix}`)
}
