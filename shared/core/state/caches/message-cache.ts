// A cache of recent messages as they were checked, so that the fold and the stages check the same
// bytes once. A message that is not in it is read from the log again.
import { LRUCache } from 'lru-cache'
import { readMessage, type MessageBytes } from '../../messages/opening.ts'
import type { MessageRead, Opening } from '../../messages/opening.ts'

const keptMax = 20_000
const keptBytesMax = 32 * 1024 * 1024
/** What an empty object or list costs, though it is two bytes of text. */
const valueBytes = 64

export interface MessageCache {
  /** What the message is, and what it opens. */
  read(fact: MessageBytes, knownConstraints: readonly string[]): MessageRead
  /** What it opens, if it is here and was checked against that very list. */
  peek(position: number, knownConstraints: readonly string[]): Opening | undefined
  /** Drops one that will not be asked for again. */
  forget(position: number): void
}

interface Kept {
  readonly opening: Opening
  readonly known: readonly string[]
}

export function messageCache(): MessageCache {
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
    read(fact, known) {
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
