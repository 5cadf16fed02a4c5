// Whether a candidate closes what its template asks for, and the operations that put it into the
// graph. Anyone who filled it in, it may only fill what is missing: never above what is needed,
// never over what is known, never less than what the gap takes.
import type { GraphOperation, Provenance } from '#schemas/graph'
import type {
  Candidate,
  CandidateEdge,
  CandidateProblem,
  PrimitiveLevels,
  Proposed,
  Query,
  Template,
} from '#schemas/learning'
import { applyChange } from '#knowledge/graph/graph-change'
import { caseFold } from '#record/case-fold'
import type { PrimitiveRecord } from '#knowledge/graph/record'
import { find, findId, type Graph } from '#knowledge/graph/revision'
import { bytesOf } from '#record/change-sets'
import { gapsFor, missingLevels, tracedNames } from './template.ts'

/** What a proposal, a ruling and a change set have to hold beside all else. */
const candidateBytesMax = 65_536

/** Why the candidate cannot be put into this graph; null where it can, and closes the gap. */
export function candidateProblem(
  graph: Graph,
  wanted: Proposed,
  candidate: Candidate,
): CandidateProblem | null {
  if (bytesOf(candidate) > candidateBytesMax) {
    return { code: 'candidate_too_large', params: { bytesMax: candidateBytesMax } }
  }
  if (!isMissing(graph, wanted)) return { code: 'gap_closed', params: {} }
  const problem =
    edgeProblem(graph, wanted, candidate.edge) ?? levelsProblem(graph, wanted, candidate)
  if (problem !== null) return problem
  const change = applyChange(graph, operationsOfCandidate(graph, candidate, null))
  if ('refused' in change) {
    return { code: 'graph_refuses', params: { refused: change.refused.code } }
  }
  if (wanted.template.kind === 'CONSTRAINT' || !isMissing(change.graph, wanted)) return null
  return { code: 'gap_left', params: {} }
}

/** Whether this graph still lacks what the template asks for; a constraint can always be added. */
export function isMissing(graph: Graph, { template, query }: Proposed): boolean {
  if (template.kind === 'CONSTRAINT') return true
  const { kind, primitive } = template
  return gapsFor(graph, query).some((gap) => {
    if (gap.kind === 'EXISTENCE' || gap.kind === 'REACHABILITY') {
      return gap.kind === kind && same(gap.primitive, primitive)
    }
    const isOfLevels = kind === 'DEPTH' || kind === 'RELATIONAL'
    return isOfLevels && same(gap.kind === 'DEPTH' ? gap.primitive : gap.target, primitive)
  })
}

/** The operations that make the graph know it: levels first, then the edge that may need them. */
export function operationsOfCandidate(
  graph: Graph,
  { levels, edge }: Candidate,
  provenance: Provenance | null,
): readonly GraphOperation[] {
  const stamped = provenance === null ? {} : { provenance }
  const operations = levels.flatMap((described): GraphOperation[] => {
    const { name } = described
    const ascending = described.levels.toSorted((one, other) => one.level - other.level)
    return [
      ...(find(graph, name) === undefined ? [{ op: 'add' as const, name, ...stamped }] : []),
      ...ascending.map(({ level, properties }) => {
        return { op: 'describe' as const, name, level, properties, ...stamped }
      }),
    ]
  })
  if (edge === null) return operations
  const { source, target, type, sourceLevel, targetLevel } = edge
  const relatum = { type, target, targetDepth: targetLevel, metadata: {}, policies: [] }
  return [...operations, { op: 'relate', name: source, level: sourceLevel, relatum, ...stamped }]
}

/** Which levels a candidate with that edge has to bring, by primitive; none for those it has. */
export function levelsNeeded(
  graph: Graph,
  template: Template,
  edge: CandidateEdge | null,
): readonly { readonly name: string; readonly levels: readonly number[] }[] {
  switch (template.kind) {
    case 'EXISTENCE': {
      const levels = find(graph, template.primitive) === undefined ? template.levels : []
      return needed(template.primitive, levels)
    }
    case 'DEPTH':
    case 'RELATIONAL':
      return needed(
        template.primitive,
        missingLevels(find(graph, template.primitive), Math.max(...template.levels)),
      )
    case 'REACHABILITY':
    case 'CONSTRAINT': {
      if (edge === null) return []
      const { source, target, sourceLevel, targetLevel } = edge
      return [
        ...needed(source, missingLevels(find(graph, source), sourceLevel)),
        ...needed(target, missingLevels(find(graph, target), targetLevel)),
      ]
    }
  }
}

function needed(name: string, levels: readonly number[]) {
  return levels.length === 0 ? [] : [{ name, levels }]
}

function edgeProblem(
  graph: Graph,
  { template, query }: Proposed,
  edge: CandidateEdge | null,
): CandidateProblem | null {
  const takesEdge = template.kind === 'REACHABILITY' || template.kind === 'CONSTRAINT'
  if (!takesEdge) return edge === null ? null : { code: 'edge_unasked', params: {} }
  if (edge === null) return { code: 'edge_missing', params: {} }
  const { source, target, type } = edge
  const ends = { source, target }
  if (same(source, target)) return { code: 'edge_to_itself', params: { name: source } }
  if (template.kind === 'CONSTRAINT') {
    if (type !== 'CONSTRAINED_BY' || !isOneOf(source, template.primitives)) {
      return { code: 'edge_elsewhere', params: { names: template.primitives, type: constrains } }
    }
    return isKnown(graph, edge) ? { code: 'edge_known', params: { edge: ends, type } } : null
  }
  const { primitive, others } = template
  const known = [source, target].every((name) => find(graph, name) !== undefined)
  const other = same(source, primitive) ? target : same(target, primitive) ? source : null
  if (known && other !== null && isOneOf(other, tiedNames(graph, query, others))) return null
  return { code: 'edge_elsewhere', params: { name: primitive, names: others } }
}

const constrains = 'CONSTRAINED_BY'

// What was asked about, and all that those pull in: the honest edge is often one to what both need.
function tiedNames(graph: Graph, query: Query, others: readonly string[]): readonly string[] {
  return [...others, ...tracedNames(graph, query)]
}

function isKnown(graph: Graph, { source, target, type, sourceLevel }: CandidateEdge): boolean {
  const to = findId(graph, target)
  return (find(graph, source)?.edges ?? []).some((edge) => {
    return edge.type === type && edge.target === to && edge.sourceDepth === sourceLevel
  })
}

function levelsProblem(
  graph: Graph,
  { template }: Proposed,
  { levels, edge }: Candidate,
): CandidateProblem | null {
  const wanted = levelsNeeded(graph, template, edge)
  const stray = levels.find(
    ({ name }) => !wanted.some((each) => isMeant(each.name, name, template)),
  )
  if (stray !== undefined) {
    const names = wanted.map(({ name }) => name)
    return { code: 'primitive_unasked', params: { name: stray.name, names } }
  }
  for (const { name, levels: numbers } of wanted) {
    const given = levels.filter((each) => same(each.name, name)).flatMap((each) => each.levels)
    for (const number of numbers) {
      const level = given.find((each) => each.level === number)
      if (level === undefined) {
        return { code: 'level_missing', params: { name, level: number } }
      }
      if (number > 0 && isEmpty(level.properties)) {
        return { code: 'level_empty', params: { name, level: number } }
      }
    }
    const problem = strayLevel(find(graph, name), { name, levels: given }, numbers)
    if (problem !== null) return problem
  }
  return null
}

function strayLevel(
  record: PrimitiveRecord | undefined,
  { name, levels }: PrimitiveLevels,
  wanted: readonly number[],
): CandidateProblem | null {
  const seen = new Set<number>()
  for (const { level } of levels) {
    if (seen.has(level)) return { code: 'level_repeated', params: { name, level } }
    seen.add(level)
    if (wanted.includes(level)) continue
    const isAbove = missingLevels(record, level).includes(level)
    return { code: isAbove ? 'level_above_need' : 'level_known', params: { name, level } }
  }
  return null
}

// What is to exist must be called as it was asked for, or the gap would stay.
function isMeant(wanted: string, given: string, { kind }: Template): boolean {
  return kind === 'EXISTENCE' ? wanted === given : same(wanted, given)
}

/** Text of blanks, empty lists and the like say nothing either. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object') return false
  return Object.values(value).every(isEmpty)
}

function isOneOf(name: string, names: readonly string[]): boolean {
  return names.some((each) => same(each, name))
}

function same(one: string, other: string): boolean {
  return caseFold(one) === caseFold(other)
}
