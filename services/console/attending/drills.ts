// Test questions among the reviews of a person: until they are answered they are like any other,
// and then the person learns what they were.
import { isCaught } from '#core/attention/drills'
import { canSign } from '#core/catalog/people/signed-words'
import { readData } from '#core/kernel/event'
import { isToken, nameOf, partsInRealm, token } from '#core/kernel/names'
import { openReview } from '#core/state/intent'
import { waitsFor, type Waits } from '#present/story/waits'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { DrillData } from '#schemas/attention/drill'
import type { DrillEnded } from '#schemas/console/attending'
import type { CardAnswer, PastRow } from '#schemas/console/reviews'
import { shownDrill, type ShownDrill } from '#services/client/people/drills'
import { demandsOf } from '../reviews/demands.ts'
import { waitsAnswer } from '../reviews/waiting.ts'

type Looks = Pick<Runtime, 'log' | 'follower'>

export interface DrillThere {
  readonly shown: ShownDrill
  /** Null until this person has answered it. */
  readonly ended: EndedThen | null
}

interface EndedThen extends DrillEnded {
  readonly at: number
}

export interface DrillAsked {
  readonly person: string
  /** That of an intent, which a drill pretends to be. */
  readonly address: string
}

/** The drill that this person was shown under that address; null where none was. */
export async function drillThere(
  { log, follower }: Looks,
  { person, address }: DrillAsked,
): Promise<DrillThere | null> {
  const { state } = follower
  const id = drillIdIn(address)
  if (id === '' || state.intents.has(address)) return null
  const fact = await log.get(nameOf(state.place, 'drill', id))
  const [shown, drill] = [shownDrill(id, fact), readData('drill', fact)]
  if (shown?.intent !== address || drill?.shownTo.includes(person) !== true) return null
  const ended = await endedFor({ log, follower }, { drill, id }, person)
  // One that counts for nothing was never shown.
  return ended === null && !state.drills.has(id) ? null : { shown, ended }
}

/** The id of an open drill that this person is shown under that address; null where none is. */
export function openDrillId(
  { follower: { state } }: Pick<Runtime, 'follower'>,
  { person, address }: DrillAsked,
): string | null {
  const id = drillIdIn(address)
  const isShown = state.drills.get(id)?.shownTo.includes(person) === true
  return isShown && !state.intents.has(address) ? id : null
}

function drillIdIn(address: string): string {
  const parts = address.split('.')
  const [, , id = ''] = parts
  return parts.length === 3 && isToken(id) ? id : ''
}

async function endedFor(
  { log, follower }: Looks,
  { drill, id }: { readonly drill: DrillData; readonly id: string },
  person: string,
): Promise<EndedThen | null> {
  const fact = await log.get(nameOf(follower.state.place, 'drillanswer', id, token(person)))
  const answer = readData('drillanswer', fact)
  if (fact === undefined || answer === null) return null
  return { caught: isCaught(answer), changed: [...drill.changed], at: fact.appendedAt }
}

/** What it waits for, as that of a review. */
export function drillWaits({ name, position, openedAt, review }: ShownDrill, now: number): Waits {
  return waitsFor(openReview({ name, position, appendedAt: openedAt }, review), [], now)
}

/** What of its card is known from it alone; what it is compared with comes beside. */
export function drillCard(
  runtime: Pick<Runtime, 'follower' | 'clock'>,
  drill: DrillThere,
  person: string,
): Omit<CardAnswer, 'grounding' | 'lastApproved' | 'differs'> {
  const { shown, ended } = drill
  const { review, name, position, intent } = shown
  const now = runtime.clock.now()
  return {
    intent,
    name,
    position,
    openedAt: new Date(shown.openedAt).toISOString(),
    asOf: runtime.follower.state.position,
    now: new Date(now).toISOString(),
    state: now > Date.parse(review.decideBy) ? 'expired' : 'open',
    review,
    waits: waitsAnswer(drillWaits(shown, now)),
    cannot: drillCannot(runtime, drill, { person, now }),
    demands: demandsOf(runtime.follower.state.catalog, review),
    previous: null,
    answers: [],
    deputies: [],
    handovers: [],
    verdict: null,
    ...(ended !== null && { drill: { caught: ended.caught, changed: ended.changed } }),
  }
}

/** What stands in the way of an answer to it; null where nothing does. */
function drillCannot(
  { follower: { state } }: Pick<Runtime, 'follower'>,
  { shown, ended }: DrillThere,
  { person, now }: { readonly person: string; readonly now: number },
): CardAnswer['cannot'] {
  const { catalog } = state
  const principal = catalog.principals.get(person)
  if (principal === undefined || principal.suspended) return 'suspended'
  if (ended !== null) return 'answered'
  if (now > Date.parse(shown.review.decideBy)) return 'expired'
  return canSign(catalog, principal, shown.review.demands?.signedWith) ? null : 'no_key'
}

/** As one that has ended; null where it is open, or was not shown to this person. */
export async function pastDrill(
  runtime: Looks & Pick<Runtime, 'clock'>,
  person: string,
  fact: Fact,
): Promise<PastRow | null> {
  const { follower, clock } = runtime
  const [id = ''] = partsInRealm(fact.name, follower.state.place.realm)?.tokens ?? []
  const [shown, drill] = [shownDrill(id, fact), readData('drill', fact)]
  if (shown === null || drill?.shownTo.includes(person) !== true) return null
  const { intent, position, name, review } = shown
  const ended = await endedFor(runtime, { drill, id }, person)
  const isLate = follower.state.drills.has(id) && clock.now() > Date.parse(review.decideBy)
  if (ended === null && !isLate) return null
  return {
    intent,
    review: name,
    position,
    endedAt: ended === null ? review.decideBy : new Date(ended.at).toISOString(),
    ended: ended === null ? 'expired' : 'test',
    agent: review.intent.agent,
    capability: review.terms.capability,
    answered: ended === null ? null : !ended.caught,
  }
}
