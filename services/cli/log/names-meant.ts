// What a pattern without realm and era means in the log of a realm: names of each of its eras, and
// in the log of a cell also what all cells share.
import { cellIn, controlPlace, type Place } from '#core/kernel/names'
import { covers } from '#core/kernel/pattern'

/** For a log that is read. */
export function patternsMeant({ realm, era }: Place, name: string): readonly string[] {
  const own = Array.from({ length: era }, (_, before) => `${realm}.${before + 1}.${name}`)
  return [...own, ...sharedMeant(realm, name)]
}

/** For one that is followed, which may begin eras that no one knew of. */
export function isMeantBy(realm: string, name: string): (found: string) => boolean {
  const patterns = [`${realm}.*.${name}`, ...sharedMeant(realm, name)]
  return (found) => patterns.some((pattern) => covers(pattern, found))
}

function sharedMeant(realm: string, name: string): readonly string[] {
  if (cellIn(realm) === null) return []
  const control = controlPlace(realm)
  return [`${control.realm}.${control.era}.${name}`]
}
