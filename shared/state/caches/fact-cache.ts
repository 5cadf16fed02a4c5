// A cache of recent facts: what this process has just written, and the groundings and reviews of
// open intents. It returns what the bytes in the log say; what is not in it is read by its name.
import { LRUCache } from 'lru-cache'
import { compareBytes } from '#platform/bytes'
import type { UseData } from '#schemas/action/grant'
import type { BudgetData, GroundingData, RateData } from '#schemas/facts'
import type { ReviewData } from '#schemas/review'
import type { Kind } from '#schemas/kinds'
import type { Draft } from '#record/event'
import type { OpenIntent } from '../intent.ts'

export interface FactCache {
  /** Keeps what this process is about to append, where the fold would read it again. */
  remember(draft: Draft, bytes: Uint8Array): void
  /** What was written, if these are the very bytes. */
  writtenGrounding(fact: Sized): GroundingData | null
  writtenUse(fact: Sized): RateData | null
  writtenBudget(fact: Sized): BudgetData | null
  writtenGrantUse(fact: Sized): UseData | null
  /** Keeps what the log says. */
  keepGrounding(fact: Sized, data: GroundingData): void
  keepReview(fact: Sized, data: ReviewData): void
  grounding(name: string): GroundingData | undefined
  review(name: string): ReviewData | undefined
  /** Drops what is kept of an intent that has ended. */
  forget(intent: Pick<OpenIntent, 'grounding' | 'review'>): void
}

interface Sized {
  readonly name: string
  readonly bytes: Uint8Array
}

const writtenKinds: ReadonlySet<Draft['kind']> = new Set<Draft['kind']>([
  'grounding',
  'rate',
  'asked',
  'budget',
  'use',
])

/** Whether the fold reads a fact of that kind whole, and so gains by one that was kept. */
export function isReadWhole(kind: Kind): boolean {
  return kind === 'grounding'
}

const writtenMax = 4_096
/** What stages write has names and digests in it, and costs no more than this for each byte. */
const heapPerByte = 8
/** Of all that is kept. */
const keptBytesMax = 32 * 1024 * 1024

export function factCache(): FactCache {
  const written = new Map<string, { readonly bytes: Uint8Array; readonly draft: Draft }>()
  const taken = ({ name, bytes }: Sized): Draft | null => {
    const found = written.get(name)
    if (found === undefined) return null
    written.delete(name)
    return compareBytes(found.bytes, bytes) === 0 ? found.draft : null
  }
  const groundings = new LRUCache<string, GroundingData>({ maxSize: keptBytesMax })
  const reviews = new LRUCache<string, ReviewData>({ maxSize: keptBytesMax / 4 })
  return {
    remember(draft, bytes) {
      if (!writtenKinds.has(draft.kind)) return
      if (written.size >= writtenMax) written.clear()
      written.set(draft.name, { bytes, draft })
    },
    writtenGrounding(fact) {
      const draft = taken(fact)
      return draft?.kind === 'grounding' ? draft.data : null
    },
    writtenUse(fact) {
      const draft = taken(fact)
      return draft?.kind === 'rate' || draft?.kind === 'asked' ? draft.data : null
    },
    writtenBudget(fact) {
      const draft = taken(fact)
      return draft?.kind === 'budget' ? draft.data : null
    },
    writtenGrantUse(fact) {
      const draft = taken(fact)
      return draft?.kind === 'use' ? draft.data : null
    },
    keepGrounding({ name, bytes }, data) {
      groundings.set(name, data, { size: bytes.length * heapPerByte })
    },
    keepReview({ name, bytes }, data) {
      reviews.set(name, data, { size: bytes.length * heapPerByte })
    },
    grounding: (name) => groundings.get(name),
    review: (name) => reviews.get(name),
    forget({ grounding, review }) {
      // Taking out the last one clears all places of a cache, which costs more than to keep it.
      if (grounding !== null && groundings.size > 1) groundings.delete(grounding.name)
      if (review !== null && reviews.size > 1) reviews.delete(review.name)
    },
  }
}
