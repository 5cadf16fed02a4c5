// Lists the policies of all edges.
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { policyTable } from './print.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { edgesOf, type PolicyEdge } from './edges.ts'

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
