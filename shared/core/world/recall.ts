// Groundings and reviews of recent intents, so that what this process wrote or folded a moment ago
// is not read again. It is a memory of the log and never more: what is recalled is what the bytes
// say, and one that is not here is read by its name.
import { LRUCache } from 'lru-cache'
import type { GroundingData } from '#schemas/facts'
import type { ReviewData } from '#schemas/review'

export interface Recall {
  /** Keeps what this process is about to append. */
  remember(name: string, bytes: Uint8Array, data: GroundingData): void
  /** What was written, if these are the very bytes. */
  written(fact: { readonly name: string; readonly bytes: Uint8Array }): GroundingData | null
  /** Keeps what the log says. */
  keepGrounding(fact: Sized, data: GroundingData): void
  keepReview(fact: Sized, data: ReviewData): void
  grounding(name: string): GroundingData | undefined
  review(name: string): ReviewData | undefined
}

interface Sized {
  readonly name: string
  readonly bytes: Uint8Array
}

const writtenMax = 4_096
/** Bytes of all that is kept, as `heapBytes` tells them. */
const keptBytesMax = 32 * 1024 * 1024

export function newRecall(): Recall {
  const written = new Map<string, { readonly bytes: Uint8Array; readonly data: GroundingData }>()
  const groundings = new LRUCache<string, GroundingData>({ maxSize: keptBytesMax })
  const reviews = new LRUCache<string, ReviewData>({ maxSize: keptBytesMax / 4 })
  return {
    remember(name, bytes, data) {
      if (written.size >= writtenMax) written.clear()
      written.set(name, { bytes, data })
    },
    written({ name, bytes }) {
      const found = written.get(name)
      if (found === undefined) return null
      written.delete(name)
      return Buffer.compare(found.bytes, bytes) === 0 ? found.data : null
    },
    keepGrounding({ name, bytes }, data) {
      groundings.set(name, data, { size: heapBytes(bytes) })
    },
    keepReview({ name, bytes }, data) {
      reviews.set(name, data, { size: heapBytes(bytes) })
    },
    grounding: (name) => groundings.get(name),
    review: (name) => reviews.get(name),
  }
}

const comma = 0x2c
const brace = 0x7b
const bracket = 0x5b
/** What an empty object or list costs, though it is two bytes of text. */
const valueBytes = 64

/** About what the values of a JSON text cost as objects: small ones cost far more than text. */
export function heapBytes(bytes: Uint8Array): number {
  let values = 1
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === comma || byte === brace || byte === bracket) values += 1
  }
  return bytes.length + values * valueBytes
}
