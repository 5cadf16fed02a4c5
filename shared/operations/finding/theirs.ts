// Whose business an intent is, beside who may read all of the log: its agent's, its owner's, and
// that of the people who are asked about it, or were. What anyone may bind under a name of their
// own proves nothing here: it counts whom a review names, who stands in for one of these now, and
// whose answer counted.
import { principalNamed } from '#rules/catalog/catalog'
import { readData } from '#record/event'
import { agentIn, patternsOf } from '#record/names'
import { standsInFor } from '#messages/people/people-said'
import { deputyRefusal } from '#messages/people/standing-in'
import { countedDecisions } from '#state/decision'
import { countsAt } from '#state/eras'
import type { OpenReview } from '#state/intent'
import type { State } from '#state/state'
import { isAddress } from '../found-review.ts'
import type { RealmLog } from '../realm.ts'

/** Whether it is of that principal, or of an agent of theirs. */
export function isOwn({ catalog }: Pick<State, 'catalog'>, id: string, address: string): boolean {
  const agent = principalNamed(catalog, agentIn(address))
  return agent !== undefined && (agent.id === id || agent.owner === id)
}

/** Whether that person may answer it, for another too. */
export function isAskedBy(
  state: Pick<State, 'catalog' | 'people'>,
  review: Pick<OpenReview, 'confirmers' | 'demands' | 'side'>,
  { id, now }: { readonly id: string; readonly now: number },
): boolean {
  if (review.confirmers.includes(id)) return true
  return standsInFor(state.people, id, now).some(({ person: absent }) => {
    const of = { deputy: id, absent, at: now }
    return review.confirmers.includes(absent) && deputyRefusal(state, review, of) === null
  })
}

/** Whether that person is asked about it, was, or has answered it for another. */
export async function wasAsked(
  { log, state }: Pick<RealmLog, 'log' | 'state'>,
  address: string,
  who: { readonly id: string; readonly now: number },
): Promise<boolean> {
  if (!isAddress(state.place, address)) return false
  const { review = null, decisions = [] } = state.intents.get(address) ?? {}
  if (review !== null) {
    const answered = countedDecisions(state, review, decisions)
    if (isAskedBy(state, review, who)) return true
    if (answered.some(({ data }) => data.confirmer === who.id)) return true
  }
  for await (const fact of log.read({}, patternsOf(state.place, 'review', address, '*'))) {
    const asked = countsAt(state, fact) ? readData('review', fact) : null
    if (asked?.confirmers.includes(who.id) === true) return true
  }
  for await (const fact of log.read({}, patternsOf(state.place, 'verdict', address))) {
    const { release = null, reasons = [] } = readData('verdict', fact) ?? {}
    if (!countsAt(state, fact)) continue
    if (release?.deputies?.some(({ by }) => by === who.id) === true) return true
    const isTheirs = (one: (typeof reasons)[number]): boolean =>
      one.code === 'declined' && one.params.principal === who.id
    if (reasons.some(isTheirs)) return true
  }
  return false
}
