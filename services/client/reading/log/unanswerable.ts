// Which open intents wait for people of whom too few can answer: no one would notice before they
// expire.
import { listed } from '#record/quote'
import { isUnanswerable, stillAsked } from '#outreach/agenda/still-asked'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import type { Waits } from '#present/story/waits'
import type { Principal } from '#schemas/catalog'
import type { Unanswerable } from '#schemas/console/operating'

/** Null where enough people can answer still, or none have to. */
export function tooFewFor(
  state: State,
  intent: OpenIntent,
  { people, now }: { readonly people: Waits['people']; readonly now: number },
): Unanswerable | null {
  const still = stillAsked(state, intent, now)
  if (still === null || !isUnanswerable(still)) return null
  const cannot = people
    .filter((person) => !still.people.includes(person))
    .map((person) => ({ person, why: whyNot(state.catalog.principals.get(person)) }))
  return { needed: still.needed, can: [...still.people], cannot }
}

function whyNot(person: Principal | undefined): Unanswerable['cannot'][number]['why'] {
  if (person === undefined) return 'unknown'
  return person.suspended ? 'suspended' : 'no_key'
}

/** Such as ``too few can answer: 1 of 2 needed``; empty where enough can. */
export function tooFewToAnswer(unanswerable: Unanswerable | null): string {
  if (unanswerable === null) return ''
  const { needed, can, cannot } = unanswerable
  const who =
    cannot.length === 0
      ? ''
      : `, not ${listed(
          cannot.map(({ person }) => person),
          'or',
        )}`
  return `; too few can answer: ${can.length} of ${needed} needed${who}`
}
