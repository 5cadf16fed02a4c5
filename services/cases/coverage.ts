// Which capabilities, policies and conditions the cases exercised: one that took no effect in any
// case could be dropped, and no case would notice.
import type { Catalog } from '#rules/catalog/catalog'
import { graphToFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import type { TestCase } from './case-format.ts'
import type { CameTo } from '#replay/what-if/came-to'

export interface CoveredRule {
  readonly kind: 'capability' | 'policy' | 'condition' | 'budget' | 'list'
  /** Such as `send_email`, `outside on send → email`, `hours`, `allow of send_email`. */
  readonly name: string
  /** In how many cases it was used, refused, asked, or its check answered. */
  cases: number
  /** The outcomes of those cases. */
  readonly outcomes: Set<CameTo['outcome']>
}

export interface Coverage {
  readonly rules: ReadonlyMap<string, CoveredRule>
  add(of: TestCase, came: CameTo): void
}

/** Of a share there is one only where there is something to cover. */
export function shareOf(rules: Iterable<CoveredRule>): number {
  const all = [...rules]
  const covered = all.filter(({ cases }) => cases > 0)
  return all.length === 0 ? 100 : Math.floor((covered.length * 100) / all.length)
}

export function coverageOf({
  catalog,
  graph,
}: {
  readonly catalog: Catalog
  readonly graph: Graph
}): Coverage {
  const rules = new Map<string, CoveredRule>()
  const declare = (kind: CoveredRule['kind'], name: string): void => {
    rules.set(keyOf(kind, name), { kind, name, cases: 0, outcomes: new Set() })
  }
  for (const { id, allow, deny, conditions = [] } of catalog.capabilities.values()) {
    declare('capability', id)
    if (allow !== undefined) declare('list', `allow of ${id}`)
    if (deny !== undefined) declare('list', `deny of ${id}`)
    for (const { name } of conditions) declare('condition', `${name} of ${id}`)
  }
  for (const { name } of catalog.conditions) declare('condition', name)
  for (const { name } of catalog.budgets) declare('budget', name)
  for (const name of policiesIn(graph)) declare('policy', name)
  return {
    rules,
    add(of, came) {
      for (const key of new Set(keysOf(of, came))) {
        const rule = rules.get(key)
        if (rule === undefined) continue
        rule.cases += 1
        rule.outcomes.add(came.outcome)
      }
    },
  }
}

function keyOf(kind: CoveredRule['kind'], name: string): string {
  return `${kind} ${name}`
}

function policiesIn(graph: Graph): readonly string[] {
  return graphToFile(graph).primitives.flatMap(({ name: source, depths }) =>
    depths.flatMap(({ relata }) =>
      relata.flatMap(({ target, policies }) => {
        return policies.map(({ name: policy }) => policyName({ policy, source, target }))
      }),
    ),
  )
}

function policyName(of: {
  readonly policy: string
  readonly source: string
  readonly target: string
}): string {
  return `${of.policy} on ${of.source} → ${of.target}`
}

function keysOf({ request: { tool } }: TestCase, came: CameTo): readonly string[] {
  const effects = [...came.reasons.map(({ params }) => params), ...came.questions]
  const edges = [...effects, ...came.callbacks].flatMap(({ policy, source, target }) => {
    if (policy === undefined || source === undefined || target === undefined) return []
    return [keyOf('policy', policyName({ policy, source, target }))]
  })
  const conditions = effects.flatMap(({ rule }) => {
    if (rule === undefined) return []
    return [keyOf('condition', rule), keyOf('condition', `${rule} of ${tool}`)]
  })
  const budgets = came.reasons.flatMap(({ params: { budget } }) => {
    return budget === undefined ? [] : [keyOf('budget', budget)]
  })
  const lists = came.reasons.flatMap(({ code, params: { cause } }) => {
    return code === 'not_permitted' ? [keyOf('list', `${cause ?? ''} of ${tool}`)] : []
  })
  return [keyOf('capability', tool), ...edges, ...conditions, ...budgets, ...lists]
}
