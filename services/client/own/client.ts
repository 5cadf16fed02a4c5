// The client of an agent that may bind and get its own and nothing else: it folds no log, so it
// knows neither catalog nor graph, and never says anything about them.
import { systemClock, systemTimer } from '#adapters/system/clock'
import { ulidIds } from '#adapters/system/ids'
import type { OwnLog } from '#adapters/jetstream/own-log'
import { Fault } from '#core/kernel/fault'
import { readEvent } from '#core/kernel/event'
import { eraOf, token } from '#core/kernel/names'
import type { Fact } from '#ports/log'
import { logIdIn } from '#runtime/logs/log-id'
import { findLog, openOwnLog } from '#runtime/logs/log-url'
import { silentLogger } from '#runtime/reporting/logger'
import { reviewsMax } from '#core/stages/review'
import type { ReviewData } from '#schemas/review'
import { queryFor } from '../asking.ts'
import type { ConnectOptions, Warrant } from '../warrant.ts'
import { guardBy } from '../guard/guard.ts'
import { OwnEras } from './eras.ts'
import { ownRedeeming } from './redeeming.ts'
import { ownWaiting, type OwnWaiting } from './waiting.ts'
import { publish, sessionOf, withdraw } from '../publishing.ts'
import type { Saying } from '../saying.ts'
import { verdictOf, type Verdict } from '../verdict.ts'

export interface OwnWarrant extends Warrant {
  /** The verdict, or else the review if people were asked. Throws as `verdict` does. */
  answer(address: string, waitMs: number): Promise<OwnAnswer>
}

export type OwnAnswer =
  | { readonly by: 'verdict'; readonly verdict: Verdict }
  | { readonly by: 'review'; readonly review: ReviewData }

interface Own {
  readonly log: OwnLog
  readonly eras: OwnEras
  readonly waiting: OwnWaiting
  readonly saying: Saying
}

const waitMsDefault = 60_000

export async function connectOwn(options: ConnectOptions): Promise<OwnWarrant> {
  const { as, realm = 'main', logger = silentLogger } = options
  const { log, notices } = await openOwnLog(findLog(options.log, process.env), realm)
  const eras = new OwnEras(log, realm)
  const [clock, timer] = [systemClock, systemTimer]
  const agent = as === undefined ? null : token(as)
  const waiting = await ownWaiting({ notices, clock, timer, agent, realm, eras })
  const bind: Saying['bind'] = (said) => eras.bind(said)
  const logId = options.logId ?? logIdIn(process.env)
  const identity = (): string => {
    if (logId !== null) return logId
    const fix = 'give logId or WARRANT_LOG_ID, as `warrant replay` prints it'
    throw new Fault('log_unidentified', `a signature says of which log it is: ${fix}`)
  }
  const ids = ulidIds()
  // What it said before it cannot list: the numbers begin again, which is noted and refuses
  // nothing.
  const lastSeq = (): Promise<number> => Promise.resolve(0)
  const basis = (): number => eras.position
  const saying: Saying = { clock, ids, basis, log: identity, lastSeq, bind }
  const own: Own = { log, eras, waiting, saying }
  const ask: Warrant['ask'] = async (intent, { session, waitMs, message } = {}) => {
    const query = queryFor(intent, message)
    const { address, name } = await publish(saying, options, query, session)
    return verdictIn(own, address, { waitMs, from: eraOf(name) })
  }
  return {
    get runtime(): never {
      throw readsOwn('the runtime')
    },
    ask,
    publish: (fields, session) => publish(saying, options, fields, session),
    verdict: (address, waitMs) => verdictIn(own, address, { waitMs, from: null }),
    answer: (address, waitMs) => answerIn(own, address, waitMs),
    withdraw: (address, note) => withdraw(saying, options, address, note),
    session: (id) => sessionOf(saying, options, id),
    guard: (capability, run, guardOptions) => {
      const client = { ask, logger, clock, redeeming: ownRedeeming(own) }
      return guardBy(client, { capability, run, options: guardOptions })
    },
    reviews: () => Promise.reject(readsOwn('the reviews')),
    decide: () => Promise.reject(readsOwn('a review')),
    proposals() {
      throw readsOwn('the proposals')
    },
    held: () => Promise.reject(readsOwn('what is held')),
    rule: () => Promise.reject(readsOwn('a proposal')),
    reopen: () => Promise.reject(readsOwn('a proposal')),
    trace: () => Promise.reject(readsOwn('a trace')),
    async close() {
      waiting.stop()
      await log.close()
    },
  }
}

async function verdictIn(
  own: Own,
  address: string,
  {
    waitMs = waitMsDefault,
    from,
  }: { readonly waitMs: number | undefined; readonly from: number | null },
): Promise<Verdict> {
  const { eras, waiting } = own
  // What this client has not published itself may be of any era.
  let isFirst = from === null
  const fact = await waiting.until(address, waitMs, (beyond) => {
    const looking = { from: from ?? 1, beyond: beyond || isFirst }
    isFirst = false
    return eras.find('verdict', address, looking)
  })
  if (fact === null) throw new Fault('no_verdict', await whoIsMissing(own, address))
  return readVerdict(fact)
}

async function answerIn(own: Own, address: string, waitMs: number): Promise<OwnAnswer> {
  const { eras, waiting } = own
  const answer = await waiting.until(
    address,
    waitMs,
    async (beyond): Promise<OwnAnswer | undefined> => {
      const fact = await eras.find('verdict', address, { from: 1, beyond })
      if (fact !== undefined) return { by: 'verdict', verdict: await readVerdict(fact) }
      const review = await reviewOf(own, address)
      return review === null ? undefined : { by: 'review', review }
    },
  )
  if (answer !== null) return answer
  throw new Fault('no_verdict', await whoIsMissing(own, address))
}

/** The gaps are those that the verdict has itself: the grounding may not be read. */
function readVerdict(fact: Fact): Promise<Verdict> {
  return verdictOf({ get: () => Promise.resolve(undefined) }, fact)
}

/** The latest review of that intent, as far as this user may read it. */
async function reviewOf({ eras }: Own, address: string): Promise<ReviewData | null> {
  let latest: ReviewData | null = null
  try {
    for (let number = 1; number <= reviewsMax; number += 1) {
      const fact = await eras.find('review', `${address}.${number}`, { from: 1, beyond: false })
      const reading = fact && readEvent('review', fact)
      if (reading?.ok !== true) break
      latest = reading.event.data
    }
    return latest
  } catch (error) {
    if (error instanceof Fault && unreadable.has(error.code)) return null
    throw error
  }
}

const unreadable: ReadonlySet<string> = new Set(['not_permitted', 'log_unreachable'])

async function whoIsMissing(own: Own, address: string): Promise<string> {
  const { eras, saying } = own
  const review = await reviewOf(own, address)
  if (review !== null && saying.clock.now() <= Date.parse(review.decideBy)) {
    return `no verdict in time: ${review.confirmers.join(', ')} may answer until ${review.decideBy}`
  }
  if (review !== null) return 'no verdict in time: the confirmation stage has not answered'
  try {
    const message = await eras.find('vlp', address, { from: 1, beyond: false })
    if (message === undefined) return `no verdict in time, and no message \`${address}\``
    const at = `\`${address}\` is at position ${message.position}`
    const from = (eraOf(message.name) ?? 1) + 1
    const again = await eras.find('vlp', address, { from, beyond: false })
    if (again !== undefined)
      return `no verdict in time: ${at}, and what was said there later opens nothing`
    return `no verdict in time: ${at}, and the stages have not answered; are they running?`
  } catch (error) {
    if (error instanceof Fault && unreadable.has(error.code))
      return `no verdict in time: ${error.message}`
    throw error
  }
}

function readsOwn(what: string): Fault {
  const fix = 'it takes a role that reads the log'
  return new Fault('reads_own', `this client reads its own alone, not ${what}: ${fix}`)
}
