// Who answered a question first, for anyone who answers it after that: two people may look at the
// same one, and only the first answer counts.
import type { RulingWord } from '#schemas/learning'
import { readEvent } from '#record/event'
import { Fault } from '#record/fault'
import { keyOfAsked } from '#messages/learning/learning'
import { partsInRealm } from '#record/names'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import { factAtPosition } from '../logs/seek.ts'

export interface Answered {
  readonly by: string
  readonly word: RulingWord
  /** In milliseconds since 1970. */
  readonly at: number
  /** Of the graph that has it; null where none does, or not yet. */
  readonly revision: number | null
}

/** Null where no one has, where it cannot be known, or where the same is asked again since. */
export async function answerTo(
  log: LogReader,
  { learning, place }: Pick<State, 'learning' | 'place'>,
  id: string,
): Promise<Answered | null> {
  const agreed = learning.open.get(id)?.agreed ?? null
  if (agreed !== null) {
    const { by, word, appendedAt: at } = agreed
    return { by, word, at, revision: null }
  }
  const asked = learning.history.get(keyOfAsked(learning, id) ?? '')
  const at = learning.open.has(id) ? undefined : asked?.position
  const end = at === undefined ? null : ((await factAtPosition(log, at)) ?? null)
  switch (end === null ? undefined : partsInRealm(end.name, place.realm)?.kind) {
    case 'ruling':
      return answered(end, null)
    case 'graph': {
      const change = end === null ? null : readEvent('graph', end)
      if (change?.ok !== true) return null
      const { ruling, revision } = change.event.data
      return ruling === undefined ? null : answered((await log.get(ruling)) ?? null, revision)
    }
    default:
      return null
  }
}

function answered(fact: Fact | null, revision: number | null): Answered | null {
  const reading = fact === null ? null : readEvent('ruling', fact)
  if (fact === null || reading?.ok !== true) return null
  const { confirmer: by, ruling: word } = reading.event.data
  return { by, word, at: fact.appendedAt, revision }
}

/** `then` says what has become of the answer that came after it. */
export function answeredFirst(
  id: string,
  { by, word, at, revision }: Answered,
  then: string,
): Fault {
  const isNo = word === 'skipped' || word === 'rejected'
  const where = revision === null ? 'not in the graph yet' : `revision ${revision} of the graph`
  const became = isNo ? word : `${word}, ${where}`
  const who = `\`${by}\` answered this first, at ${new Date(at).toISOString()} (${became})`
  return new Fault('ruled', `${who}; ${then}: see \`warrant proposals show ${id}\``)
}
