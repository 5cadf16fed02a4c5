// A guard around a tool: the function runs only on an allow, with exactly the arguments that were
// judged, once, and its outcome is recorded as the agent's own word. It never runs on an error.
import type { JsonObject } from '#schemas/catalog'
import type { VerdictData } from '#schemas/facts'
import { Intent as IntentSchema } from '#schemas/intent'
import { jsonOf, type Json } from '#core/kernel/canonical'
import { digestOfJson } from '#core/kernel/digest'
import { Fault } from '#core/kernel/fault'
import { messageLimits } from '#core/messages/check'
import { jsonFault } from '#core/kernel/json'
import { describeJsonFault } from '#core/kernel/json-fault'
import type { Clock } from '#ports/clock'
import type { Logger } from '#runtime/reporting/logger'
import type { AskOptions, IntentFields } from '../asking.ts'
import { describeFailure, failureOf, type Failure } from '../failure.ts'
import type { Redeeming } from './redeeming.ts'
import { Refused } from './refused.ts'
import type { Verdict } from '../verdict.ts'

export type Guarded<A, T> = (
  args: A,
  constraints: NonNullable<VerdictData['terms']>['constraints'],
) => T | Promise<T>

export interface GuardOptions {
  /** False: everything is decided and recorded as observed, and nothing is stopped. */
  readonly enforce?: boolean
  /** What is recorded of an error that the function threw; its code is what learning asks about. */
  readonly describe?: (error: unknown) => Failure
}

interface Client {
  readonly ask: (intent: IntentFields, options?: AskOptions) => Promise<Verdict>
  readonly redeeming: Redeeming
  readonly logger: Logger
  readonly clock: Clock
}

interface GuardedCall<A, T> {
  readonly capability: string
  readonly run: Guarded<A, T>
  readonly options: GuardOptions | undefined
}

type CallOptions = AskOptions & Partial<IntentFields>

export function guard<A extends object, T>(
  client: Client,
  guarded: GuardedCall<A, T>,
): (args: A, ask?: CallOptions) => Promise<T> {
  const { capability, run, options } = guarded
  if (options?.enforce === false) return observer(client, guarded)
  return async (given, more = {}) => {
    // What is judged is what runs: the caller may change its own object meanwhile.
    const judged = structuredClone(given)
    const args = argumentsOf(judged)
    const verdict = await asked(client, { ...more, tool: capability, args })
    const { constraints } = await redeemed(client, verdict, { capability, args })
    return finish(client, verdict, { run: () => run(judged, constraints), options })
  }
}

/** So long a tool that is only observed waits for its verdict, unless it says otherwise. */
const observedWaitMsDefault = 5_000

// Whatever the runtime says, or does not, the function runs with what its caller gave it.
function observer<A extends object, T>(
  client: Client,
  { capability, run, options }: GuardedCall<A, T>,
): (args: A, ask?: CallOptions) => Promise<T> {
  const { logger } = client
  logger.warn({ capability }, 'observing only: nothing that this guard decides is enforced')
  return async (given, { waitMs = observedWaitMsDefault, ...more } = {}) => {
    const observed = async (): Promise<Verdict | null> => {
      try {
        const args = argumentsOf(structuredClone(given))
        const intent = { ...more, waitMs, tool: capability, args, observe: true }
        const verdict = await asked(client, intent)
        if (verdict.outcome === 'deny') {
          const codes = verdict.reasons.map(({ code }) => code)
          logger.warn({ capability, codes }, 'observed: would have been refused')
        }
        return verdict
      } catch (error) {
        logger.warn({ capability, error }, 'observed: no verdict')
        return null
      }
    }
    return finish(client, await observed(), { run: () => run(given, {}), options })
  }
}

function asked(client: Client, call: AskOptions & IntentFields): Promise<Verdict> {
  const { session, waitMs, message, onReview, ...intent } = call
  return client.ask(intent, {
    ...(session !== undefined && { session }),
    ...(waitMs !== undefined && { waitMs }),
    ...(message !== undefined && { message }),
    ...(onReview !== undefined && { onReview }),
  })
}

// What JSON would drop or change would be judged without it, and run with it.
function argumentsOf(given: object): JsonObject {
  const fault = jsonFault(given, messageLimits)
  const parsed = IntentSchema.shape.args.safeParse(given)
  if (fault === null && parsed.success) return { ...parsed.data }
  const why = fault === null ? 'they are not an object' : describeJsonFault(fault)
  throw new Fault('intent_invalid', `the arguments cannot be judged: ${why}`)
}

// Redeems the warrant: anyone who binds the name first may act, and only until its last moment.
async function redeemed(
  client: Client,
  verdict: Verdict,
  call: { readonly capability: string; readonly args: JsonObject },
): Promise<NonNullable<VerdictData['terms']>> {
  const { redeeming, clock } = client
  const { terms, intent } = verdict
  if (verdict.outcome !== 'allow' || terms === null) throw new Refused(verdict)
  if (
    terms.capability !== call.capability ||
    terms.argsDigest !== digestOfJson(jsonOf(call.args))
  ) {
    throw new Fault('warrant_differs', `the warrant of \`${intent}\` is for another call`)
  }
  await redeeming.prove(verdict)
  redeeming.refuseSuspended(intent)
  // A start that comes too late would be a finding of every replay; the log's clock decides.
  if (clock.now() > Date.parse(terms.useBy)) throw expired(terms)
  const { appended, appendedAt } = await redeeming.start(verdict)
  if (!appended) {
    throw new Fault('warrant_used', `the warrant of \`${intent}\` was used already`)
  }
  // Its last moment is of a clock that ran ahead, where the log's was set back since.
  const isReset = appendedAt < verdict.origin.appendedAt - resetMsMin
  if (appendedAt > Date.parse(terms.useBy) || isReset) {
    await note(client, verdict, { outcome: 'refused', code: 'warrant_expired' })
    throw expired(terms)
  }
  return terms
}

/** A start that is so much earlier than its verdict was stamped after the clock was set back. */
const resetMsMin = 5_000

function expired({ useBy }: NonNullable<VerdictData['terms']>): Fault {
  return new Fault('warrant_expired', `the warrant was good until ${useBy}`)
}

async function finish<T>(
  client: Client,
  verdict: Verdict | null,
  {
    run,
    options,
  }: { readonly run: () => T | Promise<T>; readonly options?: GuardOptions | undefined },
): Promise<T> {
  try {
    const value = await run()
    await note(client, verdict, { outcome: 'succeeded' })
    return value
  } catch (error) {
    const failure = failureOf(error, options?.describe ?? describeFailure)
    await note(client, verdict, { outcome: 'failed', ...failure })
    throw error
  }
}

// The function has run: that its outcome could not be written down must not hide what it returned.
async function note(
  { redeeming, logger }: Client,
  verdict: Verdict | null,
  outcome: { readonly [key: string]: Json },
): Promise<void> {
  if (verdict === null) return
  try {
    await redeeming.end(verdict, outcome)
  } catch (error) {
    logger.error({ intent: verdict.intent, error }, 'outcome not recorded')
  }
}
