// How fast each caller may go: a bucket that fills by time, and is emptied by requests.
import type { Clock } from '#ports/clock'

export interface Rate {
  /** Requests a second, over time. */
  readonly perSecond: number
  /** How many at once after a pause. */
  readonly burst: number
}

export interface Buckets {
  /** Takes so many, and never more than all; else how many seconds until there are as many. */
  take(caller: string, requests?: number): number | null
}

interface Bucket {
  left: number
  at: number
}

/** Callers that are remembered: of more, those who were away longest begin with a full one. */
const keptMax = 10_000

export function buckets({ perSecond, burst }: Rate, clock: Clock): Buckets {
  const kept = new Map<string, Bucket>()
  return {
    take(caller, requests = 1) {
      const wanted = Math.min(requests, burst)
      const now = clock.now()
      const bucket = kept.get(caller) ?? { left: burst, at: now }
      kept.delete(caller)
      const [oldest] = kept.keys()
      if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
      kept.set(caller, bucket)
      // A clock that was set back fills nothing.
      const passed = Math.max(0, now - bucket.at) / 1_000
      bucket.left = Math.min(burst, bucket.left + passed * perSecond)
      bucket.at = now
      if (bucket.left < wanted) return Math.max(1, Math.ceil((wanted - bucket.left) / perSecond))
      bucket.left -= wanted
      return null
    },
  }
}
