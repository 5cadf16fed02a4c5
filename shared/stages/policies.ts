// The policies that an intent triggers, what their callbacks are asked, and what the answers make
// of them. Callbacks run elsewhere; nothing that they return is believed before it is parsed.
import { z } from 'zod'
import type { CallbackAnswer, CallbackFault, CallbackReply } from '#schemas/callbacks'
import type { Ground, GroundingData, VerdictData } from '#schemas/facts'
import type { PlacedPolicy } from '#schemas/graph'
import { later } from '#schemas/later'
import { conditionHolds } from '#conditions/condition'
import type { ConditionInput } from '#conditions/input'
import { conditionFault } from '#rules/chain/conditions'
import { render, trigger, type Violation } from '#rules/chain/violation'
import { entriesFor, listeningOf, type Listening } from './evidence/evidence.ts'
import type { Context, View } from './view.ts'

/** One call of a callback: whose policy asks, and what it is given. */
export interface CallbackCall {
  readonly policy: PlacedPolicy
  readonly callback: string
  readonly listening: Listening
}

/** Of a call all that its answer names. */
interface AnsweredCall extends Pick<CallbackCall, 'callback'> {
  readonly policy: Pick<PlacedPolicy, 'source' | 'target'> & {
    readonly policy: { readonly name: string }
  }
}

const Answer = later(() =>
  z.strictObject({
    passed: z.boolean(),
    message: z
      .string()
      .max(2_000)
      .refine((text) => text.isWellFormed())
      .optional(),
    applies: z.boolean().optional(),
  }),
)

const notCalled: CallbackFault = { code: 'not_called', params: {} }
const answerInvalid: CallbackFault = { code: 'answer_invalid', params: {} }

/** The calls that a decision at this view needs, in stored order of the policies. */
export function callbackCalls(
  view: View,
  context: Context,
  asked: Asked,
  time: string,
): CallbackCall[] {
  const found = triggered(asked)
  if (found.length === 0) return []
  const calls: CallbackCall[] = []
  const listenings = new Map<string, Listening>()
  for (const { placed: policy, holds } of found) {
    const { callback } = policy.policy
    if (callback === null || holds !== true) continue
    const received = entriesFor(view, callback)
    const listening =
      listenings.get(received) ??
      listeningOf(view, context, { ground: asked.ground, callback, time })
    listenings.set(received, listening)
    calls.push({ policy, callback, listening })
  }
  return calls
}

/** A check that is not run, since it is refused whatever it would say. */
export type LeftOut = NonNullable<VerdictData['notRun']>[number]

const noneLeftOut: readonly LeftOut[] = []

/** All checks that are triggered. */
export function checksOf(asked: AskedPolicies): readonly LeftOut[] {
  const found = triggered(asked)
  if (found.length === 0) return noneLeftOut
  return found.flatMap(({ placed, holds }) => {
    const { source, target } = placed
    const { name: policy, callback } = placed.policy
    return callback === null || holds !== true ? [] : [{ policy, source, target, callback }]
  })
}

/** What the policies of a call go by. */
export interface AskedPolicies {
  readonly ground: Pick<Ground, 'policies'> | null
  readonly cardinality: GroundingData['cardinality']
  /** What conditions read; null where the request cannot be read. */
  readonly input: ConditionInput | null
  /** The same of those whom the agent acts for: what applies to one of them applies. */
  readonly others?: readonly (ConditionInput | null)[]
}

/** The same of an intent, with all that is known of it. */
export interface Asked extends AskedPolicies {
  readonly ground: Ground | null
}

/** `holds`: of its condition, if it has one; or why that is not known. */
interface Triggered {
  readonly placed: PlacedPolicy
  readonly holds: true | CallbackFault
}

const noneTriggered: readonly Triggered[] = []
const known = new WeakMap<AskedPolicies, readonly Triggered[]>()

/** Those whose condition does not hold do not apply, and are left out. */
function triggered(asked: AskedPolicies): readonly Triggered[] {
  if ((asked.ground?.policies ?? []).length === 0) return noneTriggered
  const before = known.get(asked)
  if (before !== undefined) return before
  const found = triggeredNow(asked)
  known.set(asked, found)
  return found
}

function triggeredNow({ ground, cardinality, input, others = [] }: AskedPolicies) {
  return trigger(ground?.policies ?? [], cardinality).flatMap((placed): readonly Triggered[] => {
    const { when } = placed.policy
    if (when === undefined) return [{ placed, holds: true }]
    const found = [input, ...others].map((one) => holdsFor(when, one))
    const fault = found.find((holds) => typeof holds !== 'boolean')
    if (fault !== undefined) return [{ placed, holds: fault }]
    return found.includes(true) ? [{ placed, holds: true }] : []
  })
}

function holdsFor(when: string, input: ConditionInput | null): boolean | CallbackFault {
  const holds = input === null ? 'condition_failed' : conditionHolds(when, input)
  return typeof holds === 'boolean' ? holds : conditionFault(holds)
}

/** The answers as facts keep them. */
export function callbackAnswers(
  calls: readonly AnsweredCall[],
  replies: readonly CallbackReply[],
): CallbackAnswer[] {
  return calls.map(({ policy, callback }, index) => {
    const base = {
      callback,
      policy: policy.policy.name,
      source: policy.source,
      target: policy.target,
    }
    const reply = replies[index] ?? { fault: notCalled }
    if ('fault' in reply) {
      const { fault, recorded } = reply
      return { ...base, fault, ...(recorded === true && { recorded }) }
    }
    const parsed = Answer.safeParse(reply.answer)
    if (!parsed.success) {
      return { ...base, fault: answerInvalid, ...(reply.recorded && { recorded: true }) }
    }
    return { ...base, ...parsed.data, ...(reply.recorded && { recorded: true }) }
  })
}

/** Of the answers those that a replay cannot derive; nothing where there are none. */
export function lookedOutside(answers: readonly CallbackAnswer[]) {
  const callbacks = answers.filter(({ recorded }) => recorded === true)
  return callbacks.length === 0 ? {} : { callbacks }
}

/**
 * The triggered policies with their answers; not one whose callback reports that it does not apply.
 */
export function violationsOf(
  asked: AskedPolicies,
  answers: readonly CallbackAnswer[],
): Violation[] {
  const violations: Violation[] = []
  const left = [...answers]
  for (const { placed, holds } of triggered(asked)) {
    const { policy, source, target } = placed
    const message = render(policy, source)
    const applies = policy.when === undefined ? {} : { applies: true as const }
    const base = { policy, source, target, message, ...applies }
    if (holds !== true) {
      violations.push({ ...base, callback: { fault: holds } })
    } else if (policy.callback === null) {
      violations.push({ ...base, callback: null })
    } else {
      const answer = takeAnswer(left, placed)
      if (answer?.applies === false) continue
      violations.push({ ...base, callback: resultOf(answer) })
    }
  }
  return violations
}

function takeAnswer(
  left: CallbackAnswer[],
  { policy, source, target }: PlacedPolicy,
): CallbackAnswer | undefined {
  const at = left.findIndex((one) => {
    return one.policy === policy.name && one.source === source && one.target === target
  })
  return at === -1 ? undefined : left.splice(at, 1)[0]
}

function resultOf(answer: CallbackAnswer | undefined): NonNullable<Violation['callback']> {
  if (answer?.passed === undefined) return { fault: answer?.fault ?? notCalled }
  return {
    passed: answer.passed,
    ...(answer.message !== undefined && { message: answer.message }),
  }
}
