// The intent log of an agent that may bind and get its own and nothing else: it looks by name, and
// knows neither catalog nor graph.
import { configuration } from '#wiring/config'
import { systemClock, systemTimer } from '#system/clock'
import { ulidIds } from '#system/ids'
import type { OwnLog } from '#log/jetstream/own-log'
import { Fault } from '#record/fault'
import { readEvent } from '#record/event'
import { newestRules } from '#rules/catalog/rules-version'
import { addressOf, eraOf, token, nameOf } from '#record/names'
import { openReview } from '#state/intent'
import { requestKey } from '#state/request-key'
import { waitsOn, type Waits } from '#present/story/waits'
import { waitsFor } from '#present/story/waits-of'
import { findLog, openOwnLog } from '#runtime/logs/log-url'
import { reviewsMax } from '#stages/review'
import type { IntentLog, IntentStanding, Wait } from '../intent-log.ts'
import { verdictOf } from '#replay/verdicts/verdict'
import type { ConnectOptions } from '../warrant.ts'
import { OwnEras, unlessOutOfReach } from './eras.ts'
import type { Clock, Timer } from '#ports/clock'
import type { Notices } from '#ports/notices'
import { logClosed } from '#log/refusals'

// Waits for facts about an agent's own intents without following the log: it looks by name, on a
// notice or a timer, until the time is up. A notice only makes it look sooner.

const pauseMsMin = 50
const pauseMsMax = 2_000
/** The copy that answers may have the verdict a moment later than its notice came. */
const noticedPauseMs = 2
/** After so long without an answer, the era may have turned. */
const turnedPauseMs = 800

interface OwnWaiting {
  /**
   * What `look` finds, once it finds anything; null when the time is up. `look` learns whether the
   * next era may have begun.
   */
  until<T>(
    address: string,
    waitMs: number,
    look: (beyond: boolean) => Promise<T | undefined>,
  ): Promise<T | null>
  /** Everyone who waits gets a Fault `log_closed`. */
  stop(): void
}

interface Parts {
  readonly notices: Pick<Notices, 'receive'>
  readonly clock: Clock
  readonly timer: Timer
  /** The token of the agent; null for a client that does not say who it is. */
  readonly agent: string | null
  readonly realm: string
  readonly eras: Pick<OwnEras, 'current' | 'expectNext'>
}

interface Waiter {
  /** What was believed since the last look. */
  received: 'nothing' | 'notice' | 'notice_of_next_era'
  wake: () => void
}

/** Receives from the moment that it resolves. */
export async function ownWaiting(parts: Parts): Promise<OwnWaiting> {
  const waiting = new Map<string, Set<Waiter>>()
  let isStopped = false
  const receive = ({
    address,
    verdict,
  }: {
    readonly address: string
    readonly verdict: string
  }) => {
    const { realm, eras } = parts
    const era = eraOf(verdict) ?? 0
    // From the one who sent it: it may say anything.
    const isNext =
      era === eras.current + 1 && verdict === nameOf({ realm, era }, 'verdict', address)
    const waiters = waiting.get(address)
    if (isNext && waiters !== undefined) eras.expectNext()
    for (const waiter of waiters ?? []) {
      waiter.received = isNext ? 'notice_of_next_era' : 'notice'
      waiter.wake()
    }
  }
  const { notices, agent } = parts
  const stopListening = agent === null ? () => undefined : await notices.receive(agent, receive)
  return {
    async until(address, waitMs, look) {
      const waiter: Waiter = { received: 'nothing', wake: () => undefined }
      const others = waiting.get(address) ?? new Set()
      waiting.set(address, others.add(waiter))
      try {
        return await lookAgain(parts, waiter, { waitMs, look, isStopped: () => isStopped })
      } finally {
        others.delete(waiter)
        if (others.size === 0) waiting.delete(address)
      }
    },
    stop() {
      isStopped = true
      stopListening()
      for (const others of waiting.values()) for (const { wake } of others) wake()
    },
  }
}

async function lookAgain<T>(
  { clock, timer }: Parts,
  waiter: Waiter,
  {
    waitMs,
    look,
    isStopped,
  }: {
    readonly waitMs: number
    readonly look: (beyond: boolean) => Promise<T | undefined>
    readonly isStopped: () => boolean
  },
): Promise<T | null> {
  const end = clock.now() + waitMs
  let pauseMs = pauseMsMin
  let beyond = false
  for (;;) {
    if (isStopped()) throw logClosed()
    waiter.received = 'nothing'
    const found = await unlessOutOfReach(() => look(beyond))
    if (found !== undefined) return found
    const leftMs = end - clock.now()
    if (leftMs <= 0) return null
    const before = receivedBy(waiter)
    if (before === 'nothing') await woken(timer, waiter, Math.min(pauseMs, leftMs))
    const received = receivedBy(waiter)
    pauseMs = received === 'nothing' ? Math.min(pauseMs * 2, pauseMsMax) : noticedPauseMs
    beyond = received === 'notice_of_next_era' || pauseMs >= turnedPauseMs
  }
}

/** It changes while someone waits, which the compiler cannot know. */
function receivedBy({ received }: Waiter): Waiter['received'] {
  return received
}

function woken(timer: Timer, waiter: Waiter, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(delayMs, resolve)
    waiter.wake = () => {
      cancel()
      resolve()
    }
  })
}

export interface OwnIntentLog extends IntentLog {
  readonly log: OwnLog
  readonly eras: OwnEras
  close(): Promise<void>
}

export async function openOwn(options: ConnectOptions): Promise<OwnIntentLog> {
  const { as, realm = 'main' } = options
  const { log, notices } = await openOwnLog(findLog(options.log, configuration()), realm)
  const eras = new OwnEras(log, realm)
  const ids = ulidIds()
  const [clock, timer] = [systemClock, systemTimer]
  const agent = as === undefined ? null : token(as)
  const waiting = await ownWaiting({ notices, clock, timer, agent, realm, eras })
  const logId = options.logId ?? configuration().logId ?? null
  return {
    log,
    eras,
    clock,
    nextId: () => ids.next(eras.now()),
    basis: () => eras.position,
    id() {
      if (logId !== null) return logId
      const fix = 'give logId or WARRANT_LOG_ID, as `warrant replay` prints it'
      throw new Fault('log_unidentified', `a signature covers which log it is for: ${fix}`)
    },
    // Earlier messages cannot be listed: the numbers begin again, which is noted and refuses
    // nothing.
    lastSeq: () => Promise.resolve(0),
    bind: (said, waitMs) => eras.bind(said, waitMs),
    requestKey: (sender, session, intent) =>
      requestKey({ rules: newestRules }, addressOf(sender, session, '-'), intent),
    // What is open it cannot list: the stages say which request is repeated.
    equalOpen: () => null,
    opening: (address) => eras.find('vlp', address, { from: 1, beyond: true }),
    wait: (address, wait) => waitOn({ eras, waiting }, address, wait),
    async close() {
      waiting.stop()
      await log.close()
    },
  }
}

// A verdict's grounding may not be read: its gaps are those that its reasons name.
const unread = { get: () => Promise.resolve(undefined) }

interface Reading {
  readonly eras: OwnEras
  readonly waiting: OwnWaiting
}

async function waitOn(
  { eras, waiting }: Reading,
  address: string,
  { waitMs, isPatient, since, onAsked }: Wait,
): Promise<IntentStanding> {
  const from = since === undefined ? 1 : (eraOf(since.name) ?? 1)
  // What this client has not published itself may be of any era.
  let isFirst = since === undefined
  let asks = onAsked
  const look = async (beyond: boolean): Promise<IntentStanding | undefined> => {
    const looking = { from, beyond: beyond || isFirst }
    isFirst = false
    const fact = await eras.find('verdict', address, looking)
    if (fact !== undefined) return { state: 'verdict', verdict: await verdictOf(unread, fact) }
    const waits = asks === undefined ? null : await underReview(eras, address)
    if (asks === undefined || waits?.for !== 'people') return undefined
    const goesOn = asks(waits, () => null)
    asks = undefined
    return goesOn ? undefined : { state: 'waits', waits }
  }
  for (let hadTime = false; ;) {
    const found = await waiting.until(address, waitMs, look)
    if (found !== null) return found
    const standing = await missing(eras, address)
    const { until = null } = isPatient && standing.state === 'waits' ? standing.waits : {}
    const hasTime = until !== null && systemClock.now() <= until
    // What comes at the last moment is waited for, too.
    if (!hasTime && !hadTime) return standing
    hadTime = hasTime
  }
}

/** What it waits for, as far as an agent's own names show it. */
async function missing(eras: OwnEras, address: string): Promise<IntentStanding> {
  try {
    const review = await underReview(eras, address)
    return { state: 'waits', waits: review ?? waitsOn(await unreviewed(eras, address)) }
  } catch (cause) {
    if (isUnreadable(cause)) return { state: 'waits', waits: waitsOn('log'), cause }
    throw cause
  }
}

async function unreviewed(
  eras: OwnEras,
  address: string,
): Promise<'message' | 'repeated' | 'stages'> {
  const message = await eras.find('vlp', address, { from: 1, beyond: false })
  if (message === undefined) return 'message'
  const from = (eraOf(message.name) ?? 1) + 1
  const again = await eras.find('vlp', address, { from, beyond: false })
  return again === undefined ? 'stages' : 'repeated'
}

/** By its latest review, as far as this user may read it; null where there is none. */
async function underReview(eras: OwnEras, address: string): Promise<Waits | null> {
  let latest: Waits | null = null
  try {
    for (let number = 1; number <= reviewsMax; number += 1) {
      const fact = await eras.find('review', `${address}.${number}`, { from: 1, beyond: false })
      const reading = fact && readEvent('review', fact)
      if (fact === undefined || reading?.ok !== true) break
      latest = waitsFor(openReview(fact, reading.event.data), [], systemClock.now())
    }
    return latest
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

function isUnreadable(error: unknown): error is Fault {
  return (
    error instanceof Fault && (error.code === 'not_permitted' || error.code === 'log_unreachable')
  )
}
