// In which logs the agents of a realm are: in that of the realm, or in those of its cells.
import { Fault } from '#record/fault'
import { cellIn, realmOfCell } from '#record/names'
import { isRemote, natsAccess, type LogPlace } from './log-url.ts'

/** How many cells the realm has; null where it has one log, as in every file. */
export async function cellsAt(place: LogPlace, realm: string): Promise<number | null> {
  if (!isRemote(place) || cellIn(realm) !== null) return null
  const { NatsLink } = await import('#log/nats/link')
  const { Requests } = await import('#log/nats/requests')
  const { cellsOf } = await import('#log/nats/cells')
  const requests = new Requests(await NatsLink.open(natsAccess(place)))
  try {
    return await cellsOf(requests, realm)
  } finally {
    requests.close()
    await requests.link.close()
  }
}

/**
 * The realms of these cells, or of all; the realm itself where it has one log. Throws a Fault
 * `no_cell` for a cell that there is not.
 */
export async function realmsAt(
  place: LogPlace,
  realm: string,
  wanted?: readonly number[],
): Promise<readonly string[]> {
  const cells = await cellsAt(place, realm)
  const beyond = wanted?.find((index) => index >= (cells ?? 0))
  if (beyond !== undefined) {
    const has = cells === null ? 'one log' : `${cells} cells, from 0 on`
    throw new Fault('no_cell', `there is no cell ${beyond}: the realm \`${realm}\` has ${has}`)
  }
  if (cells === null) return [realm]
  const indexes = wanted ?? Array.from({ length: cells }, (_, index) => index)
  return [...new Set(indexes)].map((index) => realmOfCell({ of: realm, index }))
}
