// What the log has of notifications about open reviews: the last of each, by which the agenda goes
// on where any service left off.
import { readData } from '#record/event'
import { patternsOf } from '#record/names'
import { notificationKey } from './agenda/notification-id.ts'
import type { LastOf } from './agenda/agenda.ts'
import type { State } from '#state/state'
import type { Fact, LogReader } from '#ports/log'
import type { NotificationData } from '#schemas/outreach/notification'

export interface RecordedNotifications {
  /** Takes a fact of that kind; what it says, or null where it cannot be read. */
  take(fact: Fact): NotificationData | null
  /** Of that review, by the keys of notifications. */
  of(review: string): ReadonlyMap<string, LastOf>
  /** Forgets what is about a review that is no longer open. */
  forget(review: string): void
}

const none: ReadonlyMap<string, LastOf> = new Map()

export function recordedNotifications(): RecordedNotifications {
  const byReview = new Map<string, Map<string, LastOf>>()
  return {
    of: (review) => byReview.get(review) ?? none,
    forget: (review) => void byReview.delete(review),
    take(fact) {
      const data = readData('notification', fact)
      if (data === null) return null
      const known = byReview.get(data.review) ?? new Map<string, LastOf>()
      byReview.set(data.review, known)
      const key = notificationKey(data)
      const before = known.get(key)
      // How an attempt ended comes after its beginning; what comes late changes nothing.
      if (before === undefined || rank(data) > rank(before.data)) {
        known.set(key, { data, at: fact.appendedAt })
      }
      return data
    },
  }
}

function rank({ attempt, state }: NotificationData): number {
  if (state === 'sent') return Number.MAX_SAFE_INTEGER
  return attempt * 2 + (state === 'begun' ? 0 : 1)
}

/** Takes all that the log has about reviews that are open, up to where it is folded. */
export async function takeRecorded(
  { log, state }: { readonly log: Pick<LogReader, 'read'>; readonly state: Readonly<State> },
  into: RecordedNotifications,
): Promise<void> {
  const reviews = [...state.intents.values()].flatMap(({ review }) =>
    review === null ? [] : [review],
  )
  if (reviews.length === 0) return
  const from = Math.min(...reviews.map(({ position }) => position))
  const open = new Set(reviews.map(({ name }) => name))
  const names = patternsOf(state.place, 'notification', '*')
  for await (const fact of log.read({ from, to: state.position }, names)) {
    const data = into.take(fact)
    if (data !== null && !open.has(data.review)) into.forget(data.review)
  }
}

/** Whether anyone who was asked was notified of the review by now. */
export function wasAnyoneNotified(past: ReadonlyMap<string, LastOf>): boolean {
  return [...past.values()].some(({ data }) => data.state === 'sent' && data.step !== 'escalated')
}
