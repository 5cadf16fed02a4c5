// What is wrong with a catalog and stops nothing when it is written: questions that no one can ever
// answer, tools that no one may use, and roles that lead nowhere.
import type { Capability, Principal } from '#schemas/catalog'
import { confirmationOf, rulesBuiltIn, type Catalog, type Confirming } from '#rules/catalog/catalog'
import { eligible } from '#rules/catalog/confirmers'
import { mayBeAsked } from '#rules/catalog/duties'
import { canSign } from '#rules/catalog/people/signed-words'
import { listed, quoted, short } from '#record/quote'
import { type Graph, primitivesOf } from '#knowledge/graph/revision'
import { judge } from '#rules/chain/judge'
import { actFlaws } from './act-flaws.ts'
import { driverFlaws } from './driver-flaws.ts'
import type { Flaw } from './flaw.ts'
import { unaskedPolicies } from './policy-flaws.ts'
import { roleFlaws } from './role-flaws.ts'
import { textFlaws } from './text-flaws.ts'
import { thingFlaws } from './thing-flaws.ts'
import { conditionProblem } from '#conditions/condition'
import { dyn, typeOfArguments, type ObjectType } from '#conditions/types'
import { capabilityIdCharactersMax, capabilityIdPattern } from '#schemas/action/routing'

/** By code, and of one code in the order of the catalog. */
export function checkCatalog(catalog: Catalog, graph: Graph): readonly Flaw[] {
  return [
    ...unanswerable(catalog),
    ...sessionUnsaid(catalog),
    ...unpermitted(catalog),
    ...idFlaws(catalog),
    ...driverFlaws(catalog),
    ...roleFlaws(catalog, graph),
    ...conditionFlaws(catalog, graph),
    ...textFlaws(catalog, graph),
    ...thingFlaws(catalog),
    ...actFlaws(catalog),
  ]
}

interface Held {
  readonly catalog: Catalog
  readonly graph: Graph
}

/** What a change brings in that its author would want to know; not what was so before. */
export function flawsBrought(before: Held, after: Held): readonly Flaw[] {
  const known = new Set(flawsAtWrite(before).map(({ what }) => what))
  return flawsAtWrite(after).filter(({ what }) => !known.has(what))
}

function flawsAtWrite({ catalog, graph }: Held): readonly Flaw[] {
  return [...checkCatalog(catalog, graph), ...unaskedPolicies(graph)]
}

/** The agents that may have to ask: those with an owner. */
function agentsOf({ principals }: Catalog): readonly Principal[] {
  return [...principals.values()].filter(({ owner, suspended }) => {
    return owner !== undefined && !suspended
  })
}

function unanswerable(catalog: Catalog): readonly Flaw[] {
  return confirmationsUsed(catalog).flatMap(({ confirmation, capability }) =>
    confirmation.tier === 'confirm'
      ? ownersUnable(catalog, capability, confirmation)
      : groupUnable(catalog, capability, confirmation),
  )
}

/** Four eyes are not asked outside of a session, and who wrote it may not know. */
function sessionUnsaid(catalog: Catalog): readonly Flaw[] {
  return confirmationsUsed(catalog).flatMap(({ confirmation, capability }) => {
    const { tier, sessionless, id } = confirmation
    if (tier === 'confirm' || sessionless !== undefined) return []
    const of = `${quoted(id ?? '')} is asked about ${quoted(capability.id)}`
    const what = `${of} within a session alone: a call outside of one is denied`
    const fix = 'write `"sessionless": false`, or `true` to let it be asked there too'
    return [{ code: 'confirmation_sessionless', where: { capability: capability.id }, what, fix }]
  })
}

interface ConfirmationUsed {
  readonly confirmation: Confirming
  readonly capability: Capability
}

/** Of several capabilities with one confirmation the first stands for all. */
function confirmationsUsed(catalog: Catalog): readonly ConfirmationUsed[] {
  const first = new Map<string | undefined, Capability>()
  for (const each of catalog.capabilities.values()) {
    for (const asks of confirmationsIn(catalog, each)) {
      if (!first.has(asks)) first.set(asks, each)
    }
  }
  return [...first].flatMap(([asks, capability]) => {
    const confirmation = confirmationOf(catalog, asks)
    return confirmation === null ? [] : [{ confirmation, capability }]
  })
}

/** Its own, and those that rules about its calls ask by. */
function confirmationsIn(
  catalog: Pick<Catalog, 'conditions'>,
  { confirmation, conditions = [] }: Capability,
): readonly (string | undefined)[] {
  const asked = [...conditions, ...catalog.conditions].flatMap((condition) => {
    return condition.effect === 'confirm' ? (condition.confirmation ?? []) : []
  })
  return [confirmation, ...asked]
}

/** Those for whom no one could be asked. */
function agentsStuck(catalog: Catalog, confirmation: Confirming): readonly Principal[] {
  const byOwner = new Map<string | undefined, boolean>()
  const isStuck = (agent: string): boolean => {
    return eligible(catalog, { agent, confirmation, delegators: [] }) === null
  }
  return agentsOf(catalog).filter(({ id, owner }) => {
    // Of agents that are asked themselves, more is left out than their owners.
    if (mayBeAsked(catalog, id)) return isStuck(id)
    const isSo = byOwner.get(owner) ?? isStuck(id)
    byOwner.set(owner, isSo)
    return isSo
  })
}

function ownersUnable(
  catalog: Catalog,
  { id }: Capability,
  confirmation: Confirming,
): readonly Flaw[] {
  const stuck = agentsStuck(catalog, confirmation)
  const [one] = stuck
  if (one === undefined) return []
  const others = stuck.length === 1 ? '' : ` and ${stuck.length - 1} more`
  const why =
    confirmation.quorum > 1
      ? `${confirmation.quorum} must approve, and an agent has one owner`
      : `its owner ${quoted(one.owner ?? '')} ${unable(catalog, one.owner, confirmation)}`
  const what = `no one can approve ${quoted(id)} for ${quoted(one.id)}${others}: ${why}`
  const fix = 'put a key for the owner, or let a group confirm'
  return [
    { code: 'confirmation_unanswerable', where: { capability: id, principal: one.id }, what, fix },
  ]
}

function groupUnable(
  catalog: Catalog,
  { id }: Capability,
  confirmation: Confirming,
): readonly Flaw[] {
  const { group = '', quorum } = confirmation
  const members = [...new Set(catalog.groups.get(group)?.members)]
  const able = members.filter((member) => unable(catalog, member, confirmation) === '')
  const where = { capability: id }
  const needs = `${quoted(confirmation.id ?? '')} needs ${quorum} of the group ${quoted(group)}`
  const begin = `no one can approve ${quoted(id)}`
  if (able.length < quorum) {
    const out = members
      .filter((member) => !able.includes(member))
      .map((member) => `${quoted(member)} ${unable(catalog, member, confirmation)}`)
    const why = members.length === 0 ? 'which has no members' : `and ${out.join(', ')}`
    const fix = 'put keys for its members, add members, or lower the quorum'
    const what = `${begin}: ${needs}, ${why}`
    return [{ code: 'confirmation_unanswerable', where, what, fix }]
  }
  const stuck = agentsStuck(catalog, confirmation)
  const [one] = stuck
  if (one === undefined) return []
  const others = stuck.length === 1 ? '' : ` and ${stuck.length - 1} more`
  const what = `${begin} for ${quoted(one.id)}${others}: ${needs}, and too few are not on its side`
  const fix = 'add members who neither own the agent nor are owned by its owner'
  return [{ code: 'confirmation_unanswerable', where: { ...where, principal: one.id }, what, fix }]
}

/** Why it cannot sign; empty where it can. */
function unable(
  catalog: Catalog,
  id: string | undefined,
  { signedWith }: Pick<Confirming, 'signedWith'>,
): string {
  const principal = catalog.principals.get(id ?? '')
  if (principal === undefined) return 'is not in the catalog'
  if (principal.suspended) return 'is suspended'
  if (canSign(catalog, principal, signedWith)) return ''
  const hasPasskey = principal.passkeys !== undefined
  if (hasPasskey) return 'has a passkey, and the catalog no console'
  return signedWith === 'passkey' ? 'has no passkey' : 'has no key'
}

/** Reasons that lie in what a principal is, and not in what it asks. */
const ofStanding = /^(missing|memory_write)_/

/** Capabilities that each principal is denied for what it is, whatever it asks. */
function unpermitted(catalog: Catalog): readonly Flaw[] {
  const { capabilities, principals } = catalog
  const builtIn = rulesBuiltIn(catalog)
  if (principals.size === 0) return []
  const alike = new Map<string, Principal>()
  for (const one of principals.values()) {
    alike.set(JSON.stringify([one.roles, one.attributes]), one)
  }
  return [...capabilities.values()].flatMap((capability) => {
    const asked = { capability, request: { tool: capability.id }, violations: [], builtIn }
    let lacks: string | null = null
    for (const principal of alike.values()) {
      const missing = lackingOf(judge({ ...asked, principal }).reasons)
      if (missing === null) return []
      lacks ??= missing
    }
    const without = lacks ?? 'what it needs'
    const what = `no principal may use ${quoted(capability.id)}: none has ${without}`
    const fix = `give ${without} to the agents that are meant to use it`
    return [{ code: 'capability_unpermitted', where: { capability: capability.id }, what, fix }]
  })
}

/** What a principal lacks; null where it may. */
function lackingOf(reasons: ReturnType<typeof judge>['reasons']): string | null {
  const found = reasons.filter(({ code }) => ofStanding.test(code))
  if (found.length === 0) return null
  const lacks = found.flatMap(({ params: { needs = [], attribute } }) => [
    ...needs.map(({ roles }) => `the role ${listed(roles, 'or')}`),
    ...(attribute === undefined ? [] : [`the attribute ${quoted(attribute)}`]),
  ])
  return lacks.join(' and ')
}

// Conditions that hold for every capability, and policies' own, read arguments that none has: where
// such a one is asked, it cannot be worked out, and the call is refused for that.

/** Those of the catalog, then those of the graph. */
function conditionFlaws(catalog: Catalog, graph: Graph): readonly Flaw[] {
  if (catalog.capabilities.size === 0) return []
  const args = allArguments(catalog)
  const flawOf = (when: string, named: string, where: Flaw['where']): readonly Flaw[] => {
    const problem = conditionProblem(when, args)
    if (problem === null) return []
    const { message, offset } = problem
    const what = `${named} reads what no tool has, at character ${offset + 1}`
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

// Capabilities whose ids are not written as new ones are: they work, and are harder to search, to
// browse and to give to a model.

export function idFlaws({ capabilities }: Pick<Catalog, 'capabilities'>): readonly Flaw[] {
  return [...capabilities.keys()].filter(isMisnamed).map((id) => ({
    code: 'capability_misnamed' as const,
    where: { capability: id },
    what: `the id ${quoted(short(id, capabilityIdCharactersMax))} is not written as ids are`,
    fix:
      'write words of letters, digits, `_` and `-`, separated by `.`, `/` or `:`, at most ' +
      `${capabilityIdCharactersMax} characters`,
  }))
}

function isMisnamed(id: string): boolean {
  return id.length > capabilityIdCharactersMax || !capabilityIdPattern.test(id)
}
