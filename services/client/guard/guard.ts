// A guard around a tool: the function runs only on an allow, with exactly the arguments that were
// judged, once, and its outcome is recorded as the agent's own word. It never runs on an error.
import type { JsonObject } from '#schemas/catalog'
import type { VerdictData } from '#schemas/facts'
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import { requestOf } from '#replay/verdicts/request'
import type { WaitOptions, AskOptions, IntentFields, OnAsked } from '../asking.ts'
import { about } from '../intent-fault.ts'
import type { Verdict } from '#replay/verdicts/verdict'
import { argumentsOf, copied } from './arguments.ts'
import {
  callOptions,
  type CallOptions,
  type FrameworkContext,
  callOptionNames,
} from './call-options.ts'
import { finish, noteOutcome, type Noting } from './finishing.ts'
import { joining } from './joining.ts'
import { Refused } from './refused.ts'
import type { Clock } from '#ports/clock'
import type { Fact } from '#ports/log'
import { waitsText } from '#present/story/waits'
import type { Failure } from '../failure.ts'
import { refuseStrangeOptions } from '../strange-options.ts'

// Observe mode: whatever the runtime says, or does not, the function runs with what its caller gave
// it, and what would have been refused is reported.

/** So long a tool that is only observed waits for its verdict, unless it says otherwise. */
const observedWaitMsDefault = 5_000

function observer<A extends object, T>(
  client: GuardClient,
  guarded: GuardedCall<A, T>,
): (args: A, ask: CallOptions) => Promise<T> {
  const { logger } = client
  const { capability, run, options } = guarded
  logger.warn({ capability }, 'observing only: nothing that this guard decides is enforced')
  return async (given, { waitMs = observedWaitMsDefault, ...more }) => {
    const observed = async (): Promise<Verdict | null> => {
      try {
        const judged = copied(given)
        const args = argumentsOf(judged)
        const intent = intentFor(guarded, judged, { ...more, waitMs, args })
        const verdict = await asked(client, guarded, { ...intent, observe: true })
        await traced(client, guarded, verdict)
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
    const verdict = await observed()
    return finish(client, verdict, { run: () => run(given, {}), describe: options.describe })
  }
}

export interface GuardedTool<A extends object, T> {
  (args: A, ask?: CallOptions): Promise<T>
  /** As a framework calls it: what is no option of a call is left alone. */
  (args: A, context: FrameworkContext): Promise<T>
  /**
   * Runs it for an intent that was asked before, such as by a call that ended in `Pending`: once,
   * with the arguments that were judged. It waits for the verdict as `verdict` does.
   */
  redeem(intent: string, wait?: WaitOptions): Promise<T>
}

export function guard<A extends object, T>(
  client: GuardClient,
  guarded: GuardedCall<A, T>,
): GuardedTool<A, T> {
  const { capability, run, options } = guarded
  const { describe } = options
  const observe = options.enforce === false ? observer(client, guarded) : null
  const join = joining<Verdict, T>(({ intent }) => intent)
  const call = async (given: A, second?: CallOptions | FrameworkContext): Promise<T> => {
    const more = callOptions(second)
    if (observe !== null) return observe(given, more)
    // What is judged is what runs: the caller may change its own object meanwhile.
    const judged = copied(given)
    const args = argumentsOf(judged)
    const intent = intentFor(guarded, judged, { ...more, args })
    const key = client.requestKey(fieldsOf(intent), more.session?.id ?? null)
    const { signal } = intent
    return join({
      key,
      brings: intent.justification === undefined ? 'nothing' : 'reason',
      signal,
      ask: async (left) => {
        const of = signal === undefined ? intent : { ...intent, signal: left }
        return traced(client, guarded, await asked(client, guarded, of))
      },
      act: (verdict) => finished(verdict, judged, args),
    })
  }
  const finished = async (verdict: Verdict, judged: A, args: JsonObject): Promise<T> => {
    const { constraints } = await redeemedTerms(client, verdict, { capability, args })
    return finish(client, verdict, { run: () => run(judged, constraints), describe })
  }
  const redeem = async (intent: string, wait: WaitOptions = {}): Promise<T> => {
    const args = await argumentsIn(client, intent, capability)
    const verdict = await traced(
      client,
      guarded,
      await client.verdict(intent, { ...wait, ...traceFirst(client, guarded, wait) }),
    )
    const { constraints } = await redeemedTerms(client, verdict, { capability, args })
    // What was judged is what such a call was given: the log says it again.
    const again: Rerun<T> = { run }
    return finish(client, verdict, { run: () => again.run(args, constraints), describe })
  }
  return Object.assign(call, { redeem })
}

interface Rerun<T> {
  run(args: object, constraints: JsonObject): T | Promise<T>
}

async function argumentsIn(
  { opening }: GuardClient,
  intent: string,
  capability: string,
): Promise<JsonObject> {
  const { tool, args } = requestOf(await opening(intent), intent)
  if (tool === capability) return { ...args }
  throw new Fault('warrant_differs', `\`${intent}\` is for \`${tool}\`, not for \`${capability}\``)
}

/** What acting on a verdict takes. */
type Acting = Pick<GuardClient, 'redeeming' | 'clock' | 'logger'>

/**
 * Redeems the warrant: anyone who binds the name first may act, and only until its last moment.
 * Throws a Fault, or `Refused`, where nothing may run.
 */
export function redeemedTerms(
  client: Acting,
  verdict: Verdict,
  call: { readonly capability: string; readonly args: JsonObject },
): Promise<NonNullable<VerdictData['terms']>> {
  return about(verdict.intent, () => termsOf(client, verdict, call))
}

async function termsOf(
  client: Acting,
  verdict: Verdict,
  call: { readonly capability: string; readonly args: JsonObject },
): Promise<NonNullable<VerdictData['terms']>> {
  const { redeeming, clock } = client
  const { terms, intent } = verdict
  if (verdict.outcome !== 'allow' || terms === null) throw new Refused(verdict, call.capability)
  if (
    terms.capability !== call.capability ||
    terms.argsDigest !== digestOfJson(jsonOf(call.args))
  ) {
    throw new Fault('warrant_differs', `the warrant of \`${intent}\` is for another call`)
  }
  if (terms.executedDigest !== undefined) {
    const what = `\`${call.capability}\` is carried out by a gateway`
    throw new Fault('gateway_only', `${what}: call it there`)
  }
  await redeeming.prove(verdict)
  // A start that comes too late would be a finding of every replay; the log's clock decides. That
  // it is behind is no reason yet.
  const before = redeeming.refusal(verdict, Math.max(clock.now(), verdict.origin.appendedAt))
  if (before !== null) throw before
  const { appended, appendedAt } = await redeeming.start(verdict)
  if (!appended) {
    throw new Fault('warrant_used', `the warrant of \`${intent}\` was used already`)
  }
  // What was bound before the start counts, and only now all of it is known.
  const refused = redeeming.refusal(verdict, appendedAt)
  if (refused !== null) {
    await noteOutcome(client, verdict, { outcome: 'refused', code: refused.code })
    throw refused
  }
  return terms
}

// One call of a guarded tool: what it is given, what it asks for, and what is shown of the answer.

export type Guarded<A, T> = (
  args: A,
  constraints: NonNullable<VerdictData['terms']>['constraints'],
) => T | Promise<T>

export interface GuardOptions<A extends object = object> {
  /** False: everything is decided and recorded as observed, and nothing is stopped. */
  readonly enforce?: boolean
  /** What is recorded of an error that the function threw; its code is what learning asks about. */
  readonly describe?: (error: unknown) => Failure
  /** What must be known for a call with these arguments, beside what the catalog says. */
  readonly concepts?: (args: A) => readonly string[]
  /** Whether a call with these arguments affects a single item or several. */
  readonly cardinality?: (args: A) => IntentFields['cardinality']
  /** How deeply what a call stands for must be known; it only raises what the catalog says. */
  readonly minDepth?: NonNullable<IntentFields['minDepth']>
  /** Called once, when people are asked: return false not to wait for them. */
  readonly onReview?: WaitOptions['onReview']
  /** Called once, when it is held since people may close its gaps: return false not to wait. */
  readonly onLearn?: WaitOptions['onLearn']
  /**
   * Called for each call that is decided, with the reasons and what is known, as text; and before
   * that, right before `onReview` and `onLearn`, where people are asked.
   */
  readonly onTrace?: (trace: DecisionTrace) => void
}

const optionTypes = new Map<string, string>(
  Object.entries({
    enforce: 'boolean',
    describe: 'function',
    concepts: 'function',
    cardinality: 'function',
    minDepth: 'number',
    onReview: 'function',
    onLearn: 'function',
    onTrace: 'function',
  } satisfies Record<keyof GuardOptions, string>),
)

/** Throws a Fault `options_invalid` where one is unknown, or of another type. */
export function checkGuardOptions(options: GuardOptions<never>): void {
  const ofCall = Object.keys(options).find((name) => !optionTypes.has(name))
  if (ofCall !== undefined && callOptionNames.has(ofCall)) {
    const where = 'is given with each call, after its arguments: `tool(args, { … })`'
    throw new Fault('options_invalid', `\`${ofCall}\` ${where}`)
  }
  refuseStrangeOptions(options, optionTypes)
  for (const [name, value] of Object.entries(options)) {
    const type = optionTypes.get(name)
    if (value !== undefined && typeof value !== type) {
      throw new Fault('options_invalid', `\`${name}\` of a guard is a ${type}`)
    }
  }
}

export interface DecisionTrace {
  readonly intent: string
  readonly capability: string
  /** Null where people are asked first. */
  readonly verdict: Verdict | null
  readonly text: string
}

export interface GuardClient extends Noting {
  readonly ask: (intent: IntentFields, options?: AskOptions) => Promise<Verdict>
  readonly verdict: (intent: string, wait: WaitOptions) => Promise<Verdict>
  readonly opening: (intent: string) => Promise<Fact | undefined>
  /** By what equal calls are recognised; null where each has a run of its own. */
  readonly requestKey: (intent: IntentFields, session: string | null) => string | null
  readonly traceText: (verdict: Verdict) => Promise<string>
  /** How it is reported that people are asked, where the caller does not want to know. */
  readonly onReview: OnAsked
  readonly clock: Clock
}

interface GuardedCall<A extends object, T> {
  readonly capability: string
  readonly run: Guarded<A, T>
  readonly options: GuardOptions<A>
}

/** The intent of one call, with what the guard knows of its arguments. */
function intentFor<A extends object, T>(
  { capability, options }: GuardedCall<A, T>,
  judged: A,
  more: CallOptions & { readonly args: JsonObject },
): CallOptions & IntentFields {
  const concepts = [...(options.concepts?.(judged) ?? []), ...(more.concepts ?? [])]
  const cardinality = more.cardinality ?? options.cardinality?.(judged)
  const depths = [options.minDepth, more.minDepth].filter((depth) => depth !== undefined)
  const [minDepth] = depths.toSorted((one, other) => other - one)
  return {
    ...more,
    tool: capability,
    ...(concepts.length > 0 && { concepts: [...new Set(concepts)] }),
    ...(cardinality !== undefined && { cardinality }),
    ...(minDepth !== undefined && { minDepth }),
    onReview: more.onReview ?? options.onReview,
    onLearn: more.onLearn ?? options.onLearn,
  }
}

function asked(
  client: GuardClient,
  guarded: TracedCall,
  call: AskOptions & IntentFields,
): Promise<Verdict> {
  const { session, key, waitMs, message, signal } = call
  return client.ask(fieldsOf(call), {
    ...(session !== undefined && { session }),
    ...(key !== undefined && { key }),
    ...(waitMs !== undefined && { waitMs }),
    ...(message !== undefined && { message }),
    ...(signal !== undefined && { signal }),
    ...traceFirst(client, guarded, call),
  })
}

type Asked = Pick<WaitOptions, 'onReview' | 'onLearn'>
type TracedCall = Pick<GuardedCall<never, unknown>, 'capability'> & {
  readonly options: Pick<GuardOptions<never>, 'onTrace'>
}

/** What is called where people are asked: a trace first, if the guard wants traces. */
function traceFirst(
  { logger, onReview: onReviewDefault }: GuardClient,
  { capability, options: { onTrace } }: TracedCall,
  { onReview = onReviewDefault, onLearn }: Asked,
): Asked {
  if (onTrace === undefined) return { onReview, onLearn }
  const after = (then: OnAsked | undefined): OnAsked => {
    return (waits, intent, known) => {
      const lines = [`It waits for ${waitsText(waits)}.`, ...(known === null ? [] : ['', known])]
      try {
        onTrace({ intent, capability, verdict: null, text: lines.join('\n') })
      } catch (error) {
        logger.error({ intent, error }, 'onTrace threw')
      }
      return then?.(waits, intent, known) ?? true
    }
  }
  return { onReview: after(onReview), onLearn: after(onLearn) }
}

/** What of a call is the intent itself. */
function fieldsOf(call: AskOptions & IntentFields): IntentFields {
  const { session: _, key: _key, waitMs: _wait, message: _said, ...more } = call
  const { onReview: _on, onLearn: _learn, signal: _signal, ...intent } = more
  return intent
}

async function traced<A extends object, T>(
  { traceText, logger }: GuardClient,
  { capability, options: { onTrace } }: GuardedCall<A, T>,
  verdict: Verdict,
): Promise<Verdict> {
  if (onTrace === undefined) return verdict
  const { intent } = verdict
  try {
    onTrace({ intent, capability, verdict, text: await traceText(verdict) })
  } catch (error) {
    logger.error({ intent, error }, 'onTrace threw')
  }
  return verdict
}
