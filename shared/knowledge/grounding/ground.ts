// Grounding: whether what is asked about is known in the graph, deeply enough, with all it needs,
// and as one piece. Pure from outside: what is kept between calls saves work and never reaches an
// answer.
import type { Gap, Level, PathwayEdge, PlacedPolicy } from '#schemas/graph'
import { canonical, jsonOf } from '#record/canonical'
import { caseFold } from '#record/case-fold'
import { recordAt, type Graph } from '../graph/revision.ts'
import { componentOf, componentSize, separate } from './components.ts'
import { newIdSet } from './id-set.ts'
import { frontierOf, pulledBy } from './reach.ts'
import { resolve } from './resolve.ts'
import { demandMinDepth, surveySource, type Profile, type Survey } from './survey.ts'

export interface GroundingQuery {
  /** From the agent: may be anything. */
  readonly concepts: readonly string[]
  /**
   * Those of the concepts that only add: what the others lack without them is missing, too. From
   * the agent: may be anything.
   */
  readonly added?: readonly string[] | undefined
  /** How deeply the concepts themselves must be known, whatever their edges ask. */
  readonly minDepth?: Level | undefined
  readonly profile: Profile
}

/** The arrays are the caller's own. */
export interface GroundingAnswer {
  readonly grounded: boolean
  /** One name for each concept: the primitive's, or the concept as it came. */
  readonly resolved: string[]
  readonly gaps: Gap[]
  /** The edges that count, in stored order. */
  readonly pathway: PathwayEdge[]
  /** Those of APPLIES_TO edges, in stored order. */
  readonly policies: PlacedPolicy[]
  /** What was looked at, in stored order, and the level down to which it is known. */
  readonly visible: { name: string; level: Level | null }[]
  /** The edges that do not count: their source is not known down to where they hang. */
  readonly gated: PathwayEdge[]
}

const pulled = newIdSet()
const frontier = newIdSet()

export function ground(graph: Graph, query: GroundingQuery): GroundingAnswer {
  const whole = groundAll(graph, query)
  const { added = [] } = query
  if (added.length === 0) return whole
  const alone = query.concepts.filter((concept) => !added.includes(concept))
  if (alone.length === 0 || alone.length === query.concepts.length) return whole
  // A concept that is added may tie the others together, which no edge of theirs does.
  const known = new Set(whole.gaps.map(keyOf))
  const hidden = groundAll(graph, { ...query, concepts: alone }).gaps.filter((gap) => {
    return !known.has(keyOf(gap))
  })
  if (hidden.length === 0) return whole
  return { ...whole, grounded: false, gaps: [...whole.gaps, ...hidden] }
}

function keyOf(gap: Gap): string {
  return canonical(jsonOf(gap))
}

const none: readonly Gap[] = []

function groundAll(graph: Graph, query: GroundingQuery): GroundingAnswer {
  const { resolved, existence, roots } = resolveAll(graph, query)
  const survey = surveyOf(graph, query, roots)
  const { depth, relational, pathway, policies, visible, gated } = survey
  const reachability = survey.joins ? reachabilityGaps(graph, roots) : none
  const isWhole = existence.length + depth.length + relational.length + reachability.length === 0
  const gaps = isWhole ? [] : [...existence, ...depth, ...relational, ...reachability]
  const grounded = gaps.length === 0 && query.concepts.length > 0
  return { grounded, resolved, gaps, pathway, policies, visible, gated }
}

interface Named {
  readonly resolved: string[]
  readonly existence: Gap[]
  /** The ids of what is known, in the order of the concepts. */
  readonly roots: number[]
}

/** In strict, what is asked twice is asked once: one root, one gap. Classic repeats both. */
function resolveAll(graph: Graph, query: GroundingQuery): Named {
  const [only] = query.concepts
  if (only !== undefined && query.concepts.length === 1) return resolveOne(graph, only)
  const named: Named = { resolved: [], existence: [], roots: [] }
  const seen = new Set<number | string>()
  for (const concept of query.concepts) {
    const found = resolve(graph, concept)
    const known = 'id' in found
    named.resolved.push(known ? recordAt(graph, found.id).name : concept)
    const key = known ? found.id : caseFold(concept)
    if (query.profile === 'strict' && seen.has(key)) continue
    seen.add(key)
    if (known) named.roots.push(found.id)
    else named.existence.push(existenceGap(concept, found.candidates))
  }
  return named
}

// Nearly always one is asked about: lists of one take no room for more.
function resolveOne(graph: Graph, concept: string): Named {
  const found = resolve(graph, concept)
  if ('id' in found) {
    return { resolved: [recordAt(graph, found.id).name], existence: [], roots: [found.id] }
  }
  const gap = existenceGap(concept, found.candidates)
  return { resolved: [concept], existence: [gap], roots: [] }
}

function existenceGap(primitive: string, candidates: readonly string[]): Gap {
  if (candidates.length === 0) return { kind: 'EXISTENCE', primitive }
  return { kind: 'EXISTENCE', primitive, candidates: [...candidates] }
}

function surveyOf(graph: Graph, query: GroundingQuery, roots: readonly number[]): Survey {
  const { minDepth, profile } = query
  const all = pulledBy(graph, roots, pulled)
  const strict = profile === 'strict'
  const members = inStoredOrder(strict ? frontierOf(graph, roots, { pulled, frontier }) : all)
  const survey: Survey = {
    graph,
    profile,
    pulled,
    joins: roots.length > 1,
    depth: [],
    relational: [],
    pathway: [],
    gated: [],
    policies: [],
    visible: [],
  }
  if (survey.joins) separate(members, graph.records.length)
  for (const id of members) surveySource(survey, id)
  if (minDepth !== undefined) demandMinDepth(survey, inStoredOrder([...roots]), minDepth)
  return survey
}

/**
 * Every root outside the largest component gets a gap; on a tie the first root's counts as the
 * largest.
 */
function reachabilityGaps(graph: Graph, roots: readonly number[]): Gap[] {
  let anchor: number | undefined
  for (const root of roots) {
    const component = componentOf(root)
    if (anchor === undefined || componentSize(component) > componentSize(anchor)) anchor = component
  }
  return roots
    .filter((root) => componentOf(root) !== anchor)
    .map((root) => ({ kind: 'REACHABILITY', primitive: recordAt(graph, root).name }))
}

/**
 * Ids ascend in stored order. Short lists are the rule, and for them the plain sort is the quicker.
 */
function inStoredOrder(ids: number[]): Iterable<number> {
  return ids.length < 64 ? ids.sort((one, other) => one - other) : Int32Array.from(ids).sort()
}
