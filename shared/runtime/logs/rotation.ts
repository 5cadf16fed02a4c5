// What seals and opens the eras of the log that is meant.
import { Fault } from '#record/fault'
import type { Rotation } from '#ports/rotation'
import { isRemote, natsAccess, operatorAccess, type LogPlace } from './log-url.ts'

/** Null for a log that keeps all eras in one place: there the fold alone seals. */
export async function openRotation(place: LogPlace): Promise<Rotation | null> {
  if (!isRemote(place)) return null
  const { nkeyFile, api } = natsAccess(place)
  // Without accounts, and at home with the streams, the one who connects is an operator.
  if (nkeyFile !== undefined && api === undefined && place.nats?.operatorFile === undefined) {
    const fix = 'name the file of its seed by WARRANT_NATS_OPERATOR_FILE, beside your own'
    throw new Fault('operator_missing', `only an operator seals an era and opens the next: ${fix}`)
  }
  const { natsRotation } = await import('#log/nats-admin/rotation')
  return natsRotation(natsAccess(place), operatorAccess(place))
}
