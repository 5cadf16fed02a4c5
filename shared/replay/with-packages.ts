// What is worked out where packages are fetched only when something has asked for them, as in a
// browser: it is done again with each that was missing.
import { fetchMissing } from '#platform/packages'

/** Each package is fetched when something has asked for it: one after the other at worst. */
const roundsMax = 8

export async function withPackages<T>(run: () => Promise<T>): Promise<T> {
  for (let round = 0; round < roundsMax; round += 1) {
    const [found] = await Promise.allSettled([run()])
    // Without a package it came to something else, whether or not that showed as an error.
    if (await fetchMissing()) continue
    if (found.status === 'rejected') throw found.reason
    return found.value
  }
  throw new Error('a package was fetched, and is missing all the same')
}
