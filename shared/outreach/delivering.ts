// Sends one notification: binds that it has begun, so that no one else sends it, hands it to the
// channel, and binds how that ended. What is sent without that end is sent once more, and not lost.
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { channelMessageId, notificationId } from './agenda/notification-id.ts'
import type { DueNotification } from './agenda/agenda.ts'
import { confirmationOf } from '#rules/catalog/catalog'
import { ChannelFailure, type Channel, type ChannelMessage } from '#ports/channels'
import type { NotificationData, NotificationStep } from '#schemas/outreach/notification'
import type { ReachTarget } from '#schemas/outreach/reach'
import type { ReviewData } from '#schemas/review'
import { bindInEra } from '#runtime/engine/binding'
import { backoffMs } from '#runtime/engine/backoff'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import type { Runtime } from '#runtime/engine/runtime'
import { pause } from '#runtime/engine/timeout'
import { removeTargets, type ReachBook } from './reach-store.ts'

/** What a message is made of: what a review asks, and what may be shown of it. */
export interface ToWord {
  readonly review: ReviewData
  readonly step: NotificationStep
  readonly for: string | null
  readonly showsArgs: boolean
}

export type OutreachWords = (of: ToWord) => Pick<ChannelMessage, 'subject' | 'lines'>

export type OutreachRuntime = Pick<Runtime, 'log' | 'follower' | 'logClock' | 'timer' | 'logger'>

export interface Delivering {
  readonly runtime: OutreachRuntime
  readonly channels: readonly Channel[]
  readonly book: ReachBook
  readonly words: OutreachWords
  /** The console's own address. */
  readonly url: string
  readonly signal: AbortSignal
}

/** The one deadline of a delivery. */
const deliverMsMax = 30_000
/** Until the end of a delivery is bound, no one begins it again. */
const endMsMax = 30_000
const bindAttemptsMax = 5

/** `isDue` is asked again once it is ours: what was decided meanwhile is not sent. */
export async function deliverDue(
  of: Delivering,
  { due, address, isDue }: { due: DueNotification; address: string; isDue: () => boolean },
): Promise<void> {
  const { logger, logClock } = of.runtime
  const { at: _at, ...notified } = due
  const until = new Date(logClock.now() + deliverMsMax + endMsMax).toISOString()
  const { appended } = await bound(of, { ...notified, state: 'begun', until })
  if (!appended || !isDue()) return
  const failure = await delivered(of, due, address)
  const { person, channel, step, attempt } = due
  const fields = { intent: address, person, channel, step, attempt }
  if (failure === null) {
    await boundSurely(of, { ...notified, state: 'sent' })
    logger.info(fields, 'person notified')
    return
  }
  const { code, mayPass } = failure
  await boundSurely(of, { ...notified, state: 'failed', code, mayPass })
  logger.warn({ ...fields, code, mayPass }, 'person not notified')
}

/** Null where at least one of the person's places there took it. */
async function delivered(
  of: Delivering,
  due: DueNotification,
  address: string,
): Promise<ChannelFailure | null> {
  const channel = of.channels.find(({ kind }) => kind === due.channel)
  const targets = of.book.find(due.person)?.targets.filter((one) => one.channel === due.channel)
  const message = await messageFor(of, due, address)
  if (channel === undefined || message === null || targets === undefined || targets.length === 0) {
    return new ChannelFailure('target_invalid', false)
  }
  const failures = await deliveredTo(of, channel, { targets, message })
  for (const { target, failure } of failures) {
    if (failure.code !== 'gone' || target.channel !== 'push') continue
    await removeTargets(of.book.file, due.person, (one) => {
      return one.channel === 'push' && one.url === target.url
    })
  }
  if (failures.length < targets.length) return null
  const [first] = failures.toSorted((a, b) => Number(b.failure.mayPass) - Number(a.failure.mayPass))
  return first?.failure ?? null
}

interface TargetFailure {
  readonly target: ReachTarget
  readonly failure: ChannelFailure
}

/** Hands the message to each place at once, under one deadline; what failed. */
export async function deliveredTo(
  {
    runtime: { timer },
    signal: stopping,
  }: Pick<Delivering, 'signal'> & {
    readonly runtime: Pick<Runtime, 'timer'>
  },
  channel: Channel,
  { targets, message }: { targets: readonly ReachTarget[]; message: ChannelMessage },
): Promise<readonly TargetFailure[]> {
  const deadline = new AbortController()
  const cancel = timer.after(deliverMsMax, () => {
    deadline.abort(new DOMException('the deadline has passed', 'TimeoutError'))
  })
  const signal = AbortSignal.any([deadline.signal, stopping])
  try {
    const each = await Promise.all(
      targets.map(async (target): Promise<TargetFailure | null> => {
        try {
          await channel.deliver({ target, message, signal })
          return null
        } catch (error) {
          const isOurs = error instanceof ChannelFailure
          return { target, failure: isOurs ? error : new ChannelFailure('protocol_error', true) }
        }
      }),
    )
    return each.filter((one) => one !== null)
  } finally {
    cancel()
  }
}

async function messageFor(
  { runtime, words, url }: Delivering,
  due: DueNotification,
  address: string,
): Promise<ChannelMessage | null> {
  const { state } = runtime.follower
  const intent = state.intents.get(address)
  const open = intent === undefined ? null : await openReviewOf(runtime, intent)
  if (open === null || open.name !== due.review) return null
  const { review } = open
  const { reaching } = confirmationOf(state.catalog, review.confirmation ?? undefined) ?? {}
  // What is sensitive stays here, whatever a confirmation that is shared by many says.
  const showsArgs = reaching?.showsArgs === true && review.shown.sensitivity === 'NONE'
  const of = { review, step: due.step, for: due.for ?? null, showsArgs }
  return {
    ...words(of),
    id: channelMessageId(due),
    link: `${url}/reviews/${address}`,
    at: runtime.logClock.now(),
    until: Date.parse(review.decideBy),
  }
}

function bound({ runtime }: Delivering, data: NotificationData) {
  const { follower, logClock } = runtime
  const id = notificationId(data, data.state === 'begun' ? 'attempt' : 'result')
  const bytes = (name: string): Uint8Array => {
    const time = new Date(logClock.now()).toISOString()
    const stamp = { source: 'outreach', time, basis: follower.state.position }
    return writeEvent('notification', name, jsonOf(data), stamp)
  }
  return bindInEra(runtime, { kind: 'notification', tokens: [id], bytes })
}

/** Tries as long as no one else may begin it again: what has no end there is sent once more. */
async function boundSurely(of: Delivering, data: NotificationData): Promise<void> {
  const { timer, logger } = of.runtime
  for (let attempt = 1; ; attempt += 1) {
    try {
      await bound(of, data)
      return
    } catch (error) {
      if (attempt === bindAttemptsMax) throw error
      logger.warn({ error }, 'notification not recorded yet')
      if (await pause(timer, backoffMs(attempt - 1), of.signal)) throw error
    }
  }
}
