// The graph as a tree: each primitive, its levels, what they say and how they relate, with the
// rules, and, if asked, who said it.
import type { Policy, Provenance, RelationType } from '#schemas/graph'
import type { Edge, LevelRecord, PrimitiveRecord } from '#knowledge/graph/record'
import { primitiveToFile } from '#knowledge/graph/graph'
import { recordAt, type Graph } from '#knowledge/graph/revision'
import { levelText } from '#present/gap'
import { counted, jsonText, said } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'

export interface GraphTree {
  readonly graph: Graph
  readonly records: readonly PrimitiveRecord[]
  /** Such as `revision 3`. */
  readonly stand: string
  /** Whether who said it is shown. */
  readonly provenance: boolean
}

export function graphLines(tree: GraphTree): readonly Line[] {
  const { records, stand } = tree
  const head = toned('dim', `${stand}, ${counted(records.length, 'primitive')}`)
  return [head, ...records.flatMap((record) => primitiveLines(tree, record))]
}

function primitiveLines(tree: GraphTree, record: PrimitiveRecord): readonly Line[] {
  const { name, levels, provenance } = record
  return [
    toned('strong', name),
    ...provenanceLines(tree, '  ', provenance, null),
    ...levels.flatMap((level) => levelLines(tree, record, level)),
  ]
}

function levelLines(tree: GraphTree, record: PrimitiveRecord, level: LevelRecord): readonly Line[] {
  const { properties, relata, provenance } = level
  return [
    `  ${levelText(level.level)}`,
    ...provenanceLines(tree, '     ', provenance, record.provenance),
    ...Object.entries(properties).map(([key, value]) => `     ${key}: ${valueText(value)}`),
    ...relata.flatMap((edge) => edgeLines(tree, level, edge)),
  ]
}

function edgeLines(tree: GraphTree, level: LevelRecord, edge: Edge): readonly Line[] {
  const { type, targetDepth, policies, provenance } = edge
  const { name } = recordAt(tree.graph, edge.target)
  return [
    `     ${edgeText(type, name, targetDepth)}`,
    ...provenanceLines(tree, '        ', provenance, level.provenance),
    ...policies.map((policy) => toned('warn', `        ${policyText(policy)}`)),
  ]
}

/** One primitive as a seed file has it, and who said what beside it. */
export function provenanceFile(graph: Graph, record: PrimitiveRecord): unknown {
  const { depths, name } = primitiveToFile(graph, record)
  return {
    name,
    provenance: record.provenance,
    depths: depths.map(({ relata, ...depth }, at) => ({
      ...depth,
      provenance: record.levels[at]?.provenance ?? null,
      relata: relata.map((relatum, nth) => ({
        ...relatum,
        provenance: record.levels[at]?.relata[nth]?.provenance ?? null,
      })),
    })),
  }
}

/** Nothing where it is the same as that of what it belongs to. */
function provenanceLines(
  tree: GraphTree,
  indent: string,
  provenance: Provenance | null,
  outer: Provenance | null,
): readonly Line[] {
  if (!tree.provenance || provenance === null) return []
  if (JSON.stringify(provenance) === JSON.stringify(outer)) return []
  return [toned('dim', `${indent}${provenanceText(provenance)}`)]
}

/** `learned by olga, 2026-05-01T12:03:11Z, for <intent>`. */
export function provenanceText({ source, by, at, intent }: Provenance): string {
  return `${source} by ${by}, ${at}${intent === undefined ? '' : `, for ${intent}`}`
}

export function edgeText(type: RelationType, target: string, targetDepth: number): string {
  return `${type} → ${target} (D${targetDepth})`
}

export function policyText(policy: Policy): string {
  const { name, requiresConfirmation, callback, triggerCardinality, confirmation } = policy
  const parts = [
    requiresConfirmation ? 'asks a person' : 'asks no one',
    ...(confirmation === undefined ? [] : [`as ${confirmation} says`]),
    ...(callback === null ? [] : [`checks ${callback}`]),
    ...(triggerCardinality === null ? [] : [`for ${triggerCardinality} things`]),
  ]
  const asked =
    requiresConfirmation && policy.confirmationMessage !== null
      ? `: ${said(policy.confirmationMessage)}`
      : ''
  return `rule ${name} (${parts.join(', ')})${asked}`
}

export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}
