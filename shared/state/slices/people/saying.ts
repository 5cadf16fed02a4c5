// What people say beside their answers, as the fold takes it: which browser answers for them, who
// is away, whom they ask to look, and what they note. What counts for nothing says why.
import type { AbsenceData, EnrolmentData, HandoverData, NoteData } from '#schemas/people/said'
import { howSigned, isSignedByPerson } from '#rules/catalog/people/signed-words'
import { wordRefusal } from '#rules/catalog/duties'
import { jsonOf } from '#record/canonical'
import { readEvent } from '#record/event'
import { token } from '#record/names'
import { enrolmentFault, withAbsence, withEnrolment } from '#messages/people/people-said'
import type { LoggedFact } from '../../folded.ts'
import type { OpenIntent } from '../../intent.ts'
import type { State } from '../../state.ts'

/** The key of a browser answers for no longer than this. */
const enrolmentMsMax = 7 * 24 * 3_600_000
/** No one is away for longer. */
const absenceMsMax = 366 * 24 * 3_600_000

type Knows = Pick<State, 'catalog' | 'log'>

interface Said<T> {
  readonly name: string
  readonly appendedAt: number
  readonly data: T
}

export function evolveEnrolment(state: State, fact: LoggedFact): string | null {
  const reading = readEvent('enrolment', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const { name, position, appendedAt } = fact
  const found = enrolmentOf(state, { name, appendedAt, data })
  if ('refused' in found) return found.refused
  state.people = withEnrolment(state.people, { ...found, name, position, appendedAt, data })
  return null
}

/** The console at which a passkey enrolled it, or why it counts for nothing. */
export function enrolmentOf(
  { catalog, log, people }: Knows & Pick<State, 'people'>,
  { name, appendedAt, data }: Said<EnrolmentData>,
): { readonly console: string } | { readonly refused: string } {
  const { confirmer, until } = data
  const { signature, ...signed } = data
  const person = catalog.principals.get(confirmer)
  if (token(confirmer) !== name.split('.')[3]) return { refused: 'it came under another name' }
  if (person === undefined || person.suspended) {
    return { refused: `the catalog has no active \`${confirmer}\`` }
  }
  const span = until === null ? null : spanFault(until, appendedAt, enrolmentMsMax)
  const why = span ?? enrolmentFault(people, data, appendedAt)
  if (why !== null) return { refused: why }
  if (signature === undefined) return { refused: 'it is not signed' }
  const how = howSigned(catalog, person, { log, name }, jsonOf(signed), signature)
  if (how?.by === 'passkey') return { console: how.console }
  return { refused: 'no passkey of this person in the catalog signed it' }
}

function spanFault(until: string, appendedAt: number, msMax: number): string | null {
  const span = Date.parse(until) - appendedAt
  if (span <= 0) return 'it has ended before it began'
  return span > msMax ? `it is for longer than ${msMax / (24 * 3_600_000)} days` : null
}

export function evolveAbsence(state: State, fact: LoggedFact): string | null {
  const reading = readEvent('absence', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  const { name, position, appendedAt } = fact
  const why = absenceRefusal(state, { name, appendedAt, data })
  if (why !== null) return why
  state.people = withAbsence(state.people, { name, position, appendedAt, data })
  return null
}

/** Why the absence, or the return from one, counts for nothing; null where it counts. */
export function absenceRefusal(
  { catalog, log }: Knows,
  { name, appendedAt, data }: Said<AbsenceData>,
): string | null {
  const { confirmer, deputy, until } = data
  if (token(confirmer) !== name.split('.')[3]) return 'it came under another name'
  const span = until === null ? null : spanFault(until, appendedAt, absenceMsMax)
  return (
    span ?? deputyFault(catalog, confirmer, deputy) ?? personRefusal({ catalog, log }, name, data)
  )
}

/** A deputy is another person: an agent of someone would answer for that one. */
function deputyFault(
  { principals }: State['catalog'],
  person: string,
  deputy: string | null,
): string | null {
  if (deputy === null) return null
  if (deputy === person) return 'no one is their own deputy'
  const found = principals.get(deputy)
  if (found === undefined || found.suspended) return `the catalog has no active \`${deputy}\``
  return found.owner === undefined ? null : `\`${deputy}\` is an agent, and no person`
}

interface SignedByConfirmer {
  readonly confirmer: string
  readonly signature?: HandoverData['signature']
}

function personRefusal({ catalog, log }: Knows, name: string, data: SignedByConfirmer) {
  const { signature, ...signed } = data
  const { confirmer } = data
  const person = catalog.principals.get(confirmer)
  if (person === undefined || person.suspended) {
    return `the catalog has no active \`${confirmer}\``
  }
  if (signature === undefined) return 'it is not signed'
  const isSigned = isSignedByPerson(catalog, person, { log, name }, jsonOf(signed), signature)
  return isSigned ? null : 'no key of this person in the catalog signed it'
}

/** The intent with who is asked to look at it, or why that counts for nothing. */
export function handedOver(
  state: Knows,
  intent: OpenIntent,
  fact: LoggedFact,
  data: HandoverData,
): OpenIntent | string {
  const { name, appendedAt } = fact
  const why = handoverRefusal(state, intent, { name, appendedAt, data })
  if (why !== null) return why
  const { confirmer: from, to } = data
  return { ...intent, handovers: [...(intent.handovers ?? []), { from, to, name }] }
}

/** Why it counts for nothing: both may answer the review that is open, and it is signed. */
export function handoverRefusal(
  { catalog, log }: Knows,
  { review }: Pick<OpenIntent, 'review'>,
  { name, appendedAt, data }: Said<HandoverData>,
): string | null {
  const { confirmer, to } = data
  if (token(confirmer) !== name.split('.').at(-1)) return 'it came under another name'
  if (review === null || data.review !== review.name) return 'no such review is open'
  if (appendedAt > review.decideBy) return 'it came too late'
  for (const person of [confirmer, to]) {
    if (!review.confirmers.includes(person)) return `\`${person}\` may not answer this review`
  }
  if (confirmer === to) return 'it is handed to who hands it over'
  return personRefusal({ catalog, log }, name, data)
}

/** Why it counts for nothing. It never changes the state: no rule rests on a note. */
export function noteRefusal(
  { catalog, log }: Knows,
  {
    name,
    data,
    position,
  }: { readonly name: string; readonly data: NoteData; readonly position: number },
): string | null {
  if (token(data.by) !== name.split('.').at(-1)) return 'it came under another name'
  if ('position' in data.about && data.about.position >= position) return 'nothing is there yet'
  return wordRefusal({ catalog, log }, name, data, () => null)
}

export function evolveNote(state: State, fact: LoggedFact): string | null {
  const { name, position } = fact
  const reading = readEvent('note', fact)
  return reading.ok ? noteRefusal(state, { name, position, data: reading.event.data }) : reading.why
}
