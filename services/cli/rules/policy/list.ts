// Lists the policies of all edges, and takes one away.
import type { Graph } from '#knowledge/graph/revision'
import { Fault } from '#record/fault'
import { caseFold } from '#record/case-fold'
import { didYouMean, nearest } from '#record/quote'
import type { Level } from '#schemas/graph'
import { change } from '#authoring/change'
import { exitCodes } from '#schemas/faults/exit'
import type { EditOptions } from '../editing/edit-options.ts'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { movedLines } from '../editing/change-text.ts'
import { dryRunLines } from '../editing/flips-text.ts'
import { toned } from '#cli/terminal/line'
import { policyEdgeText, policyTable } from './print.ts'
import { authorFor, refuseWithoutCatalog } from '../editing/edit.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { previewSets } from '../editing/preview-change.ts'
import { edgesOf, withPolicies, type PolicyEdge } from './edges.ts'

export interface RemoveOptions extends EditOptions {
  readonly level?: Level
}

export interface PolicyName {
  readonly source: string
  readonly target: string
  readonly name: string
}

export async function listPolicies(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const edges = edgesOf(follower.state.graph)
    if (options.json === true) await printJson(edges.flatMap(listed))
    else await print(policyTable(edges))
    return exitCodes.yes
  })
}

function listed(edge: PolicyEdge): readonly unknown[] {
  const { source, level, type, target, targetDepth, policies, silent } = edge
  return policies.map((policy) => {
    return { source, level, type, target, targetDepth, policy, neverFires: silent }
  })
}

export async function removePolicy(named: PolicyName, options: RemoveOptions): Promise<number> {
  return withRuntime(options, { reads: options.dryRun === true }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    const { graph } = runtime.follower.state
    const edge = edgeWith(graph, named, options.level)
    const operations = (now: Graph) =>
      withPolicies(now, edge, (policies) => policies.filter(({ name }) => name !== named.name))
    const author = options.dryRun === true ? null : await authorFor(runtime, options)
    const set = { kind: 'graph' as const, operations: operations(graph) }
    const preview = author === null ? await previewSets(runtime, [set], options.last) : null
    const changed =
      author === null ? null : await change(runtime, { kind: 'graph', operations }, author, options)
    const what = `${named.name} on ${edge.source} ${policyEdgeText(edge)}`
    if (options.json === true) {
      const revision = changed?.revision ?? null
      const { level } = edge
      await printJson({ ...named, level, removed: revision !== null, revision, preview })
    } else if (changed === null) {
      const would = toned('warn', `${what} would be removed; nothing was changed`)
      await print([would, ...dryRunLines(preview)])
    } else {
      const { revision, moved = [] } = changed
      const removed = `${what} is removed, from revision ${revision} of the graph on`
      await print([toned('good', removed), ...movedLines(moved, revision)])
    }
    return exitCodes.yes
  })
}

function edgeWith(
  graph: Graph,
  { source, target, name }: PolicyName,
  level: Level | undefined,
): PolicyEdge {
  const between = edgesOf(graph, source).filter((edge) => {
    const levelFits = level === undefined || edge.level === level
    return caseFold(edge.target) === caseFold(target) && levelFits
  })
  const found = between.filter((edge) => edge.policies.some((policy) => policy.name === name))
  const [only, other] = found
  if (only === undefined) {
    const near = nearest(
      between.flatMap(({ policies }) => policies.map((policy) => policy.name)),
      name,
    )
    const message = `no edge from \`${source}\` to \`${target}\` has a policy \`${name}\``
    throw new Fault('policy_unknown', `${message}${didYouMean(near)}`)
  }
  if (other === undefined || other.level === only.level) return only
  const levels = found.map((edge) => edge.level).join(' and ')
  throw usage(`edges on the levels ${levels} have it: choose one with --level`)
}
