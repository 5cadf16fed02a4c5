// What pages are sent as it comes: the last events are kept here, once for all of them, so a page
// that was away for a moment goes on where it was. One that was away for longer reads again.
import type { Runtime } from '#runtime/engine/runtime'
import type { ConsoleEvent } from '#schemas/console/reading'

export interface Broadcast {
  /** Those after that position, in order; null where some of them are not kept any more. */
  since(position: number): readonly ConsoleEvent[] | null
  /** Rings when there are more, until it is taken away. */
  add(ring: () => void): () => void
  /** How many listen. */
  listening(): number
  stop(): void
}

const keptMax = 4_096

/** What counts for nothing is no one’s news. */
export function broadcastOn({ follower }: Pick<Runtime, 'follower'>): Broadcast {
  const kept: ConsoleEvent[] = []
  const rings = new Set<() => void>()
  // Those after this are kept.
  let after = follower.state.position
  const stop = follower.listen(({ position, name }, { parts, void: why }) => {
    if (parts === null || why !== null) return
    const { kind, address: intent } = parts
    kept.push({ position, kind, name, ...(intent !== null && { intent }) })
    // A part at a time, so that keeping costs little.
    if (kept.length > keptMax * 2) {
      const gone = kept.splice(0, kept.length - keptMax)
      after = gone.at(-1)?.position ?? after
    }
    for (const ring of rings) ring()
  })
  return {
    since(position) {
      if (position < after) return null
      // From the end, since nearly always it is the last few.
      let first = kept.length
      while (first > 0 && (kept[first - 1]?.position ?? 0) > position) first -= 1
      return kept.slice(first)
    },
    add(ring) {
      rings.add(ring)
      return () => rings.delete(ring)
    },
    listening: () => rings.size,
    stop,
  }
}
