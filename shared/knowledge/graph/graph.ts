// The knowledge graph as others use it: made from a seed file, asked by name, written back as a
// seed file. How it is kept is the business of the files beside this one.
import type { Depth, GraphFile, Policy, Primitive, Relatum } from '#schemas/graph'
import { Fault } from '#record/fault'
import { applyChange } from './graph-change.ts'
import type { Edge, LevelRecord, PrimitiveRecord } from './record.ts'
import { emptyGraph, primitivesOf, recordAt, type Graph } from './revision.ts'
import { seedSteps } from './seed-steps.ts'

/** The graph of a seed file, or a fault that says what in the file is wrong. */
export function graphFromFile(file: GraphFile): Graph {
  const steps = seedSteps(file)
  const change = applyChange(
    emptyGraph,
    steps.map((step) => step.operation),
    { literals: true },
  )
  if ('graph' in change) return change.graph
  const { code, message, at } = change.refused
  throw new Fault(code, `${steps[at]?.where ?? 'the file'}: ${message}`)
}

/** The seed file of a graph: primitives and edges in stored order, levels ascending. */
export function graphToFile(graph: Graph): GraphFile {
  const primitives: Primitive[] = []
  for (const [, record] of primitivesOf(graph)) primitives.push(primitiveToFile(graph, record))
  return { primitives }
}

/** One primitive as a seed file has it. */
export function primitiveToFile(graph: Graph, record: PrimitiveRecord): Primitive {
  return { name: record.name, depths: record.levels.map((level) => depthToFile(graph, level)) }
}

function depthToFile(graph: Graph, level: LevelRecord): Depth {
  const relata = level.relata.map((edge) => relatumToFile(graph, edge))
  return { level: level.level, properties: { ...level.properties }, relata }
}

function relatumToFile(graph: Graph, edge: Edge): Relatum {
  const { type, targetDepth, metadata } = edge
  const target = recordAt(graph, edge.target).name
  const policies = edge.policies.map((policy): Policy => ({ ...policy }))
  return { type, target, targetDepth, metadata: { ...metadata }, policies }
}
