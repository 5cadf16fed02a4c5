// What seals and opens the eras of the log that is meant.
import { Fault } from '#core/fault'
import type { Rotation } from '#ports/rotation'
import { isRemote, type LogPlace } from './log-url.ts'

/** Null for a log that keeps all eras in one place: there the fold alone seals. */
export function openRotation(place: LogPlace): Promise<Rotation | null> {
  if (!isRemote(place)) return Promise.resolve(null)
  const message = `this version can not seal the streams of \`${place.url}\``
  return Promise.reject(new Fault('rotation_unsupported', 'never', message))
}
