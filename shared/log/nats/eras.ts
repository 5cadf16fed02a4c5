// Which eras of a realm a server has streams for.
import { streamNamesOf } from './api.ts'
import type { Requests } from './requests.ts'
import { streamNames } from './stream.ts'

/** Their numbers, the oldest first. */
export async function erasOf(requests: Requests, realm: string): Promise<readonly number[]> {
  return erasIn(await streamNamesOf(requests), realm)
}

/** The same by the names of all streams. */
export function erasIn(names: readonly string[], realm: string): readonly number[] {
  const prefix = streamNames({ realm, era: 0 }).log.slice(0, -1)
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((number) => /^[1-9][0-9]{0,8}$/.test(number))
    .map(Number)
    .toSorted((a, b) => a - b)
}
