// The values that stand in a result, as known values would find them: each with its pointer and
// whether others can have written it.
import type { ValueKind } from '#schemas/values'
import { candidatesIn } from '#knowledge/known/candidates'
import { leavesOfResult, resultPointer } from '#knowledge/known/said-parts'
import type { Leaf, ResultDistrust } from '#knowledge/known/said-parts'

export interface ResultIdentifier {
  readonly kind: ValueKind
  /** Into the result. */
  readonly pointer: string
  /** In the form in which its kind is compared. */
  readonly value: string
  readonly untrusted: boolean
}

/** What stands as a whole first, and what can be trusted before what cannot. Each once. */
export function* identifiersIn(
  result: unknown,
  kinds: readonly ValueKind[],
  distrust: ResultDistrust,
): Generator<ResultIdentifier> {
  const { trusted, untrusted } = leavesOfResult(result, distrust)
  const met = new Set<string>()
  for (const [leaves, isUntrusted] of [[trusted, false] as const, [untrusted, true] as const]) {
    for (const { kind, leaf, value } of valuesOf(leaves, kinds)) {
      const key = `${kind} ${String(isUntrusted)} ${value}`
      if (met.has(key)) continue
      met.add(key)
      const pointer = leaf.pointer.slice(resultPointer.length)
      yield { kind, pointer, value, untrusted: isUntrusted }
    }
  }
}

interface FoundValue {
  readonly kind: ValueKind
  readonly leaf: Leaf
  readonly value: string
}

function* valuesOf(leaves: readonly Leaf[], kinds: readonly ValueKind[]): Generator<FoundValue> {
  for (const isWhole of [true, false]) {
    for (const leaf of leaves) {
      for (const kind of kinds) {
        for (const value of candidatesIn(kind, leaf.text)) {
          yield { kind, leaf, value }
          if (isWhole) break
        }
      }
    }
  }
}
