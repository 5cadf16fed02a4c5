// Which messages a chain of delegations is made of, one after the other, and who sent them: all who
// read a log, or have its facts at hand, read by these.
import { isMessage, partsInRealm, sessionIn, tokenAt } from '#record/names'
import { delegationIn } from '#messages/delegation'
import type { SessionMessage } from '#messages/session'
import { delegationsMax } from '#schemas/intent'
import type { View } from '../view.ts'

/** The name of the delegation to read next; null where all is read, or the next is of no use. */
export function nextCited(view: View, cited: readonly SessionMessage[]): string | null {
  const last = cited.at(-1)
  const name =
    last === undefined ? view.opening.request?.delegation : delegationIn(last.check)?.data.parent
  if (name === undefined || cited.length === delegationsMax || !isOfSession(view, name)) return null
  return cited.some((one) => one.name === name) ? null : name
}

/** Whether a message of that name would be of the session of the intent. */
export function isOfSession({ place, intent, ref }: View, name: string): boolean {
  const parts = partsInRealm(name, place.realm)
  return ref.session !== null && isMessage(parts) && parts.tokens[1] === sessionIn(intent.address)
}

/** Who sent them, as tokens, each once. */
export function sendersOf(cited: readonly SessionMessage[]): readonly string[] {
  return [...new Set(cited.map(({ name }) => tokenAt(name, 3)))]
}
