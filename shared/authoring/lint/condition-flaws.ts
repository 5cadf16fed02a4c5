// Conditions that hold for every capability, and policies' own, read arguments that none has: where
// such a one is asked, it cannot be worked out, and the call is refused for that.
import { conditionProblem } from '#conditions/condition'
import { dyn, typeOfArguments, type ObjectType } from '#conditions/types'
import type { Catalog } from '#rules/catalog/catalog'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'
import { quoted } from '#record/quote'
import type { Flaw } from './flaw.ts'

/** Those of the catalog, then those of the graph. */
export function conditionFlaws(catalog: Catalog, graph: Graph): readonly Flaw[] {
  if (catalog.capabilities.size === 0) return []
  const args = allArguments(catalog)
  const flawOf = (when: string, named: string, where: Flaw['where']): readonly Flaw[] => {
    const problem = conditionProblem(when, args)
    if (problem === null) return []
    const { message, offset } = problem
    const what = `${named} reads what no capability has, at character ${offset + 1}`
    return [{ code: 'condition_misread', where, what, fix: message }]
  }
  return [
    ...catalog.conditions.flatMap(({ name, when }) => {
      return flawOf(when, `the condition ${quoted(name)}`, {})
    }),
    ...policyTexts(graph).flatMap(({ when, policy, primitive }) => {
      return flawOf(when, `\`when\` of the policy ${quoted(policy)}`, { primitive, policy })
    }),
  ]
}

/** Every argument that some capability has. Whether a call has it, `has` must ask. */
function allArguments({ capabilities }: Catalog): ObjectType {
  const types = [...capabilities.values()].map(({ argsSchema }) => typeOfArguments(argsSchema))
  const fields = new Map(
    types.flatMap((type) => [...type.fields.keys()].map((name) => [name, dyn])),
  )
  return { kind: 'object', fields, rest: types.some(({ rest }) => rest !== null) ? dyn : null }
}

interface PolicyText {
  readonly when: string
  readonly policy: string
  readonly primitive: string
}

function policyTexts(graph: Graph): readonly PolicyText[] {
  return [...primitivesOf(graph)].flatMap(([, { name: primitive, edges }]) => {
    return edges.flatMap(({ policies }) => {
      return policies.flatMap(({ name: policy, when }) => {
        return when === undefined ? [] : [{ when, policy, primitive }]
      })
    })
  })
}
