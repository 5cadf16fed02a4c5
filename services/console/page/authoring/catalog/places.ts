// What of the catalog is written by itself: an entry of a list, a rule of a capability, or a whole
// setting. Each has a schema, a value as it stands, and the operation that writes it.
import { z } from 'zod'
import {
  Capability,
  CatalogFile,
  CatalogOperation,
  Collection,
  Condition,
  Confirmation,
  Group,
  Limit,
  Principal,
  TrustedEvidence,
} from '#schemas/catalog'
import { Resource } from '#schemas/rules/resource'

export type CatalogRead = z.output<typeof CatalogFile>
export type CapabilityEntry = CatalogRead['capabilities'][number]

const { shape } = CatalogFile

/** What an entry of each list has to be. */
const entries = {
  capabilities: Capability,
  conditions: Condition,
  principals: Principal,
  groups: Group,
  confirmations: Confirmation,
  resources: Resource,
  limits: Limit,
  budgets: shape.budgets.unwrap().element,
  servers: shape.servers.unwrap().element,
  consoles: shape.consoles.unwrap().element,
  trustedEvidence: TrustedEvidence,
} as const
export type CatalogList = keyof typeof entries

const wholes = {
  learning: z.boolean(),
  defaults: shape.defaults.unwrap(),
  attention: shape.attention.unwrap(),
  work: shape.work.unwrap(),
  knownConstraints: shape.knownConstraints.unwrap(),
} as const
export type WholeSetting = keyof typeof wholes

export type CatalogPlace =
  | { readonly whole: WholeSetting }
  | {
      readonly list: CatalogList
      /** Null for a new entry. */
      readonly index: number | null
      /** The capability whose rule it is; absent of a rule for every capability. */
      readonly of?: string
    }

const dayMs = 86_400_000

/** What a new entry begins with. */
const begun: Readonly<Record<CatalogList, unknown>> = {
  capabilities: { id: '', description: '', safetyClass: 'READ' },
  conditions: { name: '', effect: 'confirm', when: '' },
  principals: { id: '', roles: [] },
  groups: { id: '', members: [] },
  confirmations: { id: '', tier: 'four_eyes', group: '' },
  resources: { id: '', properties: {} },
  limits: { capability: '', uses: 20, windowMs: 3_600_000 },
  budgets: { name: '', max: 100, windowMs: dayMs, per: 'agent' },
  servers: { id: '', url: 'https://' },
  consoles: { id: '', rpId: '', origins: ['https://'] },
  trustedEvidence: { sender: '', for: [] },
}

const formed: ReadonlySet<CatalogList> = new Set(['capabilities', 'principals', 'conditions'])

/** Whether its form is made from its schema; anything else is written as text. */
export function hasForm(place: CatalogPlace): boolean {
  return 'list' in place && formed.has(place.list)
}

export function schemaAt(place: CatalogPlace): z.ZodType {
  return 'whole' in place ? wholes[place.whole] : entries[place.list]
}

function listIn(catalog: CatalogRead, list: CatalogList, of?: string): readonly unknown[] {
  if (of === undefined) return catalog[list] ?? []
  return catalog.capabilities.find(({ id }) => id === of)?.conditions ?? []
}

/** What stands there, or what a new one begins with. */
export function valueAt(catalog: CatalogRead, place: CatalogPlace): unknown {
  if ('whole' in place) {
    return catalog[place.whole] ?? {}
  }
  const { list, index, of } = place
  return (index === null ? undefined : listIn(catalog, list, of)[index]) ?? begun[list]
}

/** The operation that writes it; undefined takes an entry away. Null for what cannot be there. */
export function operationAt(
  catalog: CatalogRead,
  place: CatalogPlace,
  value: unknown,
): CatalogOperation | null {
  if ('whole' in place) return operationOf({ op: 'set', key: place.whole, value })
  const { list, index, of } = place
  const collection = Collection.safeParse(list).data
  if (collection !== undefined) {
    if (value !== undefined) return operationOf({ op: 'put', collection, entry: value })
    const id = index === null ? undefined : (catalog[collection] ?? [])[index]?.id
    return operationOf({ op: 'remove', collection, id })
  }
  const next = replaced(listIn(catalog, list, of), index, value)
  if (of === undefined) return operationOf({ op: 'set', key: list, value: next })
  const entry = catalog.capabilities.find(({ id }) => id === of)
  const { conditions: _, ...rest } = entry ?? {}
  const conditions = next.length > 0 ? { conditions: next } : {}
  return operationOf({ op: 'put', collection: 'capabilities', entry: { ...rest, ...conditions } })
}

function operationOf(value: unknown): CatalogOperation | null {
  return CatalogOperation.safeParse(value).data ?? null
}

function replaced(
  all: readonly unknown[],
  index: number | null,
  value: unknown,
): readonly unknown[] {
  if (index === null) return [...all, value]
  return value === undefined ? all.filter((_, at) => at !== index) : all.with(index, value)
}

// What of it a change set says something of.

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
