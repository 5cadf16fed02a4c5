// What deriving a fact read, where the first eras of a log were taken away: whether it asked for
// something of theirs, which may be why it came to something else. Anyone who has everything at
// hand and comes to something else has found a difference.
import { textOfUtf8 } from '#platform/bytes'
import { isMessage, eraOf, partsInRealm, token } from '#record/names'
import type { SessionMessage } from '#messages/session'
import type { State } from '#state/state'
import type { Start } from './eras/beginning.ts'
import type { Reader } from '#runtime/engine/gathering/gather'
import type { Due } from './derive.ts'

export interface Reaching {
  readonly reader: Reader
  /** Whether something was asked for that is not here. */
  reachedBack(): boolean
}

/** The same reader, which notes what it is asked for. */
export function reaching(
  reader: Reader,
  start: Start,
  due: Due,
  { intents }: Pick<State, 'intents'>,
): Reaching {
  const opening = intents.get(due.address)?.name
  let hasReached = false
  const isGone = (name: string): boolean => (eraOf(name) ?? 0) < start.era
  return {
    reachedBack: () => hasReached,
    reader: {
      ...reader,
      async get(name) {
        const fact = await reader.get(name)
        hasReached ||=
          fact === undefined && isGone(name) && (name === opening || !isOnlyLookedFor(due, name))
        return fact
      },
      sessions: {
        ...reader.sessions,
        async read(view, session) {
          const read = await reader.sessions.read(view, session)
          hasReached ||= !beginsHere(read.messages, due.address)
          return read
        },
      },
    },
  }
}

// Of each address it is asked whether an era before has it. It has not, says what was recorded; and
// what says that it has can be believed without being read.
function isOnlyLookedFor({ address, fact }: Due, name: string): boolean {
  const realm = name.slice(0, name.indexOf('.'))
  const parts = partsInRealm(name, realm)
  const isOfSame = isMessage(parts) && parts.address === address
  return isOfSame && !textOfUtf8(fact.bytes).includes(`"earlier":"${name}"`)
}

// Who opens a session counts its messages from 1, and so does everyone who joins it: then nothing
// of it came before. Without numbers no one can know.
function beginsHere(messages: readonly SessionMessage[], address: string): boolean {
  const [agent = ''] = address.split('.')
  const first = new Map<string, number | null>()
  for (const { sender, check } of messages) {
    const by = token(sender)
    if (!first.has(by)) first.set(by, check.message?.seq ?? null)
  }
  return first.get(agent) === 1 && [...first.values()].every((seq) => seq === null || seq === 1)
}
