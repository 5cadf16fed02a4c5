// Which intent is meant: by its address, any fact about it, or the last characters of its ULID.
import { Fault } from '#record/fault'
import { isName, partsInRealm, partsOf, patternsOf, type Place } from '#record/names'
import { addressAbout } from '#present/story/story'
import type { LogReader } from '#ports/log'

const candidatesShownMax = 5
const shortestEnd = 4

/** The one of these addresses that is meant, or null where none is. */
export function pickIntent(
  meant: string,
  place: Place,
  addresses: Iterable<string>,
): string | null {
  const found = matching(meant, place, addresses)
  const [only] = found
  if (found.length <= 1) return only ?? null
  throw ambiguous(meant, found)
}

/** More than one is meant: they are shown. */
export function ambiguous(meant: string, found: readonly string[]): Fault {
  const shown = found.slice(0, candidatesShownMax).join(', ')
  const more =
    found.length > candidatesShownMax ? `, and ${found.length - candidatesShownMax} more` : ''
  return new Fault('intent_ambiguous', `\`${meant}\` may be ${shown}${more}: give more of it`)
}

/** Those that may be meant: one alone where it is meant as a whole. */
function matching(meant: string, place: Place, addresses: Iterable<string>): readonly string[] {
  const address = partsInRealm(meant, place.realm)?.address ?? meant
  const found: string[] = []
  for (const each of addresses) {
    if (each === address) return [each]
    if (isEndOf(address, each)) found.push(each)
  }
  return found
}

/** The address of an intent anywhere in the log. Throws a Fault where there is none. */
export async function findIntent(log: LogReader, place: Place, meant: string): Promise<string> {
  return onlyIntent(meant, await intentsMeant(log, place, meant))
}

/** The only one of those that may be meant. Throws a Fault where there is none, or another. */
export function onlyIntent(meant: string, found: readonly string[]): string {
  const [only] = found
  if (found.length > 1) throw ambiguous(meant, found)
  if (only !== undefined) return only
  throw new Fault('no_intent', `the log has no intent \`${meant}\`: list them with \`warrant log\``)
}

/** All that may be meant by a fact of the log about one, by an address, or by its end. */
export async function intentsMeant(
  log: LogReader,
  place: Place,
  meant: string,
): Promise<readonly string[]> {
  const named = isName(meant) ? await log.get(meant) : undefined
  const parts = named === undefined ? null : partsInRealm(named.name, place.realm)
  const about = named === undefined || parts === null ? null : addressAbout(named, parts)
  if (about !== null) return [about]
  return matching(meant, place, await addressesFor(log, place, meant))
}

async function addressesFor(
  log: LogReader,
  place: Place,
  meant: string,
): Promise<ReadonlySet<string>> {
  const whole = partsOf(`${place.realm}.${place.era}.vlp.${meant}`, place)?.address ?? null
  const patterns = patternsOf(place, 'vlp', ...(whole === null ? ['*', '*', '*'] : [whole]))
  const addresses = new Set<string>()
  for await (const { name } of log.read({}, patterns)) {
    const address = partsInRealm(name, place.realm)?.address
    if (address !== undefined && address !== null) addresses.add(address)
  }
  return addresses
}

// An end of the last token, so that no one has to copy all of an address; its session may stand
// before that.
function isEndOf(meant: string, address: string): boolean {
  const [last = address, session = ''] = address.split('.').toReversed()
  const isInSession = session !== '-' && meant.startsWith(`${session}.`)
  const end = isInSession ? meant.slice(session.length + 1) : meant
  return last === end || (end.length >= shortestEnd && last.endsWith(end))
}
