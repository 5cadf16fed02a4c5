// Which form of the catalog is open.
import type { Collection } from '#schemas/catalog'
import type { EditedSetting } from './setting-kinds.ts'

export interface Editing {
  readonly collection: Collection
  /** Null for a new entry. */
  readonly id: string | null
}

export type OpenSheet =
  | { readonly what: 'entry'; readonly editing: Editing }
  | {
      readonly what: 'condition'
      /** Null for those of every capability. */
      readonly capability: string | null
      /** Null for a new one. */
      readonly index: number | null
    }
  | { readonly what: 'confirmation'; readonly id: string | null }
  | { readonly what: 'limit'; readonly index: number | null }
  | { readonly what: 'setting'; readonly editing: EditedSetting }
