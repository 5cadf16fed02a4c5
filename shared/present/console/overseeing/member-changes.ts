// What of a value is changed, field by field, so that a person need not find it by eye. Items of
// lists are compared by their name where each has one of its own, and by their place elsewhere.
import { canonical, isList, type Json, type JsonMap } from '#record/canonical'
import { jsonDifferences, type JsonDifference } from '../json-difference.ts'
import type { ChangeStep } from './change-steps.ts'
import { tokenName } from '#record/pointer-token'

export interface MemberChange {
  /** Such as `conditions.large.when`; empty for all of it. */
  readonly at: string
  /** Null where it was not there. */
  readonly before: string | null
  /** Null where it is not there any more. */
  readonly now: string | null
}

export interface ShownChange {
  /** `same`: it is there already, as it is written. */
  readonly how: 'added' | 'removed' | 'changed' | 'same'
  readonly members: readonly MemberChange[]
}

const membersMax = 200

export function shownChange({ before, now }: ChangeStep): ShownChange {
  if (before === null || now === null) {
    if (before === now) return { how: 'same', members: [] }
    const isNew = before === null
    return {
      how: isNew ? 'added' : 'removed',
      members: isNew ? [] : [memberOf({ pointer: '', before })],
    }
  }
  const members = jsonDifferences(...named(before, now), membersMax)
  // The same items in another order.
  const all = members.length > 0 ? members : jsonDifferences(before, now, membersMax)
  return { how: all.length > 0 ? 'changed' : 'same', members: all.map(memberOf) }
}

function memberOf({ pointer, before, now }: JsonDifference): MemberChange {
  const tokens = pointer.split('/').slice(1)
  const at = tokens.map(tokenName).join('.')
  return { at, before: textOf(before), now: textOf(now) }
}

function textOf(value: Json | undefined): string | null {
  if (value === undefined) return null
  return typeof value === 'string' && value !== '' ? value : canonical(value)
}

/** Both with their lists as maps, where the items of both have names. */
function named(before: Json, now: Json): readonly [Json, Json] {
  if (!isBranch(before) || !isBranch(now) || isList(before) !== isList(now)) return [before, now]
  const [had, has] = [membersOf(before), membersOf(now)]
  if (had === null || has === null) return [before, now]
  const [one, other] = [new Map(had), new Map(has)]
  for (const [key, value] of had) {
    const next = has.get(key)
    if (next === undefined) continue
    const [first, second] = named(value, next)
    one.set(key, first)
    other.set(key, second)
  }
  return [Object.fromEntries(one), Object.fromEntries(other)]
}

function isBranch(value: Json): value is readonly Json[] | JsonMap {
  return typeof value === 'object' && value !== null
}

/** Null for a list whose items have no names of their own. */
function membersOf(value: readonly Json[] | JsonMap): ReadonlyMap<string, Json> | null {
  if (!isList(value)) {
    return new Map(
      Object.entries(value).flatMap(([key, member]) => {
        return member === undefined ? [] : [[key, member] as const]
      }),
    )
  }
  const members = new Map(value.map((item) => [nameOf(item), item] as const))
  members.delete('')
  return members.size === value.length ? members : null
}

/** Empty where it has none. */
function nameOf(item: Json): string {
  if (typeof item === 'string') return item
  if (!isBranch(item)) return canonical(item)
  if (isList(item)) return ''
  const { id, name, level, type, target, sender, capability, safetyClass } = item
  if (typeof level === 'number') return `D${level}`
  if (typeof type === 'string' && typeof target === 'string') return `${type} ${target}`
  const found = [id, name, sender, capability, safetyClass].find((one) => typeof one === 'string')
  return found ?? ''
}
