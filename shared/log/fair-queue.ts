// Items that wait, taken in turns over those they belong to, and of each the oldest first: however
// many one of them has, the others wait for one item of it at a time.

export interface FairQueue<T> {
  readonly size: number
  /** Returns how many of the owner wait now. */
  add(owner: string, item: T): number
  /** The next one, of any owner but that one. */
  take(except?: string): T | undefined
  /** Empties it, in the order in which they would be taken. */
  takeAll(): readonly T[]
}

interface Line<T> {
  readonly items: T[]
  /** Items before this one were taken. */
  first: number
}

/** Items taken before the rest of a line is moved to its front. */
const takenMax = 1_024

export function fairQueue<T>(): FairQueue<T> {
  /** Whose turn is next first. */
  const lines = new Map<string, Line<T>>()
  let size = 0
  const take = (except?: string): T | undefined => {
    for (const [owner, line] of lines) {
      if (owner === except) continue
      const item = line.items[line.first]
      line.first += 1
      size -= 1
      lines.delete(owner)
      if (line.first >= takenMax) {
        line.items.splice(0, line.first)
        line.first = 0
      }
      if (line.first < line.items.length) lines.set(owner, line)
      return item
    }
    return undefined
  }
  return {
    get size() {
      return size
    },
    add(owner, item) {
      const line = lines.get(owner) ?? { items: [], first: 0 }
      line.items.push(item)
      lines.set(owner, line)
      size += 1
      return line.items.length - line.first
    },
    take,
    takeAll() {
      const all: T[] = []
      for (let item = take(); item !== undefined; item = take()) all.push(item)
      return all
    },
  }
}
