// Whom a review asks, and by what each is reached: the open intent, the catalog and the store of
// addresses put together, for the agenda and for those who look whether anyone was reached.
import { confirmationOf } from '#rules/catalog/catalog'
import { agendaOf, type NotifiedPerson, type AskingReview, type LastOf } from './agenda/agenda.ts'
import type { OpenIntent, OpenReview } from '#state/intent'
import type { State } from '#state/state'
import { isUnanswerable, standInsFor, stillAsked, type StillAsked } from '#state/still-asked'
import type { ChannelKind } from '#schemas/outreach/notification'
import type { Reach } from '#schemas/outreach/reach'
import { reachingDefault } from '#schemas/outreach/reaching'
import { sendableFrom } from './quiet-hours.ts'
import { wasAnyoneNotified } from './recorded-notifications.ts'

export interface ReachedBy {
  readonly state: Pick<State, 'catalog' | 'log' | 'people'>
  readonly find: (person: string) => Pick<Reach, 'targets' | 'quiet'> | null
  /** What is set up here. */
  readonly channels: readonly ChannelKind[]
}

export interface AskedPeople {
  readonly asking: AskingReview
  readonly still: StillAsked
}

/** Null where the intent waits for no people. */
export function askedBy(
  reached: ReachedBy,
  intent: Pick<OpenIntent, 'review' | 'decisions' | 'withdrawn'>,
  confirmation: string | null,
  now: number,
): AskedPeople | null {
  const { state } = reached
  const { review } = intent
  const still = stillAsked(state, intent, now)
  if (review === null || still === null) return null
  const reaching =
    confirmationOf(state.catalog, confirmation ?? undefined)?.reaching ?? reachingDefault
  const people = new Map<string, string | undefined>(still.people.map((id) => [id, undefined]))
  for (const [absent, deputy] of standInsFor(state, intent, still, now)) {
    people.delete(absent)
    // A deputy who is asked anyway is asked once.
    if (!people.has(deputy)) people.set(deputy, absent)
  }
  const members = state.catalog.groups.get(reaching.escalatesTo ?? '')?.members ?? []
  const asked = [...people].map(([person, of]) => addressee(reached, review, { person, for: of }))
  const escalated = [...new Set(members)].map((person) => addressee(reached, review, { person }))
  const { name, appendedAt: openedAt, decideBy } = review
  return { asking: { review: name, openedAt, decideBy, reaching, asked, escalated }, still }
}

function addressee(
  { find, channels }: Pick<ReachedBy, 'find' | 'channels'>,
  { decideBy }: OpenReview,
  who: Pick<NotifiedPerson, 'person' | 'for'>,
): NotifiedPerson {
  const reach = find(who.person)
  const has = new Set(reach?.targets.map(({ channel }) => channel))
  return {
    ...who,
    channels: channels.filter((kind) => has.has(kind)),
    from: (at) => sendableFrom(reach?.quiet, at, decideBy),
  }
}

/**
 * `unanswerable`: too few are left who could answer. `unreached`: no one was notified, and nothing
 * more is on the agenda by which anyone could be.
 */
export type ReviewTrouble = 'unanswerable' | 'unreached'

export function troubleOf(
  { asking, still }: AskedPeople,
  past: ReadonlyMap<string, LastOf>,
  now: number,
): ReviewTrouble | null {
  if (isUnanswerable(still)) return 'unanswerable'
  // Those to whom it escalates cannot answer it.
  const ofAsked = { ...asking, escalated: [] }
  if (wasAnyoneNotified(past) || agendaOf(ofAsked, past, now).length > 0) return null
  return 'unreached'
}
