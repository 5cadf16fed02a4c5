// The catalog as it would be with a change set, and what of it the change set says something of.
import type { CatalogOperation } from '#schemas/catalog'
import type { CapabilityEntry, CatalogRead } from './places.ts'

export function withDraft(catalog: CatalogRead, draft: readonly CatalogOperation[]): CatalogRead {
  return draft.reduce(applied, catalog)
}

function applied(catalog: CatalogRead, operation: CatalogOperation): CatalogRead {
  switch (operation.op) {
    case 'put':
      return put(catalog, operation)
    case 'remove': {
      const { collection, id } = operation
      const rest = (all: readonly { readonly id: string }[] = []) =>
        all.filter((one) => one.id !== id)
      return { ...catalog, [collection]: rest(catalog[collection]) }
    }
    case 'set':
      return { ...catalog, [operation.key]: operation.value ?? undefined }
    case 'suspend':
    case 'unsuspend': {
      const suspended = operation.op === 'suspend'
      const principals = catalog.principals.map((one) => {
        return one.id === operation.id ? { ...one, suspended } : one
      })
      return { ...catalog, principals }
    }
    case 'leave':
    case 'stay':
    case 'arrive':
    case 'accept_rollback':
      return catalog
  }
}

function put(
  catalog: CatalogRead,
  operation: Extract<CatalogOperation, { op: 'put' }>,
): CatalogRead {
  const { collection, entry } = operation
  const others: readonly { readonly id: string }[] = catalog[collection] ?? []
  const at = others.findIndex(({ id }) => id === entry.id)
  const next = at === -1 ? [...others, entry] : others.with(at, entry)
  return { ...catalog, [collection]: next }
}

/** The ids and keys of a part of the catalog that the change set says something of. */
export function draftedIn(draft: readonly CatalogOperation[], part: string): ReadonlySet<string> {
  return new Set(
    draft.flatMap((one) => {
      if (one.op === 'put') return one.collection === part ? [one.entry.id] : []
      if (one.op === 'set') return one.key === part ? [one.key] : []
      const isOfPeople = part === 'principals'
      return (one.op === 'suspend' || one.op === 'unsuspend') && isOfPeople ? [one.id] : []
    }),
  )
}

const suspendedName = 'suspended'

/** Whether a condition refuses every call of it. */
export function isSuspended({ conditions = [] }: CapabilityEntry): boolean {
  return conditions.some(({ name, effect, when }) => {
    return name === suspendedName && effect === 'deny' && when === 'true'
  })
}

/** The same, refused or let again; its other conditions stay. */
export function withSuspension(entry: CapabilityEntry, message: string | null): CatalogOperation {
  const { conditions = [], ...rest } = entry
  const others = conditions.filter(({ name }) => name !== suspendedName)
  const refuses = { name: suspendedName, effect: 'deny', when: 'true', recover: 'never' } as const
  const next = message === null ? others : [{ ...refuses, message }, ...others]
  return {
    op: 'put',
    collection: 'capabilities',
    entry: { ...rest, ...(next.length > 0 && { conditions: next }) },
  }
}
