// What is found at one primitive of a grounding: the edges that count, those that do not, and what
// they ask for that is not known. Only edges that stay within what was pulled in are looked at.
import type { Gap, Level, PathwayEdge, PlacedPolicy } from '#schemas/graph'
import type { Edge, PrimitiveRecord } from '../graph/record.ts'
import { recordAt, type Graph } from '../graph/revision.ts'
import { join } from './components.ts'
import { hasId, type IdSet } from './id-set.ts'

/**
 * `classic` judges all that the concepts pull in, and a level counts if it is written. `strict`
 * judges only what an unbroken path leads to, and above existence an empty level does not count.
 */
export const profiles = ['strict', 'classic'] as const
export type Profile = (typeof profiles)[number]

type DepthGap = Extract<Gap, { readonly kind: 'DEPTH' }>
type RelationalGap = Extract<Gap, { readonly kind: 'RELATIONAL' }>

export interface Survey {
  readonly graph: Graph
  readonly profile: Profile
  readonly pulled: IdSet
  /** Whether it matters what hangs together. */
  readonly joins: boolean
  readonly depth: DepthGap[]
  readonly relational: RelationalGap[]
  readonly pathway: PathwayEdge[]
  readonly gated: PathwayEdge[]
  readonly policies: PlacedPolicy[]
  readonly visible: { name: string; level: Level | null }[]
}

export function surveySource(survey: Survey, id: number): void {
  const { graph, profile, pulled, joins } = survey
  const source = recordAt(graph, id)
  const reached = reachedLevel(source, profile)
  survey.visible.push({ name: source.name, level: levelOrNull(reached) })
  let required = reached
  let shallow: Map<string, RelationalGap> | undefined
  for (const edge of source.edges) {
    if (!hasId(pulled, edge.target)) continue
    const target = recordAt(graph, edge.target)
    const step = pathwayEdge(edge, source.name, target.name)
    if (edge.sourceDepth > reached) {
      survey.gated.push(step)
      required = Math.max(required, edge.sourceDepth)
      // Strict sees no level above the reached one, and so no policy that hangs there.
      if (profile === 'classic') placePolicies(survey, edge, step)
      continue
    }
    survey.pathway.push(step)
    placePolicies(survey, edge, step)
    if (joins) join(id, edge.target)
    const current = reachedLevel(target, profile)
    if (current < edge.targetDepth) {
      shallow ??= new Map()
      demandOfTarget(survey, shallow, { step, current })
    }
  }
  if (required > reached) {
    const current = levelOrNull(reached)
    survey.depth.push({ kind: 'DEPTH', primitive: source.name, required, current })
  }
}

/**
 * One gap for each pair, with the largest depth that is asked for; `shallow` has those of this
 * source.
 */
function demandOfTarget(
  survey: Survey,
  shallow: Map<string, RelationalGap>,
  found: { readonly step: PathwayEdge; readonly current: number },
): void {
  const { source, target, targetDepth: required } = found.step
  const known = shallow.get(target)
  if (known !== undefined) {
    known.required = Math.max(known.required, required)
    return
  }
  const current = levelOrNull(found.current)
  const gap: RelationalGap = { kind: 'RELATIONAL', source, target, required, current }
  shallow.set(target, gap)
  survey.relational.push(gap)
}

/**
 * Asks the concepts themselves to be known this deeply. Raises what their edges ask, never lowers
 * it.
 */
export function demandMinDepth(survey: Survey, roots: Iterable<number>, minDepth: Level): void {
  const { graph, profile, depth } = survey
  const known = new Map(depth.map((gap) => [gap.primitive, gap]))
  for (const id of roots) {
    const root = recordAt(graph, id)
    const reached = reachedLevel(root, profile)
    if (reached >= minDepth) continue
    const gap = known.get(root.name)
    if (gap !== undefined) {
      gap.required = Math.max(gap.required, minDepth)
      continue
    }
    const current = levelOrNull(reached)
    const asked: DepthGap = { kind: 'DEPTH', primitive: root.name, required: minDepth, current }
    known.set(root.name, asked)
    depth.push(asked)
  }
}

function placePolicies(survey: Survey, edge: Edge, step: PathwayEdge): void {
  if (edge.type !== 'APPLIES_TO') return
  const { source, target } = step
  for (const policy of edge.policies) survey.policies.push({ source, target, policy })
}

function pathwayEdge(edge: Edge, source: string, target: string): PathwayEdge {
  const { type, sourceDepth, targetDepth } = edge
  return { source, target, type, sourceDepth, targetDepth }
}

function reachedLevel(record: PrimitiveRecord, profile: Profile): number {
  return profile === 'strict' ? record.strict : record.classic
}

function levelOrNull(reached: number): Level | null {
  return reached < 0 ? null : reached
}
