// Every callback that a policy names must be in the module that will be pinned: a name that leads
// nowhere would refuse every call, and only when someone makes one.
import { Fault } from '#record/fault'
import { graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import type { GraphFile, Policy } from '#schemas/graph'
import { pinnedNames } from './callback-store.ts'
import type { Runtime } from '#runtime/engine/runtime'
import type { SeedFiles } from './seed-files.ts'

/**
 * Throws a Fault that names the policy, its edge and the callback. `after` is the graph as it will
 * be.
 */
export async function refuseUnknownCallbacks(
  runtime: Pick<Runtime, 'folder' | 'follower'>,
  files: Pick<SeedFiles, 'graph' | 'callbacks'>,
  after: Graph,
): Promise<void> {
  // A new module must serve the whole graph, not only what this folder says of it.
  const graph = files.callbacks === null ? files.graph : graphToFile(after)
  const named = placedPolicies(graph).filter(({ policy }) => policy.callback !== null)
  const [first] = named
  if (first === undefined) return
  const exported = files.callbacks?.exported ?? (await pinnedNames(runtime))
  const unknown =
    exported === null
      ? first
      : named.find(({ policy }) => !exported.includes(policy.callback ?? ''))
  if (unknown === undefined) return
  const { policy, source, target } = unknown
  const callback = policy.callback ?? ''
  const which = `policy \`${policy.name}\` on \`${source}\` → \`${target}\` calls \`${callback}\``
  const how = `add \`export function ${callback}(context)\`, or fix the name`
  const message =
    exported === null
      ? `${which}, and there is no \`callbacks.ts\`: write it beside \`graph.json\``
      : `${which}, which \`callbacks.ts\` does not export: ${how}`
  throw new Fault('unknown_callback', message)
}

interface Placed {
  readonly policy: Policy
  readonly source: string
  readonly target: string
}

function placedPolicies({ primitives }: GraphFile): readonly Placed[] {
  return primitives.flatMap(({ name: source, depths }) =>
    depths.flatMap(({ relata }) =>
      relata.flatMap(({ target, policies }) => {
        return policies.map((policy) => ({ policy, source, target }))
      }),
    ),
  )
}
