// The intent log of an agent that may bind and get its own and nothing else: it looks by name, and
// knows neither catalog nor graph.
import { configuration } from '#wiring/config'
import { systemClock, systemTimer } from '#system/clock'
import { ulidIds } from '#system/ids'
import type { OwnLog } from '#log/jetstream/own-log'
import { Fault } from '#record/fault'
import { readEvent } from '#record/event'
import { newestRules } from '#rules/catalog/rules-version'
import { addressOf, eraOf, token } from '#record/names'
import { openReview } from '#state/intent'
import { requestKey } from '#state/requests'
import { waitsFor, waitsOn, type Waits } from '#present/story/waits'
import { findLog, openOwnLog } from '#runtime/logs/log-url'
import { reviewsMax } from '#stages/review'
import type { IntentLog, IntentStanding, Wait } from '../intent-log.ts'
import { verdictOf } from '#replay/verdicts/verdict'
import type { ConnectOptions } from '../warrant.ts'
import { OwnEras } from './eras.ts'
import { ownWaiting, type OwnWaiting } from './waiting.ts'

export interface OwnIntentLog extends IntentLog {
  readonly log: OwnLog
  readonly eras: OwnEras
  close(): Promise<void>
}

export async function openOwn(options: ConnectOptions): Promise<OwnIntentLog> {
  const { as, realm = 'main' } = options
  const { log, notices } = await openOwnLog(findLog(options.log, configuration()), realm)
  const eras = new OwnEras(log, realm)
  const [clock, timer] = [systemClock, systemTimer]
  const agent = as === undefined ? null : token(as)
  const waiting = await ownWaiting({ notices, clock, timer, agent, realm, eras })
  const logId = options.logId ?? configuration().logId ?? null
  return {
    log,
    eras,
    clock,
    ids: ulidIds(),
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
