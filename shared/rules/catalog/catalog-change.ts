// A change set of the catalog: applied whole or not at all, to a draft that no one else has seen
// yet. What the names in it lead to is looked at when all of it has been applied.
import { unreachable } from '#record/fault'
import type {
  Arrival,
  Capability,
  CatalogOperation,
  Collection,
  Confirmation,
  Group,
  Limit,
  Principal,
} from '#schemas/catalog'
import type { Resource } from '#schemas/rules/resource'
import { draftMapOf, type DraftMap } from './layered-map.ts'
import type { Catalog, CatalogRefusal, CatalogResult } from './catalog.ts'
import { spanFault } from './budget-checks.ts'
import { leaveFault, moveFault } from './cells.ts'
import { attentionFault } from './people/attention.ts'
import { principalsPut } from './people/principals-put.ts'
import { draftOfPrincipals } from './people/held-principals.ts'
import { followIndex } from './people/principal-index.ts'
import { workFault } from './work-settings.ts'
import { firstFault } from './references.ts'

/** The catalog after all of the operations, or the first thing that is wrong with them. */
export function applyCatalogChange(
  catalog: Catalog,
  operations: readonly CatalogOperation[],
): CatalogResult {
  const draft = draftOf(catalog)
  for (const operation of operations) {
    const refused = applyOperation(draft, operation)
    if (refused !== null) return { refused }
  }
  draft.keyed = keyedAfter(catalog.keyed, operations)
  followIndex(catalog.principals, draft.principals, touchedBy(operations))
  const { arrivals } = draft
  const fault = firstFault(draft, operations) ?? moveFault(catalog, draft, arrivals)
  const refused = fault ?? spanFault(draft, catalog) ?? attentionFault(draft) ?? workFault(draft)
  return refused === null ? { catalog: catalogOf(draft, catalog, operations) } : { refused }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Draft extends Mutable<Omit<Catalog, Collection>> {
  principals: DraftMap<Principal>
  groups: DraftMap<Group>
  capabilities: DraftMap<Capability>
  confirmations: DraftMap<Confirmation>
  resources: DraftMap<Resource>
  readonly arrivals: Map<string, Arrival>
}

/** What was worked out of principals that stay as they are stays known. */
function catalogOf(draft: Draft, before: Catalog, operations: readonly CatalogOperation[]) {
  const { arrivals: _, ...catalog } = draft
  const isSame = operations.every((one) => {
    return one.op === 'set' || ('collection' in one && one.collection !== 'principals')
  })
  return isSame ? { ...catalog, principals: before.principals } : catalog
}

function draftOf(catalog: Catalog): Draft {
  return {
    ...catalog,
    principals: draftOfPrincipals(catalog.principals),
    groups: draftMapOf(catalog.groups),
    capabilities: draftMapOf(catalog.capabilities),
    confirmations: draftMapOf(catalog.confirmations),
    resources: draftMapOf(catalog.resources),
    arrivals: new Map(),
  }
}

function applyOperation(draft: Draft, operation: CatalogOperation): CatalogRefusal | null {
  switch (operation.op) {
    case 'put':
      return put(draft, operation)
    case 'set':
      return set(draft, operation)
    case 'remove':
      if (draft[operation.collection].delete(operation.id)) return null
      return unknown(operation.collection, operation.id)
    case 'suspend':
    case 'unsuspend': {
      const principal = draft.principals.get(operation.id)
      if (principal === undefined) return unknown('principals', operation.id)
      draft.principals.set(principal.id, { ...principal, suspended: operation.op === 'suspend' })
      return null
    }
    case 'leave':
    case 'stay':
    case 'arrive':
      return move(draft, operation)
    case 'accept_rollback':
      return acceptRollback(draft, operation)
    default:
      return unreachable(operation)
  }
}

/** They count up, so that an older one can never be signed for again. */
function acceptRollback(
  draft: Draft,
  { id, number }: Extract<CatalogOperation, { op: 'accept_rollback' }>,
): CatalogRefusal | null {
  const before = draft.rollbacks.get(id) ?? 0
  if (number <= before) {
    const message = `rollback ${number} of \`${id}\` is accepted already: count on from ${before}`
    return { code: 'catalog_invalid', message, at: `rollbacks/${id}` }
  }
  draft.rollbacks = new Map(draft.rollbacks).set(id, number)
  return null
}

/** Only marks it: whom the whole set moves is looked at when all of it has been applied. */
function move(
  draft: Draft,
  operation: Extract<CatalogOperation, { op: 'leave' | 'stay' | 'arrive' }>,
): CatalogRefusal | null {
  const { op, id } = operation
  const principal = draft.principals.get(id)
  if (principal === undefined) return unknown('principals', id)
  if (op === 'leave') {
    draft.principals.set(id, { ...principal, moving: true })
    return leaveFault(draft, id)
  }
  const { moving: _, ...rest } = principal
  draft.principals.set(id, rest)
  if (op === 'stay') return null
  if (draft.arrivals.has(id)) {
    const message = `\`${id}\` arrives twice: keep one of them`
    return { code: 'move_refused', message, at: `principals/${id}` }
  }
  draft.arrivals.set(id, operation)
  return null
}

function put(draft: Draft, operation: Extract<CatalogOperation, { op: 'put' }>): null {
  switch (operation.collection) {
    case 'principals': {
      const { entry } = operation
      draft.principals.set(entry.id, principalPut(entry, draft.principals.get(entry.id)))
      return null
    }
    case 'groups':
      draft.groups.set(operation.entry.id, operation.entry)
      return null
    case 'capabilities':
      draft.capabilities.set(operation.entry.id, operation.entry)
      return null
    case 'confirmations':
      draft.confirmations.set(operation.entry.id, operation.entry)
      return null
    case 'resources':
      draft.resources.set(operation.entry.id, operation.entry)
      return null
    default:
      return unreachable(operation)
  }
}

/**
 * The entry that a put leaves behind. The stop button stays pressed, and a move goes on: seeding
 * the same folder again must not let an agent ask.
 */
export function principalPut(entry: Principal, before: Principal | undefined): Principal {
  const suspended = entry.suspended || before?.suspended === true
  const isMoving = before?.moving === true
  if (suspended === entry.suspended && !isMoving) return entry
  return { ...entry, suspended, ...(isMoving && { moving: true }) }
}

function keyedAfter(
  keyed: Catalog['keyed'],
  operations: readonly CatalogOperation[],
): Catalog['keyed'] {
  const more = principalsPut(operations).filter(({ id, keys }) => keys.length > 0 && !keyed.has(id))
  if (more.length === 0) return keyed
  const draft = draftMapOf(keyed)
  for (const { id } of more) draft.set(id, true)
  return draft
}

function* touchedBy(operations: readonly CatalogOperation[]): Generator<string> {
  for (const operation of operations) {
    if (operation.op === 'put') {
      if (operation.collection === 'principals') yield operation.entry.id
    } else if (operation.op === 'remove' && operation.collection === 'principals') {
      yield operation.id
    }
  }
}

function set(
  draft: Draft,
  operation: Extract<CatalogOperation, { op: 'set' }>,
): CatalogRefusal | null {
  if (operation.key !== 'limits') {
    replace(draft, operation)
    return null
  }
  const limits = new Map(operation.value.map((limit) => [limitKey(limit), limit]))
  if (limits.size < operation.value.length) {
    const message = 'two limits for one class or tool: keep one of them'
    return { code: 'limit_repeated', message, at: 'limits' }
  }
  draft.limits = limits
  return null
}

function replace<Key extends keyof Draft>(
  draft: Pick<Draft, Key>,
  { key, value }: { readonly key: Key; readonly value: Draft[Key] },
): void {
  draft[key] = value
}

function unknown(collection: Collection, id: string): CatalogRefusal {
  const message = `there is no \`${id}\` in \`${collection}\``
  return { code: 'unknown_entry', message, at: `${collection}/${id}` }
}

/** What the limit is about: at most one limit stands for each. */
function limitKey(limit: Limit): string {
  return 'capability' in limit ? `capability ${limit.capability}` : `class ${limit.safetyClass}`
}
