// One line of `decide` with the callbacks that it calls, and what it was judged by in full. The
// line is judged once to learn what it calls, and again by the answers.
import { assert } from '#record/fault'
import { callbackAnswers } from '#stages/policies'
import { callbackContext } from '#stages/evidence/evidence'
import type { Violation } from '#rules/chain/violation'
import { reasonText } from '#present/reason-text'
import { questionText } from '#present/question-text'
import type { CallbackAnswer } from '#schemas/callbacks'
import type { Gap } from '#schemas/graph'
import type { Reason } from '#schemas/reasons'
import type { Question } from '#schemas/review'
import type { OpenedCallbacks } from './callback-file.ts'
import { decideLine, judgeLine, type CheckAsked } from './decide.ts'
import type { DecidedLine, JudgedLine, OfflineBase } from './decide.ts'
import type { LineRefusal } from '#cli/terminal/lines'

/** A decided line that says which rule, policy and parameters it came from. */
export interface DetailedLine extends Omit<DecidedLine, 'reasons'> {
  readonly reasons: readonly (Reason & { readonly text: string })[]
  /** What people would be asked. */
  readonly questions: readonly (Question & { readonly text: string })[]
  /** The policies that were triggered and apply, with what their callbacks said. */
  readonly policies: readonly TriedPolicy[]
  /** What is not known well enough. */
  readonly gaps: readonly Gap[]
}

interface TriedPolicy extends Pick<Violation, 'source' | 'target' | 'callback'> {
  readonly policy: string
  readonly requiresConfirmation: boolean
}

export interface CallingBase extends OfflineBase {
  readonly opened: OpenedCallbacks
  /** When a line is asked that does not say it: RFC 3339, UTC. */
  readonly time: string
  readonly details: boolean
}

export async function decideCalling(
  value: unknown,
  base: CallingBase,
): Promise<DecidedLine | DetailedLine | LineRefusal> {
  const asked: CheckAsked[] = []
  const first = judgeLine(value, { ...base, callbacks: (one) => void asked.push(one) })
  if ('error' in first) return first
  const answers = await Promise.all(asked.map((one) => answerOf(one, base)))
  let next = 0
  const answered = {
    ...base,
    callbacks: () => {
      const answer = answers[next]
      next += 1
      assert(answer !== undefined, 'what a line calls does not depend on the answers')
      return answer
    },
  }
  if (!base.details) return decideLine(value, answered)
  const judged = judgeLine(value, answered)
  return 'error' in judged ? judged : detailed(judged)
}

async function answerOf(asked: CheckAsked, base: CallingBase): Promise<CallbackAnswer> {
  const { agent, callback, policy, source, target } = asked
  const { callbacks, module } = base.opened
  const reply = await callbacks.run({
    agent,
    module,
    name: callback,
    context: contextOf(asked, base),
  })
  const placed = { policy: { name: policy }, source, target }
  const [answer] = callbackAnswers([{ policy: placed, callback }], [reply])
  assert(answer !== undefined, 'a call has one answer')
  return answer
}

function contextOf(asked: CheckAsked, base: CallingBase) {
  const { agent, tool, request, ground, session, evidence, position, now } = asked
  return callbackContext({
    agent,
    ground,
    now: base.catalog.now,
    time: now ?? base.time,
    session,
    evidence,
    position,
    request: {
      tool,
      args: request.args ?? undefined,
      constraints: request.constraints ?? undefined,
      goal: request.goal ?? undefined,
      justification: request.justification ?? undefined,
      scope: request.scope ?? undefined,
    },
  })
}

function detailed({ judgement, violations, gaps }: JudgedLine): DetailedLine {
  const { outcome, reasons, questions, constraints } = judgement
  return {
    outcome,
    reasons: reasons.map((reason) => ({ ...reason, text: reasonText(reason) })),
    constraints,
    questions: questions.map((question) => ({ ...question, text: questionText(question) })),
    policies: violations.map(({ policy, source, target, callback }) => {
      const { name, requiresConfirmation } = policy
      return { policy: name, source, target, requiresConfirmation, callback }
    }),
    gaps,
  }
}
