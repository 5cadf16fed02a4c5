// When an era is due to be rotated by an era keeper, and what such a one may sign. The fold asks
// this, so a keeper whose key is stolen, or whose clock is wrong, rotates none before its time.
import type { Principal } from '#schemas/catalog'
import type { RotationRules } from '#schemas/rules/rotation'
import { eraKeeperRole } from '#rules/catalog/duties'
import type { Catalog } from '#rules/catalog/catalog'
import { assert } from '#record/fault'
import type { Span } from '../eras.ts'
import type { State } from '../state.ts'

const hourMs = 3_600_000

/** What stands for a setting that is left out. */
export const leastMsDefault = hourMs

/** Whether the catalog lets an era keeper rotate eras at all. */
export function allowsKeepers({ rotation }: Pick<Catalog, 'rotation'>): boolean {
  return rotation.facts !== undefined || rotation.ageMs !== undefined
}

/** Whether it can rotate eras, and do nothing else: with another role it cannot. */
export function isEraKeeper({ roles, keys, suspended, owner }: Principal): boolean {
  const isOne = roles.length === 1 && roles[0] === eraKeeperRole
  return isOne && owner === undefined && keys.length > 0 && !suspended
}

/** From now on the age of the current era counts, where it did not and a keeper may rotate it. */
export function beginAge(state: State, appendedAt: number): void {
  const current = state.eras.at(-1)
  if (current === undefined || current.to !== null || current.began !== undefined) return
  if (!allowsKeepers(state.catalog)) return
  state.eras = [...state.eras.slice(0, -1), { ...current, began: appendedAt }]
}

/** How the current era stands, where a keeper may rotate it. */
export interface EraAge {
  readonly rules: RotationRules
  readonly facts: number
  readonly ageMs: number
  /** In how many milliseconds it is due by its age; null where its age does not count. */
  readonly leftMs: number | null
  /** For how many milliseconds no keeper may rotate it, whatever its size. */
  readonly heldMs: number
  /** By what it is due now; null where it is not. */
  readonly dueBy: 'facts' | 'age' | null
}

/** Null where no keeper may rotate eras. `at` is where it would be sealed. */
export function eraAge(
  { catalog, eras }: Pick<State, 'catalog' | 'eras'>,
  at: { readonly position: number; readonly appendedAt: number },
): EraAge | null {
  if (!allowsKeepers(catalog)) return null
  const { from, began } = currentOf(eras)
  const { rotation: rules } = catalog
  const facts = Math.max(0, at.position - 1 - from)
  const ageMs = began === undefined ? 0 : Math.max(0, at.appendedAt - began)
  const heldMs = Math.max(0, (rules.leastMs ?? leastMsDefault) - ageMs)
  const leftMs = rules.ageMs === undefined ? null : Math.max(0, rules.ageMs - ageMs)
  const isFull = rules.facts !== undefined && facts >= rules.facts
  const by = isFull ? 'facts' : leftMs === 0 && facts > 0 ? 'age' : null
  return { rules, facts, ageMs, leftMs, heldMs, dueBy: heldMs > 0 ? null : by }
}

function currentOf(eras: State['eras']): Span {
  const current = eras.at(-1)
  assert(current !== undefined, 'there is always an era')
  return current
}
