// What seals and opens the eras of the log that is meant.
import type { Rotation } from '#ports/rotation'
import { isRemote, natsAccess, type LogPlace } from './log-url.ts'

/** Null for a log that keeps all eras in one place: there the fold alone seals. */
export async function openRotation(place: LogPlace): Promise<Rotation | null> {
  if (!isRemote(place)) return null
  const { natsRotation } = await import('#adapters/nats-admin/rotation')
  const access = natsAccess(place, process.env)
  const operator = process.env['WARRANT_NATS_OPERATOR_FILE']
  const isGiven = operator !== undefined && operator !== ''
  return natsRotation(access, isGiven ? { ...access, nkeyFile: operator } : access)
}
