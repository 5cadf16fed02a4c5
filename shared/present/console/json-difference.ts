// What differs between two values of JSON: each member that was added, removed or changed, by its
// JSON Pointer. Items of arrays are compared by their place.
import { canonical, type Json, type JsonMap } from '#record/canonical'
import { pointerToken } from '#record/pointer-token'

export interface JsonDifference {
  /** RFC 6901. */
  readonly pointer: string
  /** Absent where there was none. */
  readonly before?: Json
  /** Absent where there is none any more. */
  readonly now?: Json
}

/** In the order of the pointers’ members, and no more than so many. */
export function jsonDifferences(before: Json, now: Json, max: number): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  compare({ before, now, pointer: '' }, found, max)
  return found
}

interface Pair {
  readonly before: Json | undefined
  readonly now: Json | undefined
  readonly pointer: string
}

function compare({ before, now, pointer }: Pair, found: JsonDifference[], max: number): void {
  if (found.length >= max) return
  const [had, has] = [membersOf(before), membersOf(now)]
  if (had !== null && has !== null && Array.isArray(before) === Array.isArray(now)) {
    for (const key of new Set([...had.keys(), ...has.keys()])) {
      const below = `${pointer}/${pointerToken(key)}`
      compare({ before: had.get(key), now: has.get(key), pointer: below }, found, max)
    }
    return
  }
  const isSame = before !== undefined && now !== undefined && canonical(before) === canonical(now)
  if (isSame) return
  found.push({
    pointer,
    ...(before !== undefined && { before }),
    ...(now !== undefined && { now }),
  })
}

/** Null for what has none. */
function membersOf(value: Json | undefined): ReadonlyMap<string, Json> | null {
  if (value === undefined || value === null || typeof value !== 'object') return null
  if (isList(value)) return new Map(value.map((item, index) => [String(index), item]))
  const members = new Map<string, Json>()
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.set(key, member)
  }
  return members
}

function isList(value: readonly Json[] | JsonMap): value is readonly Json[] {
  return Array.isArray(value)
}
