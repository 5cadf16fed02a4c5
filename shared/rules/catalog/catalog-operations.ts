// What a seed file would change of a catalog: entries that are not there or differ are put,
// settings that the file names are set, and what only the catalog has stays as it is.
import type { CatalogFile, CatalogOperation, Principal } from '#schemas/catalog'
import { canonical, jsonOf } from '#record/canonical'
import { policyAdminRole } from './duties.ts'
import type { Catalog } from './catalog.ts'
import { principalPut } from './catalog-change.ts'
import { catalogToFile, operationsFromCatalogFile } from './catalog-file.ts'

/** `named`: the settings that the file has something to say of; its defaults say nothing. */
export function catalogDifference(
  catalog: Catalog,
  file: CatalogFile,
  named: ReadonlySet<string>,
): readonly CatalogOperation[] {
  const { conditions = [], defaults = {}, budgets = [], servers = [], resources = [] } = file
  const { consoles = [], attention = {}, work = {}, rotation = {} } = file
  const principals = ownersFirst(file.principals)
  const ordered = {
    ...file,
    conditions,
    defaults,
    budgets,
    servers,
    consoles,
    attention,
    work,
    rotation,
    resources,
    principals,
  }
  return operationsFromCatalogFile(ordered).filter((operation) => {
    return changes(catalog, operation, named)
  })
}

function changes(
  catalog: Catalog,
  operation: CatalogOperation,
  named: ReadonlySet<string>,
): boolean {
  if (operation.op === 'put') {
    const { collection, entry } = operation
    const stored = catalog[collection].get(entry.id)
    if (stored === entry) return false
    return stored === undefined || !same(stored, afterPut(catalog, operation))
  }
  if (operation.op !== 'set') return true
  const { key, value } = operation
  return named.has(key) && !same(catalogToFile(catalog)[key] ?? unset(key), value)
}

const maps: ReadonlySet<string> = new Set(['defaults', 'attention', 'work', 'rotation'])
const lists: ReadonlySet<string> = new Set(['conditions', 'budgets', 'servers', 'consoles'])

/** What a setting is in a file that does not name it. */
function unset(key: string): unknown {
  if (maps.has(key)) return {}
  return lists.has(key) ? [] : null
}

// A put lifts no suspension and ends no move: what differs in that alone changes nothing.
function afterPut(catalog: Catalog, operation: Extract<CatalogOperation, { op: 'put' }>): unknown {
  const { collection, entry } = operation
  return collection === 'principals' ? principalPut(entry, catalog.principals.get(entry.id)) : entry
}

/** Whether this principal can sign change sets. */
export function isPolicyAdmin({ roles, keys, suspended }: Principal): boolean {
  return roles.includes(policyAdminRole) && keys.length > 0 && !suspended
}

/** Mostly among the first of many. */
export function hasPolicyAdmin({ principals }: Pick<Catalog, 'principals'>): boolean {
  for (const principal of principals.values()) if (isPolicyAdmin(principal)) return true
  return false
}

/**
 * The principals with the author among them as a policy admin with that key, unless they have a
 * policy admin already. `toAdd`: whether an author who is not among them is added.
 */
export function withPolicyAdmin(
  principals: readonly Principal[],
  author: { readonly id: string; readonly publicKey: string },
  toAdd: boolean,
): readonly Principal[] {
  if (principals.some(isPolicyAdmin)) return principals
  const { id, publicKey } = author
  const bare: Principal = { id, roles: [], attributes: {}, keys: [], suspended: false }
  const found = principals.find((principal) => principal.id === id)
  if (found === undefined && !toAdd) return principals
  const { roles, keys, ...rest } = found ?? bare
  const merged = {
    ...rest,
    roles: [...new Set([...roles, policyAdminRole])],
    keys: [...new Set([...keys, publicKey])],
  }
  return [merged, ...principals.filter((principal) => principal.id !== id)]
}

/**
 * So that a set which ends between them names no one who is not there. Rings stay as they are, to
 * be refused.
 */
function ownersFirst(principals: readonly Principal[]): Principal[] {
  const byId = new Map(principals.map((principal) => [principal.id, principal]))
  const ordered = new Set<Principal>()
  for (const principal of principals) {
    const chain = new Set<Principal>()
    let next: Principal | undefined = principal
    while (next !== undefined && !ordered.has(next) && !chain.has(next)) {
      chain.add(next)
      next = next.owner === undefined ? undefined : byId.get(next.owner)
    }
    for (const each of [...chain].toReversed()) ordered.add(each)
  }
  return [...ordered]
}

function same(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}
