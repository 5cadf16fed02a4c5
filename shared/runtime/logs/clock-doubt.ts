// Whether this machine's clock would be refused by a log in a file, before anything is appended.
import { isAhead } from '#log/stamp'
import { logExists, openLog, isRemote, type LogPlace } from './log-url.ts'

/** When the last fact was appended, where that is too long ago to believe the clock; else null. */
export async function quietSince(place: LogPlace): Promise<number | null> {
  if (place.folder === null || isRemote(place) || !logExists(place)) return null
  const { log } = await openLog(place, 'main', { reads: true })
  try {
    const head = await log.head()
    return isAhead(head, Date.now()) ? head.appendedAt : null
  } finally {
    await log.close()
  }
}
