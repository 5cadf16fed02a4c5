// The roles of the catalog that give a duty beyond one's own agents, and who has any.
import type { Principal } from '#schemas/catalog'
import type { Signature } from '#schemas/values'
import { jsonOf } from '#record/canonical'
import type { Catalog } from './catalog.ts'
import { principalIndex } from './people/principal-index.ts'
import { isSignedByPerson } from './people/signed-words.ts'

/** Signs change sets, and ends eras. */
export const policyAdminRole = 'policy-admin'

/** Ends eras on the terms of the catalog, and has no other duty nor right. */
export const eraKeeperRole = 'era-keeper'

/** Rules on what learning proposes, as policy admins may. */
export const curatorRole = 'curator'

/** Its principals sign tokens; no other key does. */
export const issuerRole = 'issuer'

/** Whether what that principal signs may change by what everyone is judged. */
export function writesRules({ roles }: Pick<Principal, 'roles'>): boolean {
  return roles.includes(policyAdminRole) || roles.includes(curatorRole)
}

type Known = Pick<Catalog, 'principals' | 'groups'>

/** Whether what that principal signs decides for others: reviews, rulings, change sets. */
export function decidesForOthers(catalog: Known, id: string): boolean {
  const principal = catalog.principals.get(id)
  if (principal !== undefined && writesRules(principal)) return true
  return mayBeAsked(catalog, id)
}

// Each message through a door is asked for it, and a catalog is never changed.
const members = new WeakMap<Catalog['groups'], ReadonlySet<string>>()

/** Whether the catalog has it as the owner of one, or as a member of a group: reviews ask those. */
export function mayBeAsked({ principals, groups }: Known, id: string): boolean {
  if (principalIndex(principals).owned.has(id)) return true
  const before = members.get(groups)
  if (before !== undefined) return before.has(id)
  const ids = new Set([...groups.values()].flatMap((group) => group.members))
  members.set(groups, ids)
  return ids.has(id)
}

/** What a person says, and signs with a key of the catalog. */
interface SignedWord {
  readonly by: string
  readonly signature?: Signature | undefined
}

/** Why it counts for nothing; `mayNot` says why that person may not say it, or null. */
export function wordRefusal(
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
  name: string,
  data: SignedWord,
  mayNot: (person: Principal) => string | null,
): string | null {
  const { signature, ...signed } = data
  const person = catalog.principals.get(data.by)
  if (person === undefined || person.suspended) return `the catalog has no active \`${data.by}\``
  const why = mayNot(person)
  if (why !== null) return why
  if (signature === undefined) return 'it is not signed'
  return isSignedByPerson(catalog, person, { log, name }, jsonOf(signed), signature)
    ? null
    : 'no key of this person in the catalog signed it'
}

/** Whether that person answers for the agent: its owner, or a policy admin; never itself. */
export function answersFor({ principals }: Catalog, person: Principal, agent: string): boolean {
  const isOwner = principals.get(agent)?.owner === person.id
  return (isOwner || person.roles.includes(policyAdminRole)) && person.id !== agent
}
