// Sends each review to those whom it asks, to each alone: when it opens, when it is handed over or
// a deputy begins to stand in, and when a person asks for what they have missed. It is only sent:
// what counts is what the log has.
import { partsInRealm, token } from '#record/names'
import { readData } from '#record/event'
import type { OpenIntent } from '#state/intent'
import { standInsFor, stillAsked } from '#state/still-asked'
import type { Fact } from '#ports/log'
import type { Advancing } from '#runtime/engine/advance'

type Sending = Pick<Advancing, 'clock' | 'follower' | 'log' | 'logger' | 'notices'>

/** After the job of a review: to all whom it asks, if it is the one that is open. */
export function sendOpened(sending: Sending, { name, bytes }: Fact): void {
  const { notices, follower } = sending
  if (notices === undefined) return
  const { intents, place } = follower.state
  const intent = intents.get(partsInRealm(name, place.realm)?.address ?? '')
  if (intent?.review?.name !== name) return
  for (const to of askedNow(sending, intent)) notices.toReview({ ...to, name, bytes })
}

/** Sends what people ask for, and what comes to someone else, until it is stopped. */
export function watchAsking(sending: Sending, signal: AbortSignal): () => void {
  const { notices, follower, log, logger } = sending
  if (notices === undefined) return () => undefined
  const under = new Set<string>()
  const send = async (person: string, intents: readonly OpenIntent[]): Promise<void> => {
    // Who asks again meanwhile gets what is being sent.
    if (under.has(person)) return
    under.add(person)
    try {
      for (const intent of intents) {
        const to = askedNow(sending, intent).find((one) => one.person === person)
        const name = intent.review?.name
        const fact = to === undefined || name === undefined ? undefined : await log.get(name)
        if (signal.aborted) return
        if (to !== undefined && fact !== undefined) notices.toReview({ ...to, ...fact })
      }
    } catch (error) {
      // The log is out of reach: they ask again.
      logger.debug({ error }, 'reviews not sent')
    } finally {
      under.delete(person)
    }
  }
  const stopFold = follower.listen((fact, { parts, void: why }, { intents }) => {
    if (parts === null || why !== null) return
    if (parts.kind === 'handover') {
      const intent = intents.get(parts.address ?? '')
      const to = readData('handover', fact)?.to
      if (intent !== undefined && to !== undefined) void send(token(to), [intent])
    } else if (parts.kind === 'absence') {
      const deputy = readData('absence', fact)?.deputy ?? null
      if (deputy !== null) void send(token(deputy), [...intents.values()])
    }
  })
  const stopMissed = notices.missed(
    (person) => void send(person, [...follower.state.intents.values()]),
  )
  return () => {
    stopFold()
    stopMissed()
  }
}

interface Addressee {
  readonly person: string
  readonly for?: string
}

/** By their tokens. Who is asked and stands in too is asked for themselves. */
function askedNow({ follower, clock }: Sending, intent: OpenIntent): readonly Addressee[] {
  const { state } = follower
  const now = clock.now()
  const still = stillAsked(state, intent, now)
  if (still === null) return []
  const own = still.people.map((id) => ({ person: token(id) }))
  const instead = [...standInsFor(state, intent, still, now)].flatMap(([absent, deputy]) =>
    still.people.includes(deputy) ? [] : [{ person: token(deputy), for: absent }],
  )
  return [...own, ...instead]
}
