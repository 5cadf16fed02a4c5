// Policies for people: the table of all, and one in full with what people will read.
import type { Policy } from '#schemas/graph'
import { questionAsked } from '#present/asking/question-asked'
import { render } from '#rules/chain/violation'
import { jsonText, said } from '#present/wording'
import type { PolicyEdge } from './edges.ts'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

/** The policies of edges, one a row. */
export function policyTable(edges: readonly PolicyEdge[]): readonly Line[] {
  const rows = edges.flatMap((edge) =>
    edge.policies.map((policy) => [
      edge.source,
      policyEdgeText(edge),
      policy.name,
      asksText(policy),
      policy.callback ?? '-',
      whenText(policy),
      edge.silent === null ? '' : `never fires: ${edge.silent}`,
    ]),
  )
  if (rows.length === 0) return ['no edge has a policy']
  return tableLines(['source', 'edge', 'policy', 'asks', 'checks', 'when', ''], rows)
}

/** What there is to hang a policy on. */
export function policyEdgeLines(source: string, edges: readonly PolicyEdge[]): readonly string[] {
  if (edges.length === 0) return [`  \`${source}\` relates to nothing`]
  return edges.map((edge) => {
    const { policies, silent } = edge
    const has = policies.length === 0 ? '' : `, ${policies.map(({ name }) => name).join(', ')}`
    const why = silent === null ? '' : `  (policies here never fire: ${silent})`
    return `  ${policyEdgeText(edge)}${has}${why}`
  })
}

export function policyEdgeText({ level, type, target, targetDepth }: PolicyEdge): string {
  return `D${level} ${type} → ${target} (D${targetDepth})`
}

/** The policy in full, as it would stand on the edge. */
export function policyLines(edge: PolicyEdge, policy: Policy): readonly Line[] {
  const { metadata, callback } = policy
  return [
    toned('strong', `${edge.source} ${policyEdgeText(edge)}`),
    row('policy', policy.name),
    row('asks', asksText(policy)),
    row('checks', callback ?? 'nothing'),
    row('when', whenText(policy)),
    row('reads', previewText(policy, edge.source)),
    ...(Object.keys(metadata).length === 0 ? [] : [row('metadata', jsonText(metadata))]),
    ...(edge.silent === null ? [] : [toned('warn', `  it will never fire: ${edge.silent}`)]),
  ]
}

/** The message as people will read it. */
export function previewText(policy: Pick<Policy, 'confirmationMessage'>, source: string): string {
  const message = render(policy, source)
  return said(questionAsked({ kind: 'policy', source, ...(message !== null && { message }) }))
}

function asksText({ requiresConfirmation, confirmation }: Policy): string {
  if (!requiresConfirmation) return 'no one'
  return confirmation === undefined ? 'a person' : `a person, as ${confirmation} says`
}

function whenText({ triggerCardinality }: Policy): string {
  switch (triggerCardinality) {
    case null:
      return 'always'
    case 'single':
      return 'for a single item'
    case 'multiple':
      return 'for several items'
  }
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(10)}${text}`
}
