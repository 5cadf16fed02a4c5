// Over how many cells a realm is spread on a server.
import { cellIn, controlPlace } from '#record/names'
import { streamInfo, streamNamesOf } from './api.ts'
import { realmOfStream } from './eras.ts'
import type { Requests } from './requests.ts'
import { isControlStream, streamNames } from './stream.ts'

/**
 * How many cells the realm has on that server: null where it has one log, or nothing yet. Anything
 * of a cell shows that there is one, and all before it: a stream that is gone hides none. Where all
 * of the last is gone, only the catalog can say it.
 */
export async function cellsOf(requests: Requests, realm: string): Promise<number | null> {
  const place = controlPlace(realm)
  const control = await streamInfo(requests, streamNames(place).log)
  if (control !== null && !isControlStream(place, control.config)) return null
  const indexes = (await streamNamesOf(requests)).flatMap((name) => {
    const cell = cellIn(realmOfStream(name))
    return cell?.of === realm ? cell.index : []
  })
  if (control === null && indexes.length === 0) return null
  return Math.max(-1, ...indexes) + 1
}
