// Policies that no call can trigger: anyone who wrote one counts on it, and it would never be
// asked.
import { quoted } from '#record/quote'
import type { Calls } from './calls.ts'
import type { Flaw, FlawCode } from './flaw.ts'
import type { Edge, PrimitiveRecord } from '#knowledge/graph/record'
import { primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'

export function policyFlaws(
  graph: Graph,
  calls: Calls,
  source: PrimitiveRecord,
  edge: Edge,
): readonly Flaw[] {
  const { type, sourceDepth: level } = edge
  const target = recordAt(graph, edge.target).name
  return edge.policies.flatMap((policy) => {
    const found = flawOf({ calls, source, edge, target }, policy)
    if (found === null) return []
    const where = { primitive: source.name, level, edge: { type, target }, policy: policy.name }
    const { code, why, fix } = found
    return [{ code, where, what: `the policy ${quoted(policy.name)} never applies: ${why}`, fix }]
  })
}

/** Policies that name what people are asked, or who is, and ask no one. */
export function unaskedPolicies(graph: Graph): readonly Flaw[] {
  const flaws: Flaw[] = []
  for (const [, { name: primitive, edges }] of primitivesOf(graph)) {
    for (const { type, target: id, sourceDepth: level, policies } of edges) {
      const target = recordAt(graph, id).name
      for (const { name: policy, requiresConfirmation, ...rest } of policies) {
        const { confirmation, confirmationMessage } = rest
        const named = confirmation === undefined ? 'confirmationMessage' : 'confirmation'
        if (requiresConfirmation || (confirmation === undefined && confirmationMessage === null)) {
          continue
        }
        const what = `the policy ${quoted(policy)} has a \`${named}\` and asks no one`
        const fix = 'write `requiresConfirmation: true`, or take it out'
        const where = { primitive, level, edge: { type, target }, policy }
        flaws.push({ code: 'policy_unasked', where, what, fix })
      }
    }
  }
  return flaws
}

interface Found {
  readonly code: FlawCode
  readonly why: string
  readonly fix: string
}

/** The first thing that keeps it from ever being triggered. */
function flawOf(
  on: {
    readonly calls: Calls
    readonly source: PrimitiveRecord
    readonly edge: Edge
    readonly target: string
  },
  { triggerCardinality }: Edge['policies'][number],
): Found | null {
  const { calls, source, edge, target } = on
  const { type, sourceDepth } = edge
  if (type !== 'APPLIES_TO') {
    const why = `it stands on ${type}, and only those on APPLIES_TO are asked`
    return { code: 'policy_misplaced', why, fix: 'relate by APPLIES_TO, and put it there' }
  }
  if (sourceDepth > source.strict) {
    const why = `it hangs on level ${sourceDepth} of ${quoted(source.name)}, which does not count`
    const fix = `describe that from level ${source.strict + 1} on`
    return { code: 'policy_gated', why, fix }
  }
  // Without any concept there is one flaw for all of the graph, and not one for each policy.
  if (calls.capabilities.length === 0) return null
  const capabilities = calls.byEdge.get(edge) ?? []
  if (capabilities.length === 0) {
    const both = `both ${quoted(source.name)} and ${quoted(target)}`
    const why = `no tool's concepts bring in ${both}`
    const fix = `name both among the concepts of the tool that it is meant for`
    return { code: 'policy_unreached', why, fix }
  }
  if (triggerCardinality === null) return null
  const matches = capabilities.some(({ cardinality }) => {
    return cardinality === undefined || cardinality === triggerCardinality
  })
  if (matches) return null
  const why = `it is for ${triggerCardinality}, and no tool that brings it in is`
  const fix = 'let it be for both, or leave the cardinality of the tool open'
  return { code: 'policy_cardinality', why, fix }
}
