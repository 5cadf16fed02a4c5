// A cache of recent messages as they were checked, so that the fold and the stages check the same
// bytes once. A message that is not in it is read from the log again.
import { LRUCache } from 'lru-cache'
import { readMessage, type MessageBytes } from '#messages/opening'
import type { MessageRead, Opening, ReadBy } from '#messages/opening'

const keptMax = 20_000
const keptBytesMax = 32 * 1024 * 1024
/**
 * What one counts for at least, so that there are never more. With a number of places the cache
 * would make all of them at once, for each fold that begins.
 */
const bytesMin = Math.ceil(keptBytesMax / keptMax)
/** What an empty object or list costs, though it is two bytes of text. */
const valueBytes = 64

export interface MessageCache {
  /** What the message is, and what it opens. */
  read(fact: MessageBytes, by: ReadBy): MessageRead
  /** What it opens, if it is here and was read by the very same. */
  peek(position: number, by: ReadBy): Opening | undefined
  /** Drops one that will not be asked for again. */
  forget(position: number): void
}

interface Kept extends Pick<ReadBy, 'knownConstraints' | 'rules'> {
  readonly opening: Opening
}

export function messageCache(): MessageCache {
  const kept = new LRUCache<number, Kept>({ maxSize: keptBytesMax })
  const peek = (position: number, by: ReadBy) => {
    const found = kept.get(position)
    return found !== undefined && isSame(found, by) ? found.opening : undefined
  }
  return {
    peek,
    forget: (position) => {
      // Taking out the last one clears all places of the cache, which costs more than to keep it.
      if (kept.size > 1) kept.delete(position)
    },
    read(fact, by) {
      const found = peek(fact.position, by)
      if (found !== undefined) return { check: found.check, opening: found }
      const read = readMessage(fact, by)
      const { opening } = read
      if (opening !== null) {
        kept.set(
          fact.position,
          { opening, knownConstraints: by.knownConstraints, rules: by.rules },
          { size: Math.max(bytesMin, sizeOf(fact, read)) },
        )
      }
      return read
    },
  }
}

function sizeOf({ bytes }: MessageBytes, { check }: MessageRead): number {
  return bytes.length + (check.values + 1) * valueBytes
}

function isSame(one: Kept, other: ReadBy): boolean {
  return one.knownConstraints === other.knownConstraints && one.rules === other.rules
}
