// All values of a fact, one by one, each with where it stands: what is in the log and nothing else.
import { canonical, isList, type Json } from '#record/canonical'
import { pointerToken, tokenName } from '#record/pointer-token'

export interface FactValue {
  /** A JSON Pointer. */
  readonly pointer: string
  /** Such as `data.reasons.0.code`. */
  readonly label: string
  readonly value: Json
  readonly text: string
}

const leavesMax = 2_000

export function leavesOf(value: Json): {
  readonly leaves: readonly FactValue[]
  /** How many there are beyond those. */
  readonly more: number
} {
  const all = [...below(value, '')]
  return { leaves: all.slice(0, leavesMax), more: Math.max(0, all.length - leavesMax) }
}

function* below(value: Json, pointer: string): Iterable<FactValue> {
  const members = membersOf(value)
  if (members.length === 0) {
    const text = typeof value === 'string' ? value : canonical(value)
    yield { pointer, label: labelOf(pointer), value, text }
    return
  }
  for (const [key, member] of members) {
    yield* below(member, `${pointer}/${pointerToken(key)}`)
  }
}

function membersOf(value: Json): readonly (readonly [string, Json])[] {
  if (typeof value !== 'object' || value === null) return []
  if (isList(value)) return value.map((item, index) => [String(index), item] as const)
  return Object.entries(value).flatMap(([key, member]) => {
    return member === undefined ? [] : [[key, member] as const]
  })
}

function labelOf(pointer: string): string {
  return tokenName(pointer.slice(1).replaceAll('/', '.'))
}
