// In which logs the agents of a realm are: in that of the realm, or in those of its cells.
import { Fault } from '#record/fault'
import { cellIn } from '#record/names'
import type { Requests } from '#log/nats/requests'
import { isRemote, natsAccess, type LogPlace } from './log-url.ts'

/**
 * How many cells of the realm its servers have something of; null where it has one log, as in every
 * file. How many there have to be, the catalog says.
 */
export async function cellsAt(place: LogPlace, realm: string): Promise<number | null> {
  if (!isRemote(place) || cellIn(realm) !== null) return null
  const { cellsOf } = await import('#log/nats/cells')
  return linked(place, (requests) => cellsOf(requests, realm))
}

/** Why the log of each of those realms cannot be opened on its servers; null for one that can. */
export async function lostAt(
  place: LogPlace,
  realms: readonly string[],
): Promise<readonly (Fault | null)[]> {
  const { JetStreamEras } = await import('#log/jetstream/eras')
  return linked(place, (requests) =>
    Promise.all(
      realms.map(async (realm) => {
        try {
          await new JetStreamEras(requests, realm).refresh()
          return null
        } catch (error) {
          if (error instanceof Fault) return error
          throw error
        }
      }),
    ),
  )
}

async function linked<T>(place: LogPlace, use: (requests: Requests) => Promise<T>): Promise<T> {
  const { NatsLink } = await import('#log/nats/link')
  const { Requests: Asking } = await import('#log/nats/requests')
  const requests = new Asking(await NatsLink.open(natsAccess(place)))
  try {
    return await use(requests)
  } finally {
    requests.close()
    await requests.link.close()
  }
}
