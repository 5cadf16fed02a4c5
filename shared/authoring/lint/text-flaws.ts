// Texts of rules that stand as they are before people and agents, and were written as if a value
// were put into them.
import type { Catalog } from '#rules/catalog/catalog'
import { listed, quoted } from '#record/quote'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'
import type { Condition } from '#schemas/rules/condition'
import type { Flaw, FlawPlace } from './flaw.ts'

/** `{args.to}`, `${to}`, `{{ to }}`; and no JSON, in which a name stands in quotation marks. */
const placeholder = /\$?\{{1,2}\s*[\p{L}_$][^{}"]*\}{1,2}/gu
/** All that is filled in, in the message of a policy alone. */
const action = '{action}'

export function textFlaws(catalog: Catalog, graph: Graph): readonly Flaw[] {
  return [
    ...catalog.conditions.flatMap((condition) => conditionTexts(condition, {})),
    ...[...catalog.capabilities.values()].flatMap(({ id: capability, conditions }) => {
      return (conditions ?? []).flatMap((one) => conditionTexts(one, { capability }))
    }),
    ...policyMessages(graph),
  ]
}

function conditionTexts(condition: Condition, where: FlawPlace): readonly Flaw[] {
  const { name, message } = condition
  const question = condition.effect === 'confirm' ? condition.question : undefined
  const of = `the condition ${quoted(name)}`
  return [
    ...flawOf(question, `\`question\` of ${of}`, where),
    ...flawOf(message, `\`message\` of ${of}`, where),
  ]
}

function policyMessages(graph: Graph): readonly Flaw[] {
  return [...primitivesOf(graph)].flatMap(([, { name: primitive, edges }]) => {
    return edges.flatMap(({ policies }) => {
      return policies.flatMap(({ name: policy, confirmationMessage }) => {
        const text = confirmationMessage?.replaceAll(action, '')
        const of = `\`confirmationMessage\` of the policy ${quoted(policy)}`
        return flawOf(text, of, { primitive, policy }, `only \`${action}\` is filled in`)
      })
    })
  })
}

function flawOf(
  text: string | undefined,
  of: string,
  where: FlawPlace,
  filled = 'nothing is filled in',
): readonly Flaw[] {
  const found = [...new Set(text?.match(placeholder))]
  if (found.length === 0) return []
  const what = `${of} shows ${listed(found, 'and')} as it stands: ${filled} there`
  const fix = 'write it without: the arguments are shown beside it'
  return [{ code: 'text_unfilled', where, what, fix }]
}
