// Roles that are written down and lead nowhere: those that principals have and no rule reads, and
// those that rules of the catalog name and no principal has.
import type { Matcher } from '#schemas/rules/matcher'
import { rulesBuiltIn, type Catalog } from '#rules/catalog/catalog'
import { curatorRole, eraKeeperRole, issuerRole, policyAdminRole } from '#rules/catalog/duties'
import { didYouMean, nearest, quoted } from '#record/quote'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'
import type { Flaw } from './flaw.ts'

/** What roles were called before, which have no right by that name. */
const formerNames: ReadonlyMap<string, string> = new Map([['administrator', policyAdminRole]])

/** By code, and of one code in the order of the catalog. */
export function roleFlaws(catalog: Catalog, graph: Graph): readonly Flaw[] {
  return [...unread(catalog, graph), ...unheld(catalog)]
}

function unread(catalog: Catalog, graph: Graph): readonly Flaw[] {
  const read = new Set([...builtInRoles(catalog), ...listedRoles(catalog).keys()])
  // A condition may name a role anywhere in its text.
  const texts = conditionsOf(catalog, graph)
  return [...holdersOf(catalog)].flatMap(([role, [principal = '', ...rest]]): readonly Flaw[] => {
    if (read.has(role) || texts.some((text) => namesRole(text, role))) return []
    const others = rest.length === 0 ? '' : ` and ${rest.length} more`
    const what = `no rule reads the role ${quoted(role)} of ${quoted(principal)}${others}`
    const fix = fixOf(role, read, catalog)
    return [{ code: 'role_unread', where: { principal }, what, fix }]
  })
}

function fixOf(role: string, read: ReadonlySet<string>, { callbacks }: Catalog): string {
  const near = nearest([...read, ...formerNames.keys()], role)
  const former = near.find((name) => formerNames.has(name))
  const now = former === undefined ? undefined : formerNames.get(former)
  if (now !== undefined) return `did you mean ${quoted(now)}, which signs change sets?`
  if (near.length > 0) return didYouMean(near).slice(2)
  // What code reads cannot be seen here.
  const unless = callbacks === null ? 'if no rule is to come' : 'unless a callback is there'
  return `take it away, ${unless} that reads it`
}

/** A role that is asked for and held by none lets no one in, and keeps no one out. */
function unheld(catalog: Catalog): readonly Flaw[] {
  const held = new Set(holdersOf(catalog).keys())
  const usual = new Set(builtInRoles({ ...catalog, defaults: {} }))
  if (catalog.principals.size === 0) return []
  return [...listedRoles(catalog)].flatMap(([role, place]): readonly Flaw[] => {
    if (held.has(role) || usual.has(role)) return []
    const { capability } = place
    const what = `no principal has the role ${quoted(role)} that ${place.named} names`
    const near = didYouMean(nearest(held, role))
    const fix = near === '' ? 'give it to those who are meant' : near.slice(2)
    const where = capability === undefined ? {} : { capability }
    return [{ code: 'role_unheld', where, what, fix }]
  })
}

function holdersOf({ principals }: Catalog): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>()
  for (const { id, roles } of principals.values()) {
    for (const role of new Set(roles)) {
      const ids = holders.get(role)
      if (ids === undefined) holders.set(role, [id])
      else ids.push(id)
    }
  }
  return holders
}

function builtInRoles(catalog: Catalog): readonly string[] {
  const { rolesFor, fieldsReaders, serviceRoles } = rulesBuiltIn(catalog)
  const asked = Object.values(rolesFor).flat()
  const duties = [policyAdminRole, curatorRole, issuerRole, eraKeeperRole]
  return [...asked, ...fieldsReaders, ...serviceRoles, ...duties]
}

interface Place {
  readonly named: string
  readonly capability?: string
}

/** The roles that the catalog itself asks for, each with where it does so first. */
function listedRoles({ capabilities, principals, defaults }: Catalog): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>()
  const add = (role: string | undefined, place: Place): void => {
    if (role !== undefined && !found.has(role)) found.set(role, place)
  }
  for (const { id, allow = [], deny = [] } of capabilities.values()) {
    const of = (list: 'allow' | 'deny', matchers: readonly Matcher[]): void => {
      const place = { named: `\`${list}\` of ${quoted(id)}`, capability: id }
      for (const { role } of matchers) add(role, place)
    }
    of('allow', allow)
    of('deny', deny)
  }
  for (const { id, evaluates } of principals.values()) {
    const place = { named: `\`evaluates\` of ${quoted(id)}` }
    for (const { who } of evaluates?.subjects ?? []) add(who.role, place)
  }
  const { rolesFor = {}, fieldsReaders = [], serviceRoles = [] } = defaults
  for (const [what, roles] of Object.entries(rolesFor)) {
    for (const role of roles ?? []) add(role, { named: `\`defaults.rolesFor.${what}\`` })
  }
  for (const role of fieldsReaders) add(role, { named: '`defaults.fieldsReaders`' })
  for (const role of serviceRoles) add(role, { named: '`defaults.serviceRoles`' })
  return found
}

function conditionsOf(catalog: Catalog, graph: Graph): readonly string[] {
  const own = [...catalog.capabilities.values()].flatMap(({ conditions = [] }) => conditions)
  const texts = [...catalog.conditions, ...own].map(({ when }) => when)
  for (const [, { edges }] of primitivesOf(graph)) {
    for (const { policies } of edges) {
      for (const { when } of policies) if (when !== undefined) texts.push(when)
    }
  }
  return texts
}

/** Whether it is in the text as a text of its own, in either kind of quotes. */
function namesRole(text: string, role: string): boolean {
  return text.includes(`'${role}'`) || text.includes(`"${role}"`)
}
