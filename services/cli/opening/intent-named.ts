// Which intent is meant: by its address, any fact about it, or the last characters of its ULID.
import { Fault } from '#core/kernel/fault'
import { isName, partsInRealm, partsOf, patternsOf, type Place } from '#core/kernel/names'
import { addressAbout } from '#present/story/story'
import type { Log } from '#ports/log'

const candidatesShownMax = 5
const shortestEnd = 4

/** The one of these addresses that is meant, or null where none is. */
export function pickIntent(
  meant: string,
  place: Place,
  addresses: Iterable<string>,
): string | null {
  const address = partsInRealm(meant, place.realm)?.address ?? meant
  const found: string[] = []
  for (const each of addresses) {
    if (each === address) return each
    if (isEndOf(address, each)) found.push(each)
  }
  const [only] = found
  if (found.length <= 1) return only ?? null
  const shown = found.slice(0, candidatesShownMax).join(', ')
  const more =
    found.length > candidatesShownMax ? `, and ${found.length - candidatesShownMax} more` : ''
  throw new Fault('intent_ambiguous', `\`${meant}\` may be ${shown}${more}: give more of it`)
}

/** The address of an intent anywhere in the log. Throws a Fault where there is none. */
export async function findIntent(log: Log, place: Place, meant: string): Promise<string> {
  const named = isName(meant) ? await log.get(meant) : undefined
  const parts = named === undefined ? null : partsInRealm(named.name, place.realm)
  const about = named === undefined || parts === null ? null : addressAbout(named, parts)
  if (about !== null) return about
  const whole = partsOf(`${place.realm}.${place.era}.vlp.${meant}`, place)?.address ?? null
  const patterns = patternsOf(place, 'vlp', ...(whole === null ? ['*', '*', '*'] : [whole]))
  const found = pickIntent(meant, place, await addressesOf(log, place, patterns))
  if (found !== null) return found
  throw new Fault('no_intent', `the log has no intent \`${meant}\`: list them with \`warrant log\``)
}

async function addressesOf(
  log: Log,
  place: Place,
  patterns: readonly string[],
): Promise<ReadonlySet<string>> {
  const addresses = new Set<string>()
  for await (const { name } of log.read({}, patterns)) {
    const address = partsInRealm(name, place.realm)?.address
    if (address !== undefined && address !== null) addresses.add(address)
  }
  return addresses
}

// An end of the last token, so that no one has to copy all of an address.
function isEndOf(meant: string, address: string): boolean {
  const last = address.slice(address.lastIndexOf('.') + 1)
  return last === meant || (meant.length >= shortestEnd && last.endsWith(meant))
}
