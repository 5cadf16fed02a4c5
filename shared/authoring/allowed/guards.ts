// All that must let one tool's calls by one agent pass, as far as it can be set apart: each guard
// has a key that is the same before and after a change only if it answers every call alike. What
// is the same on both sides lets nothing more through.
import { conditionParts, type ConditionParts } from '#conditions/atoms'
import { ground, type GroundingAnswer } from '#knowledge/grounding/ground'
import type { Graph } from '#knowledge/graph/revision'
import { topmostOwner } from '#rules/catalog/confirmers'
import { limitOf, rulesBuiltIn, type Catalog } from '#rules/catalog/catalog'
import type { Capability, Condition, Principal } from '#schemas/catalog'
import type { PlacedPolicy } from '#schemas/graph'

export interface Rules {
  readonly catalog: Catalog
  readonly graph: Graph
}

/** One tool and one agent, as one catalog and graph have them. */
export interface RuleSide {
  readonly catalog: Catalog
  readonly capability: Capability | undefined
  readonly principal: Principal | undefined
  readonly owner: Principal | undefined
  readonly ground: GroundingAnswer | null
  readonly guards: readonly Guard[]
  /** What decides the rest: the same on both sides where nothing of it changed. */
  readonly fixed: string
}

export type Guard = {
  readonly key: string
  /** Such as `large` or `ask on send → email`. */
  readonly name: string
} & (
  | {
      readonly kind: 'condition'
      readonly parts: ConditionParts
      readonly source: string
      /** Refuses or asks where it comes to this. */
      readonly stops: boolean
      /** By whom it asks; null where it refuses. */
      readonly asks: Asks | null
    }
  | {
      readonly kind: 'policy'
      readonly placed: PlacedPolicy
      readonly parts: ConditionParts | null
      readonly asks: Asks | null
    }
  /** What no call shows by itself. */
  | { readonly kind: 'open'; readonly cause: OpenCause; readonly limit?: Limited }
)

interface Limited {
  readonly uses: number
  readonly windowMs: number
}

export interface Asks {
  /** Of the catalog; absent means the default one. */
  readonly confirmation: string | undefined
}

/** What decides beside the call: earlier messages and uses, and what programs answer. */
export type OpenCause = 'limit' | 'budget' | 'known_values' | 'standing' | 'callback'

/** What conditions read beside the call: where it is the same, so is what they come to. */
type Context = Readonly<Record<string, string>>

export function sideOf({ catalog, graph }: Rules, tool: string, agent: string): RuleSide {
  const capability = catalog.capabilities.get(tool)
  const principal = catalog.principals.get(agent)
  const owner = catalog.principals.get(principal?.owner ?? '')
  const known = capability === undefined ? null : groundFor(graph, capability)
  const context = contextOf({ catalog, capability, principal, owner, known })
  const base = { catalog, capability, principal, owner, ground: known }
  const guards = capability === undefined ? [] : guardsOf({ ...base, capability }, context)
  return { ...base, guards, fixed: fixedOf(base) }
}

/** The same for sides that judge every call alike. */
export function sideKey({ fixed, guards }: RuleSide): string {
  return [fixed, ...guards.map(({ key }) => key)].join('\n')
}

const grounded = new WeakMap<Graph, WeakMap<Capability, GroundingAnswer>>()

function groundFor(graph: Graph, capability: Capability): GroundingAnswer | null {
  const { concepts, minDepth } = capability
  if (concepts.length === 0) return null
  const byCapability = grounded.get(graph) ?? new WeakMap<Capability, GroundingAnswer>()
  grounded.set(graph, byCapability)
  const before = byCapability.get(capability)
  if (before !== undefined) return before
  const answer = ground(graph, { concepts, minDepth, profile: 'strict' })
  byCapability.set(capability, answer)
  return answer
}

function textOf(value: unknown): string {
  return JSON.stringify(value)
}

interface Base extends Omit<RuleSide, 'guards' | 'fixed'> {
  readonly capability: Capability
}

function contextOf(of: {
  readonly catalog: Catalog
  readonly capability: Capability | undefined
  readonly principal: Principal | undefined
  readonly owner: Principal | undefined
  readonly known: GroundingAnswer | null
}): Context {
  const { catalog, capability, principal, owner, known } = of
  const { rules, trustedEvidence, resources, now } = catalog
  const senders = trustedEvidence.map(({ sender }) => {
    const { suspended, keys } = catalog.principals.get(sender) ?? {}
    return [suspended, keys]
  })
  const { id, safetyClass, sensitivity, tags, concepts, argsSchema, driver } = capability ?? {}
  return {
    args: textOf([rules, argsSchema, driver !== undefined, [...resources.values()]]),
    principal: textOf([principal?.id, seenOf(principal)]),
    owner: textOf([owner?.id, seenOf(owner)]),
    'principal without id': textOf(seenOf(principal)),
    'owner without id': textOf([owner === undefined, seenOf(owner)]),
    capability: textOf([id, safetyClass, sensitivity, tags, concepts]),
    intent: textOf(rules),
    session: textOf([rules, trustedEvidence, senders]),
    acts: textOf([rules, actsSeenBy(catalog)]),
    grounding: textOf([known?.grounded ?? null, concepts]),
    now: textOf([rules, now]),
  }
}

/** By what an earlier call is one of those that conditions read, and with which arguments. */
export function actsSeenBy({ capabilities }: Pick<Catalog, 'capabilities'>): unknown {
  return [...capabilities.values()].map(({ id, safetyClass, driver, argsSchema }) => {
    return [id, safetyClass === 'READ', driver === undefined ? null : argsSchema]
  })
}

/** What conditions read of someone, beside the id. */
function seenOf(principal: Principal | undefined): unknown {
  const { roles, attributes } = principal ?? {}
  return [roles, attributes]
}

/** What is judged of a call without any guard. */
function fixedOf({
  catalog,
  capability,
  principal,
  ground: known,
}: Omit<RuleSide, 'guards' | 'fixed'>) {
  const { limits: _limits, ...builtIn } = rulesBuiltIn(catalog)
  const { allow, deny, argsSchema, driver, safetyClass, sensitivity, suspended } = {
    suspended: false,
    ...capability,
  }
  const gaps = known?.gaps ?? []
  const mine = { allow, deny, argsSchema, safetyClass, sensitivity, suspended }
  const { roles, attributes, suspended: stopped, moving } = principal ?? {}
  const listed = [...(allow ?? []), ...(deny ?? [])].map((one) => one.principal)
  const named = listed.includes(principal?.id) ? { id: principal?.id } : {}
  const who = principal === undefined ? null : { roles, attributes, stopped, moving, ...named }
  const what = capability === undefined ? null : { ...mine, isDriven: driver !== undefined }
  return textOf([what, who, builtIn, gaps, capability?.cardinality, catalog.rules])
}

function guardsOf(of: Base, context: Context): readonly Guard[] {
  const { catalog, capability, ground: known } = of
  const conditions = [...catalog.conditions, ...(capability.conditions ?? [])]
  const policies = known?.policies ?? []
  return [
    ...conditions.map((one) => conditionGuard(one, of, context)),
    ...policies.flatMap((one) => policyGuard(one, of, context)),
    ...openGuards(of, context),
  ]
}

function conditionGuard(condition: Condition, { capability }: Base, context: Context): Guard {
  const { name, when, effect } = condition
  const parts = conditionParts(when)
  const stops = effect !== 'require'
  const key = textOf(['condition', when, stops, contextIn(context, parts, when)])
  if (parts === null) return { kind: 'open', cause: 'callback', key, name }
  const confirmation = effect === 'confirm' ? condition.confirmation : undefined
  const asks =
    effect === 'confirm' ? { confirmation: confirmation ?? capability.confirmation } : null
  return { kind: 'condition', key, name, parts, source: when, stops, asks }
}

// Agents that only their ids part are one kind where no one reads the ids.
const readsMore = /\b(?:principal|owner)\b(?!\s*\.\s*(?:roles|attributes)\b)/

function contextIn(
  context: Context,
  parts: ConditionParts | null,
  source: string,
): readonly unknown[] {
  const isById = readsMore.test(source)
  return [...(parts?.reads ?? [])].toSorted().map((name) => {
    return context[isById ? name : `${name} without id`] ?? context[name] ?? null
  })
}

function policyGuard(
  placed: PlacedPolicy,
  { catalog, capability, ground: known }: Base,
  context: Context,
): readonly Guard[] {
  const { source, target, policy } = placed
  const { when, callback, requiresConfirmation, triggerCardinality, confirmation } = policy
  // Without any of these there is nothing that it could refuse or ask by.
  if (callback === null && !requiresConfirmation && when === undefined) return []
  const parts = when === undefined ? null : conditionParts(when)
  const answers = [catalog.callbacks, callback, context, known?.resolved, catalog.now]
  const key = textOf([
    'policy',
    [when ?? null, triggerCardinality, requiresConfirmation, capability.cardinality],
    contextIn(context, parts, when ?? ''),
    callback === null ? null : answers,
  ])
  const name = `${policy.name} on ${source} → ${target}`
  const asks = requiresConfirmation
    ? { confirmation: confirmation ?? capability.confirmation }
    : null
  return [{ kind: 'policy', key, name, placed, parts, asks }]
}

function openGuards(of: Base, context: Context): readonly Guard[] {
  const { catalog, capability, principal } = of
  const open = (cause: OpenCause, name: string, value: unknown) => {
    return { kind: 'open', cause, name, key: textOf([cause, value]) } as const
  }
  const limit = limitOf(catalog, capability, principal)
  const sources = [...catalog.capabilities.values()].map(({ id, untrusted, lists }) => {
    return [id, untrusted, lists]
  })
  const budgets = catalog.budgets.filter(({ capabilities = [] }) => {
    return capabilities.length === 0 || capabilities.includes(capability.id)
  })
  const { known: values = [], safetyClass } = capability
  const { attributes, owner } = principal ?? {}
  const top = principal === undefined ? null : topmostOwner(catalog, principal.id)
  return [
    ...(limit === null ? [] : [{ ...open('limit', `limit of ${capability.id}`, limit), limit }]),
    ...budgets.map((one) => open('budget', one.name, [one, context, top])),
    ...values.map((one) => {
      const said = [context['session'], context['owner'], context['args']]
      return open('known_values', one.arg, [one, sources, said, attributes])
    }),
    ...(Object.keys(catalog.work).length === 0
      ? []
      : [open('standing', 'standing', [catalog.work, principal?.id, owner, safetyClass])]),
  ]
}
