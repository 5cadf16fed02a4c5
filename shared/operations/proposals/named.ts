// Which proposal someone means: its name, its id, or an end of the id that only one has.
import { Fault } from '#record/fault'
import { partsInRealm, type Place } from '#record/names'

const candidatesShownMax = 5
const shortestEnd = 4

/** The one of these ids that is meant, or null where none is. */
export function pickProposal(meant: string, place: Place, ids: Iterable<string>): string | null {
  const parts = partsInRealm(meant, place.realm)
  const id = parts?.kind === 'proposal' ? (parts.tokens[0] ?? meant) : meant
  const found: string[] = []
  for (const each of ids) {
    if (each === id) return each
    if (id.length >= shortestEnd && each.endsWith(id)) found.push(each)
  }
  const [only] = found
  if (found.length <= 1) return only ?? null
  const shown = found.slice(0, candidatesShownMax).join(', ')
  const left = found.length - candidatesShownMax
  const why = `\`${meant}\` may be ${shown}${left > 0 ? `, and ${left} more` : ''}`
  throw new Fault('proposal_ambiguous', `${why}: give more of it`)
}

export function noProposal(meant: string): Fault {
  const list = '`warrant proposals --all` says what became of the others'
  return new Fault('no_proposal', `no proposal \`${meant}\` is open: ${list}`)
}
