// A change set on the graph: applied whole, or refused whole with the name of what is wrong.
// Whether edges dangle or pull in a circle is asked of the final state, so a set may mention what
// it adds later.
import type { GraphFile, GraphOperation } from '#schemas/graph'
import type { LiteralChecks } from '#conditions/types'
import { assert } from '#record/fault'
import { awaited, draftOf, idOf, sketchOf, type GraphDraft } from './draft.ts'
import { applyOperation, type GraphRefusal } from './operation.ts'
import { pageAt } from './pages.ts'
import { cycleFrom } from './pulling-cycle.ts'
import { compile, isPulling, type PrimitiveRecord } from './record.ts'
import { nextRevision, primitivesOf, type Graph } from './revision.ts'
import { seedSteps } from './seed-steps.ts'

export type GraphChange = { readonly graph: Graph } | { readonly refused: GraphRefusal }

/** The touched records of a draft: undefined for those that are gone. */
type Records = Map<number, PrimitiveRecord | undefined>

/**
 * What a log holds was checked as it was written, so parts of conditions that fail for every call
 * are looked for only where `checks` asks for it: they refuse each call, and let none through.
 */
export function applyChange(
  graph: Graph,
  operations: readonly GraphOperation[],
  checks: LiteralChecks = { literals: false },
): GraphChange {
  const draft = draftOf(graph)
  for (const [at, operation] of operations.entries()) {
    const refused = applyOperation(draft, { operation, at }, checks)
    if (refused !== null) return { refused }
  }
  const dangling = settleTargets(draft) ?? removedTarget(draft)
  if (dangling !== null) return { refused: dangling }
  const records = compiledRecords(draft)
  const cycle = pullingCycle(draft, records)
  if (cycle !== null) return { refused: cycle }
  return { graph: nextRevision(graph, records, draft.length) }
}

/** A seed as operations: every primitive, then its levels, then how they relate. */
export function operationsFromFile(file: GraphFile): readonly GraphOperation[] {
  return seedSteps(file).map((step) => step.operation)
}

/** Gives the edges that were written before their targets the ids that those have by now. */
function settleTargets(draft: GraphDraft): GraphRefusal | null {
  for (const [edge, { source, targetName, at }] of draft.added) {
    if (edge.target !== awaited) continue
    const target = idOf(draft, targetName)
    if (target === undefined) {
      const from = sketchOf(draft, source).name
      const relates = `\`${from}\` relates to \`${targetName}\`, which is not in the graph`
      const message = `${relates}: add it, or relate to one that is`
      return { code: 'target_dangling', message, at }
    }
    edge.target = target
    if (target !== source) sketchOf(draft, target).inbound += 1
  }
  return null
}

/** Finds a primitive that the set removes although others relate to it. */
function removedTarget(draft: GraphDraft): GraphRefusal | null {
  for (const [id, sketch] of draft.sketches) {
    if (sketch.removedAt === null || sketch.inbound === 0) continue
    const sources = sourcesOf(draft, id).map((name) => `\`${name}\``)
    const kept = `${sources.join(', ')} ${sources.length === 1 ? 'relates' : 'relate'} to it`
    const message = `\`${sketch.name}\` cannot be removed: ${kept}: unrelate first`
    return { code: 'target_dangling', message, at: sketch.removedAt }
  }
  return null
}

/** Who relates to it. Looks at the whole graph, which only a refusal has to pay for. */
function sourcesOf(draft: GraphDraft, target: number): readonly string[] {
  const names = new Set<string>()
  for (const [id, record] of primitivesOf(draft.base)) {
    if (draft.sketches.has(id)) continue
    if (record.edges.some((edge) => edge.target === target)) names.add(record.name)
  }
  for (const sketch of draft.sketches.values()) {
    const edges = (sketch.edited ?? sketch.levels).flatMap((level) => level.relata)
    if (edges.some((edge) => edge.target === target)) names.add(sketch.name)
  }
  return [...names]
}

function compiledRecords(draft: GraphDraft): Records {
  const records: Records = new Map()
  for (const [id, sketch] of draft.sketches) {
    const { name, folded, provenance, inbound } = sketch
    const levels = sketch.edited ?? sketch.levels
    const before = pageAt(draft.base.records, id)
    const definition = { name, folded, provenance, levels, inbound }
    records.set(id, sketch.removedAt === null ? compile(definition, before) : undefined)
  }
  return records
}

/**
 * A circle of pulling edges, if the set closes one. The graph had none before, so a circle runs
 * through an edge that was added, and through its source.
 */
function pullingCycle(draft: GraphDraft, records: Records): GraphRefusal | null {
  const recordOf = (id: number): PrimitiveRecord => {
    const record = records.get(id) ?? pageAt(draft.base.records, id)
    assert(record !== undefined, 'every edge of a settled draft leads to a primitive')
    return record
  }
  const added = [...draft.added].filter(([edge]) => isPulling(edge.type))
  const starts = new Set(added.map(([, { source }]) => source))
  const cycle = cycleFrom(starts, recordOf)
  if (cycle === null) return null
  // The last operation that added one of its edges is the one that closed it.
  let closedAt = 0
  for (const [edge, { source, at }] of added) {
    const next = cycle[cycle.indexOf(source) + 1]
    if (cycle.includes(source) && next === edge.target) closedAt = Math.max(closedAt, at)
  }
  const path = cycle.map((id) => `\`${recordOf(id).name}\``).join(' → ')
  const rule = 'REQUIRES, CONSTRAINED_BY and DEPENDS_ON may not run in a circle'
  const message = `${path}: ${rule}`
  return { code: 'cycle_transitive', message, at: closedAt }
}
