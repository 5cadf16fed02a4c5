// Groundings that this process wrote itself, so that its own fold need not read them again. What is
// recalled is what the bytes say, or it is not recalled.
import type { GroundingData } from '#schemas/facts'

export interface Recall {
  remember(name: string, bytes: Uint8Array, data: GroundingData): void
  /** What was written, if these are the very bytes; it is forgotten with this. */
  grounding(fact: { readonly name: string; readonly bytes: Uint8Array }): GroundingData | null
}

const keptMax = 4_096

export function newRecall(): Recall {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly data: GroundingData }>()
  return {
    remember(name, bytes, data) {
      if (kept.size >= keptMax) kept.clear()
      kept.set(name, { bytes, data })
    },
    grounding({ name, bytes }) {
      const found = kept.get(name)
      if (found === undefined) return null
      kept.delete(name)
      return Buffer.compare(found.bytes, bytes) === 0 ? found.data : null
    },
  }
}
