// Writes a policy into the graph of a seed folder, on an edge that its file has. What else people
// wrote there stays as it is, down to what they left out.
import { parseGraphFile } from '#authoring/changes/seed-file'
import { caseFold } from '#record/case-fold'
import { Fault } from '#record/fault'
import { isMap } from '#messages/envelope'
import type { SeedFiles } from '#authoring/seed-files'
import type { GraphFile, Policy } from '#schemas/graph'
import type { PolicyEdge } from './edges.ts'
import { policyEdgeText } from './print.ts'

/** The files with the policy, in the place of one of its name. */
export function withPolicy(
  files: SeedFiles,
  folder: string,
  { edge, policy }: PolicyOnEdge,
): SeedFiles {
  const place = placeIn(files.graph, edge)
  if (place === null) {
    const which = `the edge from \`${edge.source}\`, ${policyEdgeText(edge)}`
    const how = `\`warrant pull ${folder}\` writes it into the folder`
    throw new Fault('edge_unknown', `only the log has ${which}: ${how}`)
  }
  const entry = writtenPolicy(policy)
  const graph = changedAt(files.written.graph, place, (there) => {
    const policies: readonly unknown[] = Array.isArray(there) ? there : []
    const isSame = (one: unknown) => isMap(one) && one['name'] === policy.name
    if (!policies.some(isSame)) return [...policies, entry]
    return policies.map((one) => (isSame(one) ? entry : one))
  })
  return { ...files, graph: parseGraphFile(graph), written: { ...files.written, graph } }
}

export interface PolicyOnEdge {
  readonly edge: PolicyEdge
  readonly policy: Policy
}

type Place = readonly (string | number)[]

/** Where the policies of the edge are in the file; null where the file has no such edge. */
function placeIn({ primitives }: GraphFile, edge: PolicyEdge): Place | null {
  const source = primitives.findIndex(({ name }) => caseFold(name) === caseFold(edge.source))
  const depths = primitives[source]?.depths ?? []
  const depth = depths.findIndex(({ level }) => level === edge.level)
  const alike = [...(depths[depth]?.relata ?? []).entries()].filter(([, { type, target }]) => {
    return type === edge.type && caseFold(target) === caseFold(edge.target)
  })
  // The file's edges come before those alike that only the log has.
  const nth = alike[edge.at]?.[0]
  if (nth === undefined) return null
  return ['primitives', source, 'depths', depth, 'relata', nth, 'policies']
}

function changedAt(
  value: unknown,
  [step, ...rest]: Place,
  change: (there: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return items.map((item, nth) => (nth === step ? changedAt(item, rest, change) : item))
  }
  const members = isMap(value) ? value : {}
  return { ...members, [step]: changedAt(members[step], rest, change) }
}

/** As people write it: what is as it would be without them stays away. */
function writtenPolicy({ metadata, ...policy }: Policy): object {
  const named = Object.entries(policy).filter(([, value]) => value !== null)
  const isNoted = Object.keys(metadata).length > 0
  return { ...Object.fromEntries(named), ...(isNoted && { metadata }) }
}
