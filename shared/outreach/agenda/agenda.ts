// What is to be sent about one review, and when: a pure function of the review, of the people, of
// what the log has of notifications, and of the time. Where it is asked again it comes to the same.
import { attemptsMax } from '#schemas/outreach/notification'
import type { ChannelKind, NotificationData } from '#schemas/outreach/notification'
import type { ReachingRules } from '#schemas/outreach/reaching'
import { notificationKey, retrySpread, type NotificationKey } from './notification-id.ts'

export interface NotifiedPerson {
  readonly person: string
  /** The confirmer who is away, and whose deputy this is. */
  readonly for?: string | undefined
  readonly channels: readonly ChannelKind[]
  /** When what is due then may be sent; null where not before it expires. */
  readonly from: (at: number) => number | null
}

export interface AskingReview {
  /** The name of the review. */
  readonly review: string
  readonly openedAt: number
  readonly decideBy: number
  readonly reaching: ReachingRules
  /** Those who can still answer, or their deputies. */
  readonly asked: readonly NotifiedPerson[]
  /** Those to whom it escalates. */
  readonly escalated: readonly NotifiedPerson[]
}

/** The last that the log has of a notification, and when that was appended. */
export interface LastOf {
  readonly data: NotificationData
  readonly at: number
}

export interface DueNotification extends NotificationKey {
  readonly for?: string | undefined
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly at: number
}

interface Step extends Pick<NotificationKey, 'step' | 'number'> {
  readonly at: number
}

const firstRetryMs = 5_000
const retryFactor = 4

/** How long after a failure it is tried again; a part of it differs from one to the next. */
function retryMs(of: NotificationKey & { readonly attempt: number }): number {
  const ms = firstRetryMs * retryFactor ** (of.attempt - 1)
  return Math.round(ms * (1 + retrySpread(of) / 2))
}

/** What is to be sent still, soonest first. */
export function agendaOf(
  asking: AskingReview,
  past: ReadonlyMap<string, LastOf>,
  now: number,
): readonly DueNotification[] {
  const { asked, escalated } = asking
  return [...dueTo(asking, asked, past, now), ...dueTo(asking, escalated, past, now, true)]
    .filter(({ at }) => at <= asking.decideBy)
    .toSorted((one, other) => one.at - other.at)
}

function dueTo(
  asking: AskingReview,
  people: readonly NotifiedPerson[],
  past: ReadonlyMap<string, LastOf>,
  now: number,
  isEscalated = false,
): readonly DueNotification[] {
  const steps = isEscalated ? escalatedOf(asking) : stepsOf(asking)
  return people.flatMap((to) =>
    to.channels.flatMap((channel) => {
      // Of what is due already only the last is sent: one message says it all.
      const due = steps.filter(({ at }) => at <= now).at(-1)
      const next = steps.find(({ at }) => at > now)
      return [due, next].flatMap((step) => {
        const of = step === undefined ? null : { to, channel, step }
        const one = of === null ? null : dueStep(asking, of, { past, now })
        return one === null ? [] : [one]
      })
    }),
  )
}

function stepsOf({ openedAt, decideBy, reaching }: AskingReview): readonly Step[] {
  const shares = [...new Set(reaching.remindsAfter)].toSorted((one, other) => one - other)
  const reminders = shares.map((share, index) => ({
    step: 'reminder' as const,
    number: index + 1,
    at: momentOf(openedAt, decideBy, share),
  }))
  return [{ step: 'asked', number: 1, at: openedAt }, ...reminders]
}

function escalatedOf({ openedAt, decideBy, reaching }: AskingReview): readonly Step[] {
  return [
    { step: 'escalated', number: 1, at: momentOf(openedAt, decideBy, reaching.escalatesAfter) },
  ]
}

function momentOf(openedAt: number, decideBy: number, share: number): number {
  return openedAt + Math.floor(((decideBy - openedAt) * share) / 100)
}

function dueStep(
  { review }: AskingReview,
  { to, channel, step }: { to: NotifiedPerson; channel: ChannelKind; step: Step },
  { past, now }: { past: ReadonlyMap<string, LastOf>; now: number },
): DueNotification | null {
  const key = { review, person: to.person, channel, step: step.step, number: step.number }
  const last = past.get(notificationKey(key))
  const next = last === undefined ? { attempt: 1, at: step.at } : attemptAfter(key, last)
  // What was due before is sent now, and now may not be the time either.
  const at = next === null ? null : to.from(Math.max(next.at, now))
  if (next === null || at === null) return null
  return { ...key, ...(to.for !== undefined && { for: to.for }), attempt: next.attempt, at }
}

/** Null where it was sent, or where trying again cannot help. */
function attemptAfter(
  key: NotificationKey,
  { data, at }: LastOf,
): { readonly attempt: number; readonly at: number } | null {
  if (data.state === 'sent' || data.attempt >= attemptsMax) return null
  const attempt = data.attempt + 1
  // One that was begun and has no end: the service that began it is gone.
  if (data.state === 'begun') return { attempt, at: Date.parse(data.until) + 1 }
  return data.mayPass ? { attempt, at: at + retryMs({ ...key, attempt: data.attempt }) } : null
}
