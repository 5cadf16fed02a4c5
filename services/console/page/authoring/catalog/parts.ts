// The parts of the catalog as the page lists them, each with the schema that its entries are read
// with, and as they are with what is in the change set.
import {
  Capability,
  type Condition,
  Confirmation,
  Group,
  Principal,
  type CatalogFile,
  type CatalogOperation,
  type Collection,
} from '#schemas/catalog'
import { Resource } from '#schemas/rules/resource'
import type { z } from 'zod'

export type CatalogRead = z.output<typeof CatalogFile>
export type CapabilityEntry = CatalogRead['capabilities'][number]
export type ConditionEntry = z.output<typeof Condition>
export type ConfirmationEntry = CatalogRead['confirmations'][number]

export const parts = [
  'capabilities',
  'conditions',
  'confirmations',
  'limits',
  'principals',
  'groups',
  'resources',
  'settings',
] as const
export type CatalogPart = (typeof parts)[number]

/** The operation that puts that entry there; null for another value. */
export function putOf(collection: Collection, value: unknown): CatalogOperation | null {
  switch (collection) {
    case 'capabilities': {
      const { data: entry } = Capability.safeParse(value)
      return entry === undefined ? null : { op: 'put', collection, entry }
    }
    case 'principals': {
      const { data: entry } = Principal.safeParse(value)
      return entry === undefined ? null : { op: 'put', collection, entry }
    }
    case 'groups': {
      const { data: entry } = Group.safeParse(value)
      return entry === undefined ? null : { op: 'put', collection, entry }
    }
    case 'confirmations': {
      const { data: entry } = Confirmation.safeParse(value)
      return entry === undefined ? null : { op: 'put', collection, entry }
    }
    case 'resources': {
      const { data: entry } = Resource.safeParse(value)
      return entry === undefined ? null : { op: 'put', collection, entry }
    }
  }
}

export const entrySchemas: Readonly<Record<Collection, z.ZodType>> = {
  capabilities: Capability,
  principals: Principal,
  groups: Group,
  confirmations: Confirmation,
  resources: Resource,
}

/** The catalog as it would be with the change set. */
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

/** Ids that the change set says something of. */
export function draftedIn(
  draft: readonly CatalogOperation[],
  collection: Collection,
): ReadonlySet<string> {
  return new Set(
    draft.flatMap((one) => {
      if (one.op === 'put' && one.collection === collection) return [one.entry.id]
      const isOfPeople = collection === 'principals'
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
