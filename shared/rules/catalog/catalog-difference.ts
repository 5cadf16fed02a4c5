// What changed in a catalog, by entry and setting, and the operations that turn the
// one into the other. Order makes no difference here: a new entry comes last.
import type { CatalogOperation, Collection } from '#schemas/catalog'
import { keysApart } from './layered-map.ts'
import { settingNames, unsetSettings, type Catalog } from './catalog.ts'
import { catalogToFile, operationsFromCatalogFile } from './catalog-file.ts'

/** One entry or setting; its value before and after, null where there was none. */
export interface CatalogChange {
  /** A collection, or null for a setting. */
  readonly collection: Collection | null
  /** The entry's id, or the setting's key. */
  readonly id: string
  readonly before: unknown
  readonly after: unknown
}

const collections = ['principals', 'groups', 'confirmations', 'capabilities', 'resources'] as const

export function catalogChanges(before: Catalog, after: Catalog): readonly CatalogChange[] {
  return [...eachCatalogChange(before, after)]
}

/** The same, one by one. */
export function* eachCatalogChange(before: Catalog, after: Catalog): Generator<CatalogChange> {
  for (const collection of collections) {
    yield* differing(collection, before[collection], after[collection])
  }
  yield* differing(null, settingsOf(before), settingsOf(after))
}

/**
 * One change set. A setting is written whole; a suspension is lifted, and a move ended, before the
 * entry is written.
 */
export function catalogOperationsBetween(
  before: Catalog,
  after: Catalog,
): readonly CatalogOperation[] {
  const changed = new Set(
    catalogChanges(before, after).map(({ collection, id }) => keyOf(collection, id)),
  )
  const freed: CatalogOperation[] = []
  for (const [id, { suspended, moving }] of before.principals) {
    const then = after.principals.get(id)
    if (then === undefined) continue
    if (suspended && !then.suspended) freed.push({ op: 'unsuspend', id })
    if (moving === true && then.moving !== true) freed.push({ op: 'stay', id })
  }
  const written = operationsFromCatalogFile({
    ...unsetSettings(),
    ...catalogToFile(after),
  }).filter((operation) => {
    if (operation.op === 'put') return changed.has(keyOf(operation.collection, operation.entry.id))
    return operation.op === 'set' && changed.has(keyOf(null, operation.key))
  })
  const gone = collections.flatMap((collection) =>
    [...before[collection].keys()]
      .filter((id) => !after[collection].has(id))
      .map((id): CatalogOperation => ({ op: 'remove', collection, id })),
  )
  return [...freed, ...written, ...gone]
}

function keyOf(collection: Collection | null, id: string): string {
  return `${collection ?? ''} ${id}`
}

function* differing(
  collection: Collection | null,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): Generator<CatalogChange> {
  for (const id of keysApart(before, after)) {
    const change = { collection, id, before: before.get(id) ?? null, after: after.get(id) ?? null }
    if (JSON.stringify(change.before) !== JSON.stringify(change.after)) yield change
  }
}

function settingsOf(catalog: Catalog): ReadonlyMap<string, unknown> {
  const { limits, trustedEvidence, knownConstraints, learning, now, callbacks } = catalog
  const { rules, cells, dev } = catalog
  return new Map<string, unknown>([
    ['limits', [...limits.values()]],
    ...Object.entries({ trustedEvidence, knownConstraints, learning, now, callbacks }),
    ...settingNames.map((name) => [name, catalog[name]] as const),
    ...Object.entries({ rules, cells, ...(dev && { dev }) }),
  ])
}
