// A property of rules: that no call of a tool is ever allowed, of those for which a condition
// holds, unless members of a group agree to it. Here is what it means, and which calls could break
// it.
import { conditionHolds, conditionProblem } from '#conditions/condition'
import { conditionParts } from '#conditions/atoms'
import { typeOfArguments } from '#conditions/types'
import { confirmationOf } from '#rules/catalog/catalog'
import { sideKey, sideOf, type Asks, type Rules, type RuleSide } from './guards.ts'
import { agentsFirst, callsMax, soughtSide, type Searched } from './newly.ts'
import { inputOf, type TriedRequest } from './space.ts'

export interface NeverRule {
  readonly tool: string
  /** In CEL: of which calls; absent means of all. */
  readonly when?: string | undefined
  /** A group: what its members agree to is let through. */
  readonly approvedBy?: string | undefined
}

/** What is wrong with the rule itself, or null. */
export function neverProblem({ catalog }: Rules, rule: NeverRule): string | null {
  const { tool, when, approvedBy } = rule
  const capability = catalog.capabilities.get(tool)
  if (capability === undefined) return `no tool \`${tool}\` is in the catalog`
  if (approvedBy !== undefined && !catalog.groups.has(approvedBy)) {
    return `no group \`${approvedBy}\` is in the catalog`
  }
  if (when === undefined) return null
  return conditionProblem(when, typeOfArguments(capability.argsSchema))?.message ?? null
}

/** The calls that could break it, of each kind of agents. */
export function* neverSought(
  rules: Rules,
  rule: NeverRule,
): Iterable<{ readonly side: RuleSide; readonly found: Searched }> {
  const { tool, when } = rule
  const parts = when === undefined ? null : conditionParts(when)
  for (const { side, agents } of sidesOf(rules, tool)) {
    const isEnough = (asks: Asks): boolean => isOfGroup(side, rule, asks.confirmation)
    const sought = { after: side, isEnough, ...(parts !== null && { when: parts }) }
    yield { side, found: soughtSide(sought, agents, callsMax) }
  }
}

function sidesOf(rules: Rules, tool: string) {
  const sides = new Map<string, { readonly side: RuleSide; readonly agents: string[] }>()
  for (const { id } of agentsFirst(rules.catalog)) {
    const side = sideOf(rules, tool, id)
    const key = sideKey(side)
    const known = sides.get(key)
    if (known === undefined) sides.set(key, { side, agents: [id] })
    else known.agents.push(id)
  }
  return sides.values()
}

/** Whether none but members of the group can agree to it. */
export function isOfGroup(
  { catalog, principal }: RuleSide,
  { approvedBy }: NeverRule,
  confirmation: string | undefined,
): boolean {
  if (approvedBy === undefined) return true
  const confirming = confirmationOf(catalog, confirmation)
  if (confirming?.tier === 'four_eyes') return confirming.group === approvedBy
  const members = catalog.groups.get(approvedBy)?.members ?? []
  return members.includes(principal?.owner ?? '')
}

/** Whether the call is really one of those, at that time. */
export function isAbout(
  side: RuleSide,
  { when }: NeverRule,
  { request, at }: { readonly request: TriedRequest; readonly at: number },
): boolean {
  if (when === undefined) return true
  const said = side.catalog.now
  const now = said === null ? at : Date.parse(said)
  return conditionHolds(when, { ...inputOf(side, request), now }) === true
}
