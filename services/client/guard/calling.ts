// One call of a guarded tool: what it is given, what it asks for, and what is shown of the answer.
import type { JsonObject } from '#schemas/catalog'
import type { VerdictData } from '#schemas/facts'
import { Fault } from '#record/fault'
import type { Clock } from '#ports/clock'
import type { Fact } from '#ports/log'
import { waitsText } from '#present/story/waits'
import type { AskOptions, IntentFields, OnAsked, WaitOptions } from '../asking.ts'
import type { Failure } from '../failure.ts'
import type { Verdict } from '#replay/verdicts/verdict'
import { refuseStrangeOptions } from '../strange-options.ts'
import { callOptionNames, type CallOptions } from './call-options.ts'
import type { Noting } from './finishing.ts'

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
  refuseStrangeOptions(options, optionTypes.keys())
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

export interface GuardedCall<A extends object, T> {
  readonly capability: string
  readonly run: Guarded<A, T>
  readonly options: GuardOptions<A>
}

/** The intent of one call, with what the guard knows of its arguments. */
export function intentFor<A extends object, T>(
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

export function asked(
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
export function traceFirst(
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
export function fieldsOf(call: AskOptions & IntentFields): IntentFields {
  const { session: _, key: _key, waitMs: _wait, message: _said, ...more } = call
  const { onReview: _on, onLearn: _learn, signal: _signal, ...intent } = more
  return intent
}

export async function traced<A extends object, T>(
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
