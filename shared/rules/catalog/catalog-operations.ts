// What a seed file would change of a catalog: entries that are not there or differ are put,
// settings that the file names are set, and what only the catalog has stays as it is.
import type { CatalogFile, CatalogOperation, Principal } from '#schemas/catalog'
import { canonical, jsonOf } from '#record/canonical'
import { policyAdminRole } from './duties.ts'
import { unsetSettings, type Catalog } from './catalog.ts'
import { principalPut } from './catalog-change.ts'
import { catalogToFile, operationsFromCatalogFile } from './catalog-file.ts'

/** `named`: the settings that the file has something to say of; its defaults say nothing. */
export function catalogDifference(
  catalog: Catalog,
  file: CatalogFile,
  named: ReadonlySet<string>,
): readonly CatalogOperation[] {
  const { principals, ...rest } = file
  const byId = new Map(principals.map((one) => [one.id, one]))
  const ordered = ownersFirst(principals, (id) => byId.get(id))
  return [...eachDifference(catalog, { ...rest, principals: ordered }, named)]
}

/** The same one by one. A set that ends between principals must name no one who is not there. */
export function* eachDifference(
  catalog: Catalog,
  file: Omit<CatalogFile, 'principals'> & { readonly principals: Iterable<Principal> },
  named: ReadonlySet<string>,
): Generator<CatalogOperation> {
  for (const entry of file.principals) {
    const put: CatalogOperation = { op: 'put', collection: 'principals', entry }
    if (changes(catalog, put, named)) yield put
  }
  const others = { ...unsetSettings(), resources: [], ...file, principals: [] }
  for (const one of operationsFromCatalogFile(others)) if (changes(catalog, one, named)) yield one
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
  return named.has(key) && !same(catalogToFile(catalog)[key] ?? unset[key] ?? null, value)
}

const unset: Readonly<Record<string, unknown>> = unsetSettings()

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

export function policyAdminsAmong(principals: Iterable<Principal>): readonly Principal[] {
  const found: Principal[] = []
  for (const principal of principals) if (isPolicyAdmin(principal)) found.push(principal)
  return found
}

/** The author as a policy admin with that key; `found`: what there is of them already. */
export function asPolicyAdmin(
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
  found: Principal | undefined,
): Principal {
  const bare: Principal = { id, roles: [], attributes: {}, keys: [], suspended: false }
  const { roles, keys, ...rest } = found ?? bare
  return {
    ...rest,
    roles: [...new Set([...roles, policyAdminRole])],
    keys: [...new Set([...keys, publicKey])],
  }
}

/**
 * Each after its owners, so that a set which ends between them names no one who is not there. Rings
 * stay as they are, to be refused. `all` is gone through twice, and has each id once.
 */
export function* ownersFirst(
  all: Iterable<Principal>,
  named: (id: string) => Principal | undefined,
): Generator<Principal> {
  const owners = new Set<string>()
  for (const { owner } of all) if (owner !== undefined) owners.add(owner)
  const done = new Set<string>()
  for (const principal of all) {
    if (done.has(principal.id)) continue
    const chain = new Map<string, Principal>()
    let next: Principal | undefined = principal
    while (next !== undefined && !done.has(next.id) && !chain.has(next.id)) {
      chain.set(next.id, next)
      next = next.owner === undefined ? undefined : named(next.owner)
    }
    for (const each of [...chain.values()].toReversed()) {
      // What owns nothing is met but once.
      if (each !== principal || owners.has(each.id)) done.add(each.id)
      yield each
    }
  }
}

function same(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}
