// What a derived fact decides, apart from what only follows from the moment it was drawn up: two
// facts of one name that decide the same are worth the same to those who act on them.
import { canonical, jsonOf } from '#record/canonical'
import type { Draft } from '#record/event'

/** Whether both decide the same; null is a stage that had nothing to say. */
export function decidesTheSame(one: Draft | null, other: Draft | null): boolean {
  if (one === null || other === null) return one === other
  return one.name === other.name && decided(one) === decided(other)
}

function decided(draft: Draft): string {
  switch (draft.kind) {
    case 'verdict': {
      const { outcome, terms, found, results } = draft.data
      // The last moment follows from the clock, and only ever moves on with it.
      const permitted = terms === null ? null : { ...terms, useBy: '' }
      return canonical(jsonOf({ outcome, terms: permitted, found, results }))
    }
    case 'review': {
      const { digest, confirmers, quorum, tier } = draft.data
      return canonical(jsonOf({ digest, confirmers, quorum, tier }))
    }
    case 'grounding': {
      const { message, capability, cardinality, ground } = draft.data
      return canonical(jsonOf({ message, capability, cardinality, ground }))
    }
    default:
      // That it was bound under this name is all that counts.
      return ''
  }
}
