// What differs between two moments, one entry at a time: what is new, what is gone, and what of an
// entry has changed.
import { canonical, jsonOf } from '#record/canonical'
import type { Difference } from '#schemas/operations/reviews'
import { tokenName } from '#record/pointer-token'

export interface EntryDiffers {
  /** Such as `capabilities`; empty for a setting of the whole. */
  readonly collection: string
  readonly entry: string
  readonly how: 'added' | 'removed' | 'changed'
  readonly members: readonly MemberDiffers[]
}

export interface MemberDiffers {
  /** Where in the entry; empty for all of it. */
  readonly at: string
  /** Null where it was not there. */
  readonly before: string | null
  readonly now: string | null
}

export function entriesThatDiffer(differences: readonly Difference[]): readonly EntryDiffers[] {
  const entries = new Map<string, EntryDiffers>()
  for (const { pointer, before, now } of differences) {
    const tokens = pointer.slice(1).split('/').map(tokenName)
    const [first = '', second] = tokens
    const [collection, entry] = second === undefined ? ['', first] : [first, second]
    const at = tokens.slice(second === undefined ? 1 : 2).join('.')
    const key = canonical([collection, entry])
    const members = entries.get(key)?.members ?? []
    const member = { at, before: textOf(before), now: textOf(now) }
    const how = at !== '' ? 'changed' : howOf(member)
    entries.set(key, { collection, entry, how, members: [...members, member] })
  }
  return [...entries.values()]
}

function howOf({ before, now }: MemberDiffers): EntryDiffers['how'] {
  if (before === null) return 'added'
  return now === null ? 'removed' : 'changed'
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? value : canonical(jsonOf(value))
}
