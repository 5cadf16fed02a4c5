// ULIDs that grow within the process, so that the messages of one sender read in their order.
import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { Ids } from '#ports/ids'

/** Bytes asked of the system at once: an id takes sixteen, one by one. */
const poolBytes = 1_024

export function ulidIds(): Ids {
  let pool = randomBytes(poolBytes)
  let taken = 0
  const next = monotonicFactory(() => {
    if (taken === poolBytes) {
      pool = randomBytes(poolBytes)
      taken = 0
    }
    taken += 1
    return (pool[taken - 1] ?? 0) / 256
  })
  return { next: (now) => next(now) }
}
