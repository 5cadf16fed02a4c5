// The settings that are changed here: what their values and entries have to be, and the operation
// that sets one.
import type { z } from 'zod'
import { CatalogFile, CatalogOperation } from '#schemas/catalog'
import type { CatalogRead } from './parts.ts'

const { shape } = CatalogFile

/** Of these, which are lists, one entry is changed at a time. */
const listed = {
  budgets: shape.budgets.unwrap(),
  servers: shape.servers.unwrap(),
  consoles: shape.consoles.unwrap(),
  trustedEvidence: shape.trustedEvidence.unwrap(),
} as const

const whole = {
  defaults: shape.defaults.unwrap(),
  attention: shape.attention.unwrap(),
  work: shape.work.unwrap(),
  knownConstraints: shape.knownConstraints.unwrap(),
} as const

export type ListedSetting = keyof typeof listed
export type WholeSetting = keyof typeof whole

export type EditedSetting =
  | { readonly whole: WholeSetting }
  /** Null for a new entry. */
  | { readonly list: ListedSetting; readonly index: number | null }

/** What a new entry begins with. */
const begun = {
  budgets: { name: '', max: 100, windowMs: 86_400_000, per: 'agent' },
  servers: { id: '', url: 'https://' },
  consoles: { id: '', rpId: '', origins: ['https://'] },
  trustedEvidence: { sender: '', for: [] },
} as const satisfies Readonly<Record<ListedSetting, unknown>>

/** What stands there, or what a new one begins with. */
export function editedValue(catalog: CatalogRead, edited: EditedSetting): unknown {
  if ('whole' in edited) {
    const { whole: key } = edited
    return catalog[key] ?? (key === 'knownConstraints' ? [] : {})
  }
  const { list, index } = edited
  return (index === null ? undefined : catalog[list]?.[index]) ?? begun[list]
}

/** What is written there has to be that. */
export function editedSchema(edited: EditedSetting): z.ZodType {
  return 'whole' in edited ? whole[edited.whole] : listed[edited.list].element
}

/** The whole setting with that in its place; undefined takes an entry away. */
export function settingWith(
  catalog: CatalogRead,
  edited: EditedSetting,
  value: unknown,
): CatalogOperation | null {
  if ('whole' in edited) return setTo(edited.whole, value)
  const { list, index } = edited
  const entries: readonly unknown[] = catalog[list] ?? []
  if (index === null) return setTo(list, [...entries, value])
  const others = entries.filter((_, at) => at !== index)
  return setTo(list, value === undefined ? others : entries.with(index, value))
}

/** Null for a value that cannot be set. */
function setTo(key: ListedSetting | WholeSetting, value: unknown): CatalogOperation | null {
  return CatalogOperation.safeParse({ op: 'set', key, value }).data ?? null
}
