// Whether a candidate closes what its template asks for, and the operations that put it into the
// graph. Whoever filled it in, it may only fill what is missing: never above what is needed, never
// over what is known, never less than what the gap takes.
import type { GraphOperation, Provenance } from '#schemas/graph'
import type { Asked, Candidate, Taught, TaughtEdge, Template } from '#schemas/learning'
import { applyChange } from '../graph/change.ts'
import { caseFold } from '../graph/case-fold.ts'
import type { PrimitiveRecord } from '../graph/record.ts'
import { find, findId, type Graph } from '../graph/revision.ts'
import { bytesOf } from '../seed/change-sets.ts'
import { gapsFor, missingLevels } from './template.ts'

export interface CandidateProblem {
  readonly code:
    | 'gap_closed'
    | 'candidate_too_large'
    | 'edge_missing'
    | 'edge_known'
    | 'edge_unasked'
    | 'edge_elsewhere'
    | 'edge_to_itself'
    | 'primitive_unasked'
    | 'level_missing'
    | 'level_known'
    | 'level_above_need'
    | 'level_repeated'
    | 'level_empty'
    | 'graph_refuses'
    | 'gap_left'
  readonly message: string
}

/** What a proposal, a ruling and a change set have to hold beside all else. */
const candidateBytesMax = 65_536

/** What a ruling is about: what is missing, and for which question. */
export interface Wanted {
  readonly template: Template
  readonly asked: Asked
}

/** Why the candidate can not be put into this graph; null where it can, and closes the gap. */
export function candidateProblem(
  graph: Graph,
  wanted: Wanted,
  candidate: Candidate,
): CandidateProblem | null {
  if (bytesOf(candidate) > candidateBytesMax) {
    const message = `it has more than ${candidateBytesMax} bytes: say less of it`
    return { code: 'candidate_too_large', message }
  }
  if (!isMissing(graph, wanted)) {
    return { code: 'gap_closed', message: 'what was missing is known by now' }
  }
  const problem =
    edgeProblem(graph, wanted, candidate.edge) ?? levelsProblem(graph, wanted, candidate)
  if (problem !== null) return problem
  const change = applyChange(graph, operationsOf(graph, candidate, null))
  if ('refused' in change) return { code: 'graph_refuses', message: change.refused.message }
  if (wanted.template.kind === 'CONSTRAINT' || !isMissing(change.graph, wanted)) return null
  return { code: 'gap_left', message: 'with it, the gap would still be there' }
}

/** Whether this graph still lacks what the template asks for; a constraint can always be added. */
export function isMissing(graph: Graph, { template, asked }: Wanted): boolean {
  if (template.kind === 'CONSTRAINT') return true
  const { kind, primitive } = template
  return gapsFor(graph, asked).some((gap) => {
    if (gap.kind === 'EXISTENCE' || gap.kind === 'REACHABILITY') {
      return gap.kind === kind && same(gap.primitive, primitive)
    }
    const isOfLevels = kind === 'DEPTH' || kind === 'RELATIONAL'
    return isOfLevels && same(gap.kind === 'DEPTH' ? gap.primitive : gap.target, primitive)
  })
}

/** The operations that make the graph know it: levels first, then the edge that may need them. */
export function operationsOf(
  graph: Graph,
  { levels, edge }: Candidate,
  provenance: Provenance | null,
): readonly GraphOperation[] {
  const stamped = provenance === null ? {} : { provenance }
  const operations = levels.flatMap((taught): GraphOperation[] => {
    const { name } = taught
    const ascending = taught.levels.toSorted((one, other) => one.level - other.level)
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
  edge: TaughtEdge | null,
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
  { template }: Wanted,
  edge: TaughtEdge | null,
): CandidateProblem | null {
  const takesEdge = template.kind === 'REACHABILITY' || template.kind === 'CONSTRAINT'
  if (!takesEdge) {
    if (edge === null) return null
    return { code: 'edge_unasked', message: 'levels are asked for, and no edge: leave it out' }
  }
  if (edge === null) return { code: 'edge_missing', message: 'an edge is asked for: say which' }
  const { source, target, type } = edge
  if (same(source, target)) {
    const message = `an edge from \`${source}\` to itself ties nothing: name two primitives`
    return { code: 'edge_to_itself', message }
  }
  if (template.kind === 'CONSTRAINT') {
    if (type === 'CONSTRAINED_BY' && isOneOf(source, template.primitives)) {
      return isKnown(graph, edge) ? edgeKnown(edge) : null
    }
    const message = `a CONSTRAINED_BY edge is asked for, from ${quoted(template.primitives)}`
    return { code: 'edge_elsewhere', message }
  }
  const { primitive, others } = template
  const onward = same(source, primitive) && isOneOf(target, others)
  const back = same(target, primitive) && isOneOf(source, others)
  if ((onward || back) && [source, target].every((name) => find(graph, name) !== undefined)) {
    return null
  }
  const message = `the edge must tie \`${primitive}\` to ${quoted(others)}, in either direction`
  return { code: 'edge_elsewhere', message }
}

function isKnown(graph: Graph, { source, target, type, sourceLevel }: TaughtEdge): boolean {
  const to = findId(graph, target)
  return (find(graph, source)?.edges ?? []).some((edge) => {
    return edge.type === type && edge.target === to && edge.sourceDepth === sourceLevel
  })
}

function edgeKnown({ source, target, type }: TaughtEdge): CandidateProblem {
  return { code: 'edge_known', message: `\`${source}\` is ${type} \`${target}\` already` }
}

function levelsProblem(
  graph: Graph,
  { template }: Wanted,
  { levels, edge }: Candidate,
): CandidateProblem | null {
  const wanted = levelsNeeded(graph, template, edge)
  const stray = levels.find(
    ({ name }) => !wanted.some((each) => isMeant(each.name, name, template)),
  )
  if (stray !== undefined) return unasked(stray, wanted)
  for (const { name, levels: numbers } of wanted) {
    const given = levels.filter((each) => same(each.name, name)).flatMap((each) => each.levels)
    for (const number of numbers) {
      const level = given.find((each) => each.level === number)
      if (level === undefined) {
        const message = `level ${number} of \`${name}\` is missing, and levels may have no hole`
        return { code: 'level_missing', message }
      }
      if (number > 0 && isEmpty(level.properties)) {
        const message = `level ${number} of \`${name}\` says nothing: give it properties`
        return { code: 'level_empty', message }
      }
    }
    const problem = strayLevel(find(graph, name), { name, levels: given }, numbers)
    if (problem !== null) return problem
  }
  return null
}

function strayLevel(
  record: PrimitiveRecord | undefined,
  { name, levels }: Taught,
  wanted: readonly number[],
): CandidateProblem | null {
  const seen = new Set<number>()
  for (const { level } of levels) {
    if (seen.has(level)) {
      const message = `level ${level} of \`${name}\` stands twice: make them one`
      return { code: 'level_repeated', message }
    }
    seen.add(level)
    if (wanted.includes(level)) continue
    if (missingLevels(record, level).includes(level)) {
      const message = `level ${level} of \`${name}\` is more than the gap needs: leave it out`
      return { code: 'level_above_need', message }
    }
    const message = `level ${level} of \`${name}\` is known already: it is not replaced by this`
    return { code: 'level_known', message }
  }
  return null
}

function unasked({ name }: Taught, wanted: readonly { readonly name: string }[]): CandidateProblem {
  const names = wanted.map((each) => each.name)
  const asked =
    names.length === 0 ? 'no level is missing' : `levels of ${quoted(names)} are asked for`
  return { code: 'primitive_unasked', message: `${asked}, and not of \`${name}\`` }
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

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
