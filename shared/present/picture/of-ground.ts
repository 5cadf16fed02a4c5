// The picture of one recorded grounding: what counted, what was written and did not, and what was
// missing. It shows what was found then and never looks at the graph of today.
import type { Ground } from '#schemas/facts'
import type { Gap, PathwayEdge } from '#schemas/graph'
import { unreachable } from '#record/fault'
import { depthText } from '../gap.ts'
import type { Picture, PictureEdge, PictureNode } from './picture.ts'
import { refuseLarge, type PartState } from './picture.ts'

interface Draft {
  readonly nodes: Map<string, { level: number | null; notes: Set<string>; state: PartState }>
  readonly edges: { source: string; target: string; edge: Omit<PictureEdge, 'source' | 'target'> }[]
}

/** Throws a Fault where there is too much of it. */
export function pictureOfGround(ground: Ground): Picture {
  const { visible, gaps, gapsOmitted = 0, pathwayOmitted = 0 } = ground
  const draft: Draft = { nodes: new Map(), edges: [] }
  for (const { name, level } of visible) {
    const notes = new Set(level === null ? [depthText(null)] : [])
    draft.nodes.set(name, { level, notes, state: 'visible' })
  }
  for (const edge of ground.pathway)
    addEdge(draft, edge, policiesOn(ground, draft, edge), 'visible')
  for (const edge of ground.gated) addEdge(draft, edge, [], 'gated')
  for (const gap of gaps) addGap(draft, ground, gap)
  refuseLarge(draft.nodes.size, draft.edges.length)
  const places = new Map([...draft.nodes.keys()].map((name, place) => [name, place]))
  const placeOf = (name: string): number => places.get(name) ?? 0
  const nodes = [...draft.nodes].map(([name, { level, notes, state }]): PictureNode => {
    return { name, level, notes: [...notes], state }
  })
  const edges = draft.edges.map(({ source, target, edge }): PictureEdge => {
    return { source: placeOf(source), target: placeOf(target), ...edge }
  })
  return { nodes, edges, omitted: gapsOmitted + pathwayOmitted }
}

function addEdge(
  draft: Draft,
  { source, target, type, sourceDepth, targetDepth }: PathwayEdge,
  policies: readonly string[],
  state: PartState,
): void {
  // The end of an edge that does not count was perhaps never looked at.
  for (const name of [source, target]) {
    if (draft.nodes.has(name)) continue
    draft.nodes.set(name, { level: null, notes: new Set(['not looked at']), state: 'gated' })
  }
  const relation = { type, sourceDepth, targetDepth }
  draft.edges.push({ source, target, edge: { relation, policies, state } })
}

/** The record says between which two they are: the first edge that can have them shows them. */
function policiesOn(ground: Ground, draft: Draft, edge: PathwayEdge): readonly string[] {
  if (edge.type !== 'APPLIES_TO') return []
  const isShown = draft.edges.some(({ source, target, edge: { relation } }) => {
    return relation?.type === edge.type && source === edge.source && target === edge.target
  })
  if (isShown) return []
  const placed = ground.policies.filter(({ source, target }) => {
    return source === edge.source && target === edge.target
  })
  return placed.map(({ policy }) => policy.name)
}

function addGap(draft: Draft, ground: Ground, gap: Gap): void {
  switch (gap.kind) {
    case 'EXISTENCE': {
      const { candidates = [] } = gap
      const meant = candidates.length === 0 ? [] : [`may mean ${candidates.join(', ')}`]
      const notes = new Set(['not known', ...meant])
      draft.nodes.set(gap.primitive, { level: null, notes, state: 'missing' })
      return
    }
    case 'DEPTH':
      addNeed(draft, gap.primitive, gap)
      return
    case 'RELATIONAL':
      addNeed(draft, gap.target, gap)
      return
    case 'REACHABILITY':
      addWay(draft, ground, gap.primitive)
      return
    default:
      unreachable(gap)
  }
}

function addNeed(
  draft: Draft,
  name: string,
  { required, current }: { readonly required: number; readonly current: number | null },
): void {
  const state = current === null ? 'missing' : 'gated'
  const node = draft.nodes.get(name) ?? { level: current, notes: new Set<string>(), state }
  draft.nodes.set(name, { ...node, state, notes: node.notes.add(`needs D${required}`) })
}

/** A root that is cut off, and the way that is missing from it to one that is not. */
function addWay(draft: Draft, { resolved, gaps }: Ground, source: string): void {
  const cut = new Set(
    gaps.flatMap((gap) => {
      return gap.kind === 'REACHABILITY' || gap.kind === 'EXISTENCE' ? [gap.primitive] : []
    }),
  )
  const target = resolved.find((name) => !cut.has(name) && draft.nodes.has(name))
  const node = draft.nodes.get(source) ?? { level: null, notes: new Set<string>(), state: 'gated' }
  draft.nodes.set(source, { ...node, notes: node.notes.add('cut off') })
  if (target === undefined) return
  draft.edges.push({ source, target, edge: { relation: null, policies: [], state: 'missing' } })
}
