// What an agent does with the log, by whichever driver: it asks, publishes, withdraws and guards.
// What few programs do is loaded with the first that does it.
import { Fault } from '#record/fault'
import type { Clock } from '#ports/clock'
import { approving } from '#present/approving'
import { utc } from '#present/wording'
import type { Logger } from '#runtime/reporting/logger'
import { askingAgain } from './asking-again.ts'
import { ask, parsedIntent, verdictIn } from './asking.ts'
import type { AskOptions, OnReviewDefault, WaitOptions } from './asking.ts'
import { checkGuardOptions, type GuardClient, guard } from './guard/guard.ts'
import type { Redeeming } from './guard/redeeming.ts'
import { about } from './intent-fault.ts'
import type { IntentLog } from './intent-log.ts'
import { publish, senderOf, sessionOf, withdraw, type Speaker } from './publishing.ts'
import { pickOf } from '#rules/routing/pick'
import type { KnownCatalog } from './offering.ts'
import { endFields, resultFields, saidFields } from './saying.ts'
import type { WorkKnown } from './work-known.ts'
import { requestOf } from '#replay/verdicts/request'
import type { Verdict } from '#replay/verdicts/verdict'
import { optionNames, refuseStrangeOptions } from './strange-options.ts'
import type { Agent } from './warrant.ts'

const askOptions = optionNames<AskOptions>({
  session: true,
  key: true,
  retries: true,
  routing: true,
  message: true,
  waitMs: true,
  onReview: true,
  onLearn: true,
  signal: true,
})

interface Parts {
  readonly log: IntentLog
  readonly speaker: Speaker
  readonly logger: Logger
  /** How it asks, where its driver does that in one step. */
  readonly asks?: (onReview: OnReviewDefault) => Agent['ask']
  /** By which a guard knows whether a warrant is still good. */
  readonly clock: Clock
  /** How a guard redeems a warrant; made only where something is guarded. */
  readonly redeeming: () => Redeeming
  /** The catalog of now; throws where this client cannot read it. */
  readonly catalog: () => KnownCatalog
  /** What contracts there are; null where this client cannot read it. */
  readonly work: WorkKnown | null
  /** What is known of what a verdict is about, as text; null where that cannot be read. */
  readonly known: (verdict: Verdict) => Promise<string | null>
  /** Options of the command line that name the same log, such as ` --log file.db`. */
  readonly where: string
  /**
   * By what a verdict is derived again before it is given, opened right before it is asked for;
   * absent where a server does that, or where the log cannot be read.
   */
  readonly sound?: () => (verdict: Verdict) => Promise<Verdict>
}

/** Guards of one client, by their tools: the latest of each. */
type Redeemers = Map<string, (intent: string, wait: WaitOptions) => Promise<unknown>>

function waitingNoted(logger: Logger, where: string): OnReviewDefault {
  return ({ people, needed, agreed, until, reason }, intent) => {
    const of = { from: people, ...(needed > 1 && { approved: `${agreed.length} of ${needed}` }) }
    const when = until === null ? {} : { until: utc(until) }
    const answer = `warrant ${approving(intent, reason)}${where}`
    logger.warn({ ...of, ...when, answer, intent }, 'waiting for approval')
    return true
  }
}

function soundBy(opens: Parts['sound']) {
  return async (given: () => Promise<Verdict>): Promise<Verdict> => {
    const derived = opens?.()
    const found = await given()
    return derived === undefined ? found : about(found.intent, () => derived(found))
  }
}

type Others = Pick<Agent, 'delegate' | 'undelegate' | 'contract' | 'claim'>

/** What it has others do, or does for them. */
function othersAsked({ log, speaker, work }: Pick<Parts, 'log' | 'speaker' | 'work'>): Others {
  return {
    delegate: async (delegating) => {
      const { delegationFields } = await import('./delegating.ts')
      return publish(log, speaker, delegationFields(delegating), { session: delegating.session })
    },
    undelegate: async (name, { session, note }) => {
      const { withdrawalFields } = await import('./delegating.ts')
      return publish(log, speaker, withdrawalFields(name, note), { session })
    },
    contract: async (contracting) => {
      const { contractToPublish, within } = await import('./contracting.ts')
      const by = { sender: senderOf(speaker), known: work }
      const { fields, check } = contractToPublish(contracting, by)
      return publish(log, speaker, fields, { ...within(contracting), check })
    },
    claim: async (claiming) => {
      const { claimToPublish, within } = await import('./contracting.ts')
      const by = { sender: senderOf(speaker), known: work }
      const { fields, check } = await claimToPublish(claiming, by)
      return publish(log, speaker, fields, { ...within(claiming), check })
    },
  }
}

export function agentOn({ log, speaker, logger, clock, ...parts }: Parts): Agent {
  const onReview = waitingNoted(logger, parts.where)
  const sound = soundBy(parts.sound)
  const asks = askingAgain(
    parts.asks?.(onReview) ??
      ((intent, options) => sound(() => ask({ log, speaker, onReview }, intent, options))),
  )
  const verdict: GuardClient['verdict'] = (address, wait) =>
    sound(() => verdictIn(log, address, { onReview, ...wait }))
  const guards: Redeemers = new Map()
  const guardClient = (): GuardClient => ({
    ask: asks,
    verdict,
    opening: (address) => log.opening(address),
    requestKey: (intent, session) =>
      log.requestKey(senderOf(speaker), session, parsedIntent(intent)),
    onReview,
    traceText: async (of) => {
      const { decisionText } = await import('./answers/trace-text.ts')
      return decisionText(of, await parts.known(of))
    },
    logger,
    clock,
    redeeming: parts.redeeming(),
  })
  return {
    principal: speaker.as ?? null,
    ask: async (intent, options = {}) => {
      refuseStrangeOptions(options, askOptions)
      return asks(intent, options)
    },
    publish: (fields, session) => publish(log, speaker, fields, { session }),
    verdict: (address, wait = {}) =>
      verdict(address, typeof wait === 'number' ? { waitMs: wait } : wait),
    withdraw: (address, note) => withdraw(log, speaker, address, note),
    shortlist: async (goal, options) => {
      const { offer } = await import('./offering.ts')
      return offer({ log, speaker, catalog: parts.catalog }, goal, options)
    },
    pick: ({ cards }, written) =>
      pickOf(
        cards.map(({ id }) => id),
        written,
      ),
    session: (id) => sessionOf(log, speaker, id),
    say: (content, { receiver, ...of }) => publish(log, speaker, saidFields(content, receiver), of),
    toolResult: (result, { receiver, ...of }) =>
      publish(log, speaker, resultFields(result, receiver), of),
    endSession: (session, end = {}) => publish(log, speaker, endFields(end), { session }),
    ...othersAsked({ log, speaker, work: parts.work }),
    guard: (capability, run, options = {}) => {
      checkGuardOptions(options)
      const guarded = guard(guardClient(), { capability, run, options })
      guards.set(capability, (intent, wait) => guarded.redeem(intent, wait))
      return guarded
    },
    async redeem(intent, wait = {}) {
      const { tool } = requestOf(await log.opening(intent), intent)
      const redeem = guards.get(tool)
      if (redeem !== undefined) return redeem(intent, wait)
      throw new Fault(
        'not_guarded',
        `this client guards no \`${tool}\`, for which \`${intent}\` is`,
      )
    },
  }
}
