// The openings of recent intents, so that the fold and the stages check the same bytes once. It
// holds as many as fit; one that is not here is read from the log again.
import { LRUCache } from 'lru-cache'
import { readMessage, type MessageBytes } from '../messages/opening.ts'
import type { MessageRead, Opening } from '../messages/opening.ts'

const keptMax = 20_000
const keptBytesMax = 32 * 1024 * 1024
/** What an empty object or list costs, though it is two bytes of text. */
const valueBytes = 64

export interface Openings {
  /** What the message is, and what it opens. */
  of(fact: MessageBytes, knownConstraints: readonly string[]): MessageRead
  /** The same without the bytes, if it is still here and was checked against that very list. */
  peek(position: number, knownConstraints: readonly string[]): Opening | undefined
  /** Lets go of one that nobody will ask for again. */
  forget(position: number): void
}

interface Kept {
  readonly opening: Opening
  readonly known: readonly string[]
}

export function recentOpenings(): Openings {
  const kept = new LRUCache<number, Kept>({ max: keptMax, maxSize: keptBytesMax })
  const peek = (position: number, known: readonly string[]) => {
    const found = kept.get(position)
    return found?.known === known ? found.opening : undefined
  }
  return {
    peek,
    forget: (position) => {
      // Taking out the last one clears all places of the cache, which costs more than to keep it.
      if (kept.size > 1) kept.delete(position)
    },
    of(fact, known) {
      const found = peek(fact.position, known)
      if (found !== undefined) return { check: found.check, opening: found }
      const read = readMessage(fact, known)
      const { opening } = read
      if (opening !== null) {
        kept.set(
          fact.position,
          { opening, known },
          { size: fact.bytes.length + (read.check.values + 1) * valueBytes },
        )
      }
      return read
    },
  }
}
