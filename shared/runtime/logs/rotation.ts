// What seals and opens the eras of the log that is meant.
import type { Rotation } from '#ports/rotation'
import { isRemote, natsAccess, operatorAccess, type LogPlace } from './log-url.ts'

/** Null for a log that keeps all eras in one place: there the fold alone seals. */
export async function openRotation(place: LogPlace): Promise<Rotation | null> {
  if (!isRemote(place)) return null
  const { natsRotation } = await import('#adapters/nats-admin/rotation')
  return natsRotation(natsAccess(place), operatorAccess(place))
}
