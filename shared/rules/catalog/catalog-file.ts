// The catalog as people write it: the seed file, the operations that bring a catalog to hold what
// it says, and the file that would make a catalog.
import { CatalogFile, Collection, type CatalogOperation, type Condition } from '#schemas/catalog'
import { namingKeys } from '#record/naming-keys'
import { firstProblem, unreadable } from '#record/problem'
import {
  emptyCatalog,
  settingNames,
  type Catalog,
  type CatalogRefusal,
  type CatalogResult,
  type SettingName,
  type UnsetSettings,
} from './catalog.ts'
import { applyCatalogChange } from './catalog-change.ts'
import { newestRules } from './rules-version.ts'

export type CatalogFileResult =
  | { readonly file: CatalogFile; readonly refused?: never }
  | { readonly refused: CatalogRefusal; readonly file?: never }

/**
 * The seed file as people wrote it. Whether its names lead anywhere depends on where it is brought
 * in.
 */
export function parseCatalogFile(value: unknown): CatalogFileResult {
  const problem = unreadable(value)
  if (problem !== null) return { refused: { code: 'catalog_invalid', ...problem } }
  const parsed = CatalogFile.safeParse(value, namingKeys)
  if (!parsed.success) {
    return { refused: { code: 'catalog_invalid', ...firstProblem(parsed.error.issues) } }
  }
  const refused = repeatedId(parsed.data) ?? unshownMessage(parsed.data)
  return refused === null ? { file: parsed.data } : { refused }
}

/**
 * A condition that asks people has a `question`. It took a `message` that no one reads, so logs
 * hold such conditions, and only a file is refused.
 */
function unshownMessage({ conditions = [], capabilities }: CatalogFile): CatalogRefusal | null {
  const lists = [
    { at: 'conditions', conditions },
    ...capabilities.map((one, index) => ({
      at: `capabilities/${index}/conditions`,
      conditions: one.conditions ?? [],
    })),
  ]
  for (const { at, conditions: list } of lists) {
    const refused = unshownIn(list, at)
    if (refused !== null) return refused
  }
  return null
}

function unshownIn(
  conditions: readonly Condition[],
  at: string,
  before: readonly Condition[] = [],
): CatalogRefusal | null {
  const index = conditions.findIndex(({ effect, message: one }) => {
    const isUnshown = effect === 'confirm' && one !== undefined
    return isUnshown && !before.some((other) => other.message === one && other.effect === effect)
  })
  if (index < 0) return null
  const message = 'no one reads `message` where people are asked: write `question`'
  return { code: 'catalog_invalid', message, at: `${at}/${index}` }
}

/** The same of operations, but for what the catalog has already: that may be brought in again. */
export function unshownMessageIn(
  operations: readonly CatalogOperation[],
  { capabilities, conditions }: Catalog,
): CatalogRefusal | null {
  for (const [index, one] of operations.entries()) {
    const at = `operations/${index}`
    const isSet = one.op === 'set' && one.key === 'conditions'
    const isPut = one.op === 'put' && one.collection === 'capabilities'
    const refused = isSet
      ? unshownIn(one.value, `${at}/value`, conditions)
      : isPut
        ? unshownIn(
            one.entry.conditions ?? [],
            `${at}/entry/conditions`,
            capabilities.get(one.entry.id)?.conditions,
          )
        : null
    if (refused !== null) return refused
  }
  return null
}

/** That of no log, which is held to the newest rules. */
export const newCatalog: Catalog = { ...emptyCatalog, rules: newestRules }

/** The catalog of a seed file, or the first thing that is wrong with the file. */
export function catalogFromFile(value: unknown, before: Catalog = newCatalog): CatalogResult {
  const { file, refused } = parseCatalogFile(value)
  if (refused !== undefined) return { refused }
  return applyCatalogChange(before, operationsFromCatalogFile(file))
}

/** What would make a catalog hold all that the file says; entries that the file lacks stay. */
export function operationsFromCatalogFile(file: CatalogFile): CatalogOperation[] {
  const { principals, groups, confirmations, capabilities, resources = [] } = file
  const { limits, trustedEvidence, knownConstraints, learning, now, callbacks } = file
  const { rules, cells, dev } = file
  return [
    ...principals.map((entry) => ({ op: put, collection: 'principals' as const, entry })),
    ...groups.map((entry) => ({ op: put, collection: 'groups' as const, entry })),
    ...confirmations.map((entry) => ({ op: put, collection: 'confirmations' as const, entry })),
    ...capabilities.map((entry) => ({ op: put, collection: 'capabilities' as const, entry })),
    ...resources.map((entry) => ({ op: put, collection: 'resources' as const, entry })),
    { op: 'set', key: 'limits', value: limits },
    { op: 'set', key: 'trustedEvidence', value: trustedEvidence },
    { op: 'set', key: 'knownConstraints', value: knownConstraints },
    { op: 'set', key: 'learning', value: learning },
    { op: 'set', key: 'now', value: now ?? null },
    { op: 'set', key: 'callbacks', value: callbacks ?? null },
    ...(rules === undefined ? [] : [{ op: 'set' as const, key: 'rules' as const, value: rules }]),
    ...(cells === undefined ? [] : [{ op: 'set' as const, key: 'cells' as const, value: cells }]),
    ...(dev === undefined ? [] : [{ op: 'set' as const, key: 'dev' as const, value: dev }]),
    ...settingNames.flatMap((name) => setFrom(file, name)),
  ]
}

const put = 'put' as const

type SetOf<Name extends SettingName> = {
  readonly [Each in Name]: { op: 'set'; key: Each; value: NonNullable<CatalogFile[Each]> }
}[Name]

/** Nothing for a setting that the file does not name. */
function setFrom<Name extends SettingName>(file: CatalogFile, key: Name): SetOf<Name>[] {
  const value = file[key] ?? null
  return value === null ? [] : [{ op: 'set', key, value }]
}

/** The seed file that would make this catalog. */
export function catalogToFile(catalog: Catalog): CatalogFile {
  return {
    principals: [...catalog.principals.values()],
    groups: [...catalog.groups.values()],
    capabilities: [...catalog.capabilities.values()],
    confirmations: [...catalog.confirmations.values()],
    limits: [...catalog.limits.values()],
    trustedEvidence: [...catalog.trustedEvidence],
    knownConstraints: [...catalog.knownConstraints],
    learning: catalog.learning,
    ...(catalog.now === null ? {} : { now: catalog.now }),
    ...(catalog.callbacks === null ? {} : { callbacks: catalog.callbacks }),
    rules: catalog.rules,
    ...(catalog.cells === null ? {} : { cells: catalog.cells }),
    ...(catalog.dev ? { dev: true as const } : {}),
    ...settingsMade(catalog),
    ...(catalog.resources.size === 0 ? {} : { resources: [...catalog.resources.values()] }),
  }
}

/** The settings that a file has only where they were made. */
export function settingsMade(catalog: Pick<Catalog, SettingName>): Partial<UnsetSettings> {
  const { conditions, defaults, budgets, servers, consoles, attention, work, rotation } = catalog
  const settings: UnsetSettings = {
    conditions: [...conditions],
    defaults,
    budgets: [...budgets],
    servers: [...servers],
    consoles: [...consoles],
    attention,
    work,
    rotation,
  }
  const made: Partial<UnsetSettings> = {}
  for (const name of settingNames) {
    if (Object.keys(settings[name]).length > 0) enter(made, name, settings[name])
  }
  return made
}

function enter<Name extends SettingName>(
  made: Partial<UnsetSettings>,
  name: Name,
  value: UnsetSettings[Name],
): void {
  made[name] = value
}

// In a change set a second put replaces the first; in a file it is a slip that hides an entry.
function repeatedId(file: CatalogFile): CatalogRefusal | null {
  for (const collection of Collection.options) {
    const seen = new Set<string>()
    for (const [index, { id }] of (file[collection] ?? []).entries()) {
      if (seen.has(id)) {
        const message = `\`${id}\` is given twice: keep one of them`
        return { code: 'id_repeated', message, at: `${collection}/${index}/id` }
      }
      seen.add(id)
    }
  }
  return null
}
