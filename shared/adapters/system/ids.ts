// ULIDs that grow within the process, so that the messages of one sender read in their order.
import { monotonicFactory } from 'ulid'
import type { Ids } from '#ports/ids'

export function ulidIds(): Ids {
  const next = monotonicFactory()
  return { next: (now) => next(now) }
}
