// What must hold between the entries of a catalog after a change set: every name leads somewhere,
// nothing owns itself, no confirmation is out of reach. It looks at what the set touched, never at
// all principals.
import { unreachable } from '#record/fault'
import type {
  Capability,
  CatalogOperation,
  Collection,
  Condition,
  Confirmation,
  Group,
  Principal,
} from '#schemas/catalog'
import { conditionProblem, readsOf } from '#conditions/condition'
import { openObject, typeOfArguments, type ObjectType } from '#conditions/types'
import { mayHold } from '#knowledge/known/placed'
import { argsSchemaFault, defaultsFault, patternsUnder } from './arguments.ts'
import { driverFault, serversFault, type DriverFault } from '../drivers/driver-checks.ts'
import { budgetNaming, budgetsFault } from './budget-checks.ts'
import type { Catalog, CatalogRefusal, CatalogRefusalCode } from './catalog.ts'
import { leaveFault } from './cells.ts'
import { mayBeAsked } from './duties.ts'
import { sharedIdentity } from './doors/identities.ts'
import { passkeysFault, sharedKey } from './people/key-checks.ts'
import { hasRules } from './rules-version.ts'

/** The first fault that the operations have left in the catalog, or null. */
export function firstFault(
  catalog: Catalog,
  operations: readonly CatalogOperation[],
): CatalogRefusal | null {
  for (const operation of operations) {
    const fault = faultAfter(catalog, operation)
    if (fault !== null) return fault
  }
  return (
    sharedKey(catalog, operations) ??
    sharedIdentity(catalog, operations) ??
    passkeysFault(catalog, operations)
  )
}

function faultAfter(catalog: Catalog, operation: CatalogOperation): CatalogRefusal | null {
  if (operation.op === 'remove') return stillUsed(catalog, operation)
  if (operation.op === 'set') return settingFault(catalog, operation)
  if (operation.op !== 'put') return null
  // A later operation of the set may have replaced or removed it: what stands at the end counts.
  const { id } = operation.entry
  switch (operation.collection) {
    case 'principals':
      return ofEntry(catalog.principals.get(id), (entry) => principalFault(catalog, entry))
    case 'groups':
      return ofEntry(catalog.groups.get(id), (entry) => groupFault(catalog, entry))
    case 'capabilities':
      return ofEntry(catalog.capabilities.get(id), (entry) => capabilityFault(catalog, entry))
    case 'resources':
      return null
    case 'confirmations':
      return ofEntry(catalog.confirmations.get(id), (entry) => confirmationFault(catalog, entry))
    default:
      return unreachable(operation)
  }
}

function ofEntry<T>(entry: T | undefined, check: (entry: T) => CatalogRefusal | null) {
  return entry === undefined ? null : check(entry)
}

function refusal(code: CatalogRefusalCode, at: string, message: string): CatalogRefusal {
  return { code, message, at }
}

function placedAt(place: string, fault: DriverFault | null): CatalogRefusal | null {
  return fault === null ? null : refusal(fault.code, `${place}/${fault.at}`, fault.message)
}

function principalFault(catalog: Catalog, principal: Principal): CatalogRefusal | null {
  const stray = principal.moving === true ? leaveFault(catalog, principal.id) : null
  if (stray !== null) return stray
  const at = `principals/${principal.id}/owner`
  const seen = new Set([principal.id])
  for (let { owner } = principal; owner !== undefined;) {
    if (seen.has(owner)) {
      return refusal(
        'owner_cycle',
        at,
        `\`${owner}\` owns itself through its owners: remove one of them`,
      )
    }
    const next = catalog.principals.get(owner)
    if (next === undefined) {
      return refusal('unknown_owner', at, `no principal \`${owner}\`: add it, or fix the name`)
    }
    seen.add(owner)
    owner = next.owner
  }
  return null
}

function groupFault(catalog: Catalog, group: Group): CatalogRefusal | null {
  const at = `groups/${group.id}/members`
  const missing = group.members.find((member) => !catalog.principals.has(member))
  if (missing !== undefined) {
    return refusal('unknown_member', at, `no principal \`${missing}\`: add it, or fix the name`)
  }
  for (const confirmation of catalog.confirmations.values()) {
    if (confirmation.group !== group.id) continue
    const fault = confirmationFault(catalog, confirmation)
    if (fault !== null) return fault
  }
  return null
}

function capabilityFault(catalog: Catalog, capability: Capability): CatalogRefusal | null {
  const at = `capabilities/${capability.id}`
  const { confirmation } = capability
  if (confirmation !== undefined && !catalog.confirmations.has(confirmation)) {
    const message = `no confirmation \`${confirmation}\`: add it, or leave it out for the default`
    return refusal('unknown_confirmation', `${at}/confirmation`, message)
  }
  const patterns = patternsUnder(catalog)
  const schema = argsSchemaFault(capability.argsSchema, patterns)
  if (schema !== null) {
    return refusal('args_schema_invalid', `${at}/argsSchema`, `no usable JSON Schema: ${schema}`)
  }
  const unfilled =
    capability.driver === undefined ? null : defaultsFault(capability.argsSchema, patterns)
  if (unfilled !== null) {
    const message = `a default cannot be filled in: ${unfilled}`
    return refusal('args_schema_invalid', `${at}/argsSchema`, message)
  }
  const args = typeOfArguments(capability.argsSchema)
  return (
    conditionsFault(catalog, capability.conditions ?? [], { at, args }) ??
    knownFault(capability, at) ??
    placedAt(at, driverFault(capability, catalog.servers)) ??
    (budgetNaming(catalog, capability.id) === null ? null : budgetsFault(catalog))
  )
}

/** What is wrong with the rules of one capability, or of the catalog. */
function conditionsFault(
  catalog: Catalog,
  conditions: readonly Condition[],
  { at, args }: { readonly at: string; readonly args: ObjectType },
): CatalogRefusal | null {
  const seen = new Set<string>()
  for (const [index, condition] of conditions.entries()) {
    const { name, when } = condition
    const place = `${at}/conditions/${index}`
    if (seen.has(name)) {
      const message = `two conditions are called \`${name}\`: rename one of them`
      return refusal('condition_repeated', `${place}/name`, message)
    }
    seen.add(name)
    const literals = hasRules(catalog, 'strictConversions')
    if (!hasRules(catalog, 'earlierActs') && readsOf(when, args).has('acts')) {
      const found = `\`${name}\`: \`acts\` takes rules version 9 or newer: set \`rules\` to it`
      return refusal('condition_invalid', `${place}/when`, found)
    }
    const problem = conditionProblem(when, args, { literals })
    if (problem !== null) {
      const { message, offset } = problem
      const found = `\`${name}\`: ${message} (at character ${offset + 1})`
      return refusal('condition_invalid', `${place}/when`, found)
    }
    const asks = condition.effect === 'confirm' ? condition.confirmation : undefined
    if (asks !== undefined && !catalog.confirmations.has(asks)) {
      const message = `no confirmation \`${asks}\`: add it, or leave it out for the default`
      return refusal('unknown_confirmation', `${place}/confirmation`, message)
    }
  }
  return null
}

function knownFault(of: Capability, at: string): CatalogRefusal | null {
  const { known = [], argsSchema, safetyClass, source } = of
  for (const [index, { arg, fromNamed, shown }] of known.entries()) {
    const place = `${at}/known/${index}`
    if (shown === true && safetyClass === 'DESTRUCTIVE') {
      const message = 'what destroys needs more than to be shown: leave `shown` out'
      return refusal('known_misplaced', `${place}/shown`, message)
    }
    if (fromNamed === true && safetyClass === 'DESTRUCTIVE') {
      const message = 'what destroys goes by no text that was read: leave `fromNamed` out'
      return refusal('known_misplaced', `${place}/fromNamed`, message)
    }
    if (mayHold(argsSchema, arg)) continue
    const message = `\`argsSchema\` has no argument at \`${arg}\`: add it, or fix the pointer`
    return refusal('known_misplaced', `${place}/arg`, message)
  }
  if (source === undefined || mayHold(argsSchema, source.arg)) return null
  const message = `\`argsSchema\` has no argument at \`${source.arg}\`: add it, or fix the pointer`
  return refusal('known_misplaced', `${at}/source/arg`, message)
}

function confirmationFault(catalog: Catalog, confirmation: Confirmation): CatalogRefusal | null {
  const { id, tier, group, quorum, reaching } = confirmation
  const at = `confirmations/${id}`
  const noGroup = (name: string): string => `no group \`${name}\`: add it, or fix the name`
  const { escalatesTo } = reaching ?? {}
  if (escalatesTo !== undefined && !catalog.groups.has(escalatesTo)) {
    return refusal('unknown_group', `${at}/reaching/escalatesTo`, noGroup(escalatesTo))
  }
  if (tier === 'confirm') {
    if (group !== undefined) {
      const message = '`confirm` asks the owner alone: leave `group` out, or use `four_eyes`'
      return refusal('confirm_with_group', `${at}/group`, message)
    }
    if (quorum === 1) return null
    const message = '`confirm` asks the owner alone: `quorum` is 1'
    return refusal('quorum_out_of_reach', `${at}/quorum`, message)
  }
  if (group === undefined) {
    const message = '`four_eyes` asks a group: name one of `groups`'
    return refusal('group_missing', `${at}/group`, message)
  }
  const found = catalog.groups.get(group)
  if (found === undefined) return refusal('unknown_group', `${at}/group`, noGroup(group))
  const members = new Set(found.members).size
  if (quorum <= members) return null
  const message = `\`${group}\` has ${members} members, so ${quorum} can never agree`
  return refusal('quorum_out_of_reach', `${at}/quorum`, message)
}

function settingFault(
  catalog: Catalog,
  operation: Extract<CatalogOperation, { op: 'set' }>,
): CatalogRefusal | null {
  if (operation.key === 'limits') {
    for (const limit of catalog.limits.values()) {
      if (!('capability' in limit) || catalog.capabilities.has(limit.capability)) continue
      const message = `no tool \`${limit.capability}\`: add it, or fix the name`
      return refusal('unknown_capability', 'limits', message)
    }
  }
  if (operation.key === 'conditions') {
    return conditionsFault(catalog, catalog.conditions, { at: 'catalog', args: openObject })
  }
  if (operation.key === 'budgets') return budgetsFault(catalog)
  if (operation.key === 'rules') return underRules(catalog)
  if (operation.key === 'servers') {
    return placedAt('servers', serversFault(catalog.servers, catalog.capabilities.values()))
  }
  if (operation.key === 'trustedEvidence') {
    for (const { sender } of catalog.trustedEvidence) {
      if (catalog.principals.has(sender)) continue
      const message = `no principal \`${sender}\`: add it, or fix the name`
      return refusal('unknown_sender', 'trustedEvidence', message)
    }
  }
  return null
}

/** What is there already is held to what newer rules ask of it, too. */
function underRules(catalog: Catalog): CatalogRefusal | null {
  if (!hasRules(catalog, 'linearPatterns')) return null
  for (const capability of catalog.capabilities.values()) {
    const fault = capabilityFault(catalog, capability)
    if (fault !== null) return fault
  }
  const at = { at: 'catalog', args: openObject }
  return conditionsFault(catalog, catalog.conditions, at) ?? budgetsFault(catalog)
}

function stillUsed(
  catalog: Catalog,
  operation: Extract<CatalogOperation, { op: 'remove' }>,
): CatalogRefusal | null {
  const { collection, id } = operation
  if (catalog[collection].has(id)) return null
  const user = userOf(catalog, collection, id)
  if (user === null) return null
  return refusal('still_used', `${collection}/${id}`, `\`${user}\` still names it: fix that first`)
}

function userOf(catalog: Catalog, collection: Collection, id: string): string | null {
  switch (collection) {
    case 'principals':
      if (mayBeAsked(catalog, id)) {
        const owned = [...catalog.principals.values()].find(({ owner }) => owner === id)
        if (owned !== undefined) return `principals/${owned.id}`
        const group = [...catalog.groups.values()].find(({ members }) => members.includes(id))
        return `groups/${group?.id}`
      }
      return catalog.trustedEvidence.some(({ sender }) => sender === id) ? 'trustedEvidence' : null
    case 'groups':
      for (const { id: user, group, reaching } of catalog.confirmations.values()) {
        if (group === id || reaching?.escalatesTo === id) return `confirmations/${user}`
      }
      return null
    case 'capabilities':
      if (budgetNaming(catalog, id) !== null) return 'budgets'
      return catalog.limits.has(`capability ${id}`) ? 'limits' : null
    case 'resources':
      return null
    case 'confirmations':
      for (const { id: user, confirmation, conditions = [] } of catalog.capabilities.values()) {
        if (confirmation === id || conditions.some((one) => asksBy(one, id))) {
          return `capabilities/${user}`
        }
      }
      return catalog.conditions.some((one) => asksBy(one, id)) ? 'conditions' : null
    default:
      return unreachable(collection)
  }
}

function asksBy(condition: Condition, confirmation: string): boolean {
  return condition.effect === 'confirm' && condition.confirmation === confirmation
}
