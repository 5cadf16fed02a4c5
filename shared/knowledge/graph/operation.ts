// One operation of a change set, applied to a draft. Only what the operation itself needs is
// checked here; what the whole set must come to is asked at its end.
import type { GraphOperation, Policy } from '#schemas/graph'
import { unreachable } from '#record/fault'
import { conditionProblem } from '#conditions/condition'
import { openObject, type LiteralChecks } from '#conditions/types'
import { caseFold } from '#record/case-fold'
import {
  addEdge,
  addSketch,
  awaited,
  dropEdges,
  editedLevels,
  idOf,
  keptProvenance,
  removeSketch,
  renameSketch,
  sketchOf,
  type GraphDraft,
  type EdgeSketch,
  type LevelSketch,
  type Sketch,
} from './draft.ts'

type GraphRefusalCode =
  | 'name_taken'
  | 'name_unknown'
  | 'level_unknown'
  | 'edge_unknown'
  | 'policy_condition_invalid'
  | 'policy_without_effect'
  | 'target_dangling'
  | 'cycle_transitive'

export interface GraphRefusal {
  readonly code: GraphRefusalCode
  readonly message: string
  /** Index of the operation that is to be fixed. */
  readonly at: number
}

type Step<Operation extends GraphOperation['op']> = {
  readonly id: number
  readonly operation: Extract<GraphOperation, { readonly op: Operation }>
  readonly at: number
}

export function applyOperation(
  draft: GraphDraft,
  { operation, at }: { readonly operation: GraphOperation; readonly at: number },
  checks: LiteralChecks,
): GraphRefusal | null {
  if (operation.op === 'add') {
    const bearer = idOf(draft, operation.name)
    if (bearer !== undefined) return nameTaken(draft, { name: operation.name, bearer, at })
    addSketch(draft, operation.name, keptProvenance(draft, operation.provenance))
    return null
  }
  const id = idOf(draft, operation.name)
  if (id === undefined) {
    return {
      code: 'name_unknown',
      message: `\`${operation.name}\` is not in the graph: add it first`,
      at,
    }
  }
  switch (operation.op) {
    case 'rename':
      return rename(draft, { id, operation, at })
    case 'remove':
      removeSketch(draft, id, at)
      return null
    case 'describe':
      describe(draft, id, operation)
      return null
    case 'erase':
      return erase(draft, { id, operation, at })
    case 'relate':
      return relate(draft, { id, operation, at }, checks)
    case 'unrelate':
      return unrelate(draft, { id, operation, at })
    default:
      return unreachable(operation)
  }
}

function rename(draft: GraphDraft, step: Step<'rename'>): GraphRefusal | null {
  const { id, operation, at } = step
  const bearer = idOf(draft, operation.to)
  if (bearer !== undefined && bearer !== id) {
    return nameTaken(draft, { name: operation.to, bearer, at })
  }
  renameSketch(draft, id, operation.to)
  return null
}

function describe(draft: GraphDraft, id: number, operation: Step<'describe'>['operation']): void {
  const { level, properties } = operation
  const provenance = keptProvenance(draft, operation.provenance)
  const levels = editedLevels(sketchOf(draft, id))
  const known = levels.find((each) => each.level === level)
  if (known === undefined) {
    const place = levels.filter((each) => each.level < level).length
    levels.splice(place, 0, { level, properties, relata: [], provenance })
  } else {
    known.properties = properties
    known.provenance = provenance
  }
}

function erase(draft: GraphDraft, step: Step<'erase'>): GraphRefusal | null {
  const sketch = sketchOf(draft, step.id)
  const level = levelOf(sketch, step.operation.level)
  if (level === undefined) return levelUnknown(sketch, step)
  dropEdges(draft, step.id, level.relata)
  sketch.edited = editedLevels(sketch).filter((each) => each !== level)
  return null
}

function relate(
  draft: GraphDraft,
  step: Step<'relate'>,
  checks: LiteralChecks,
): GraphRefusal | null {
  const { id, operation, at } = step
  const { type, target, targetDepth, metadata, policies } = operation.relatum
  const sketch = sketchOf(draft, id)
  const level = levelOf(sketch, operation.level)
  if (level === undefined) return levelUnknown(sketch, step)
  const inert = policies.find(isInert)
  if (inert !== undefined) {
    const effect = `policy \`${inert.name}\` asks no one and calls nothing`
    const message = `${effect}: require confirmation, name a callback, or state \`when\` it refuses`
    return { code: 'policy_without_effect', message, at }
  }
  const invalid = whenFault(policies, checks)
  if (invalid !== null) return { code: 'policy_condition_invalid', message: invalid, at }
  const edge: EdgeSketch = {
    type,
    target: awaited,
    targetDepth,
    sourceDepth: operation.level,
    metadata,
    policies,
    provenance: keptProvenance(draft, operation.provenance),
  }
  level.relata.push(edge)
  addEdge(draft, edge, { source: id, targetName: target, at })
  return null
}

function unrelate(draft: GraphDraft, step: Step<'unrelate'>): GraphRefusal | null {
  const { id, operation, at } = step
  const sketch = sketchOf(draft, id)
  const level = levelOf(sketch, operation.level)
  if (level === undefined) return levelUnknown(sketch, step)
  const isMeant = (edge: EdgeSketch): boolean =>
    edge.type === operation.type && leadsTo(draft, edge, operation.target)
  const gone = level.relata.filter(isMeant)
  if (gone.length === 0) {
    const edge = `${operation.type} edge to \`${operation.target}\` on level ${operation.level}`
    return { code: 'edge_unknown', message: `\`${sketch.name}\` has no ${edge}`, at }
  }
  level.relata = level.relata.filter((edge) => !isMeant(edge))
  dropEdges(draft, id, gone)
  return null
}

/** By the name that the target has by now, or had until the set removed it. */
function leadsTo(draft: GraphDraft, edge: EdgeSketch, name: string): boolean {
  const folded =
    edge.target === awaited
      ? caseFold(draft.added.get(edge)?.targetName ?? '')
      : sketchOf(draft, edge.target).folded
  return folded === caseFold(name)
}

function levelOf(sketch: Sketch, level: number): LevelSketch | undefined {
  return editedLevels(sketch).find((each) => each.level === level)
}

/** It could never refuse anything, and yet anyone who wrote it counts on it. */
function isInert(policy: Policy): boolean {
  return !policy.requiresConfirmation && policy.callback === null && policy.when === undefined
}

/** A policy is asked whatever the tool, and what was done before is read for tools alone. */
const closed = ['acts']

/** Which capabilities bring the edge in is open, so their arguments are, too. */
function whenFault(policies: readonly Policy[], checks: LiteralChecks): string | null {
  for (const { name, when } of policies) {
    const problem =
      when === undefined ? null : conditionProblem(when, openObject, { ...checks, closed })
    if (problem === null) continue
    return `\`when\` of policy \`${name}\`: ${problem.message} (at character ${problem.offset + 1})`
  }
  return null
}

function nameTaken(
  draft: GraphDraft,
  taken: { readonly name: string; readonly bearer: number; readonly at: number },
): GraphRefusal {
  const { name, bearer, at } = taken
  const holder = sketchOf(draft, bearer).name
  const why = name === holder ? '' : ` by \`${holder}\`, which differs only in case or composition`
  return { code: 'name_taken', message: `the name \`${name}\` is taken${why}: use another`, at }
}

function levelUnknown(
  sketch: Sketch,
  step: { readonly operation: { readonly level: number }; readonly at: number },
): GraphRefusal {
  const message = `\`${sketch.name}\` has no level ${step.operation.level}: describe it first`
  return { code: 'level_unknown', message, at: step.at }
}
