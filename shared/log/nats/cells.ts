// Over how many cells a realm is spread on a server.
import { controlPlace, realmOfCell } from '#record/names'
import { streamInfo, streamNamesOf } from './api.ts'
import { erasIn } from './eras.ts'
import type { Requests } from './requests.ts'
import { isControlStream, streamNames } from './stream.ts'

/** How many cells the realm has on that server: null where it has one log, or nothing yet. */
export async function cellsOf(requests: Requests, realm: string): Promise<number | null> {
  const place = controlPlace(realm)
  const found = await streamInfo(requests, streamNames(place).log)
  if (found === null || !isControlStream(place, found.config)) return null
  const names = await streamNamesOf(requests)
  let count = 0
  while (erasIn(names, realmOfCell({ of: realm, index: count })).length > 0) count += 1
  return count
}
