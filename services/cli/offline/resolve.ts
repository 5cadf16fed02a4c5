// One line of `policy resolve`, judged alone by the rule chain that the stages use: what triggered
// policies and the answers of people come to. Total: a line that cannot be read is answered with an
// error.
import { z } from 'zod'
import type { ReasonCode } from '#schemas/reasons'
import { firstProblem, unreadable } from '#record/problem'
import { judge, type Judgement } from '#rules/chain/judge'
import type { Violation } from '#rules/chain/violation'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'

export interface ResolvedLine {
  readonly action: 'PASS' | 'BLOCK'
  /** Whether people are asked: never about what is refused whatever they say. */
  readonly asked: boolean
  readonly reason: ReasonCode | null
}

const ResolveLine = z.strictObject({
  violations: z.array(
    z.strictObject({
      requiresConfirmation: z.boolean(),
      callback: z.strictObject({ passed: z.boolean(), message: z.string().nullish() }).nullable(),
    }),
  ),
  /** Null where no one is there to ask. What a person's program answers may be anything. */
  answers: z.unknown(),
})

/**
 * The answer to one line of `policy resolve`. `answers` has one for each violation, since people
 * see all of them; an answer that is not one boolean for each agrees to nothing.
 */
export function policyResolveLine(value: unknown): ResolvedLine | LineRefusal {
  const problem = unreadable(value)
  if (problem !== null) return lineRefusal(problem)
  const parsed = ResolveLine.safeParse(value)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { answers = null } = parsed.data
  const violations = parsed.data.violations.map(({ requiresConfirmation, callback }, index) => ({
    policy: { name: `violations/${index}`, requiresConfirmation },
    source: '',
    target: '',
    message: 'a policy stands against it',
    callback: callback === null ? null : { passed: callback.passed },
  }))
  const alone = judge({ violations })
  const resolved = alone.outcome === 'review' ? afterAsking(violations, answers, alone) : alone
  return {
    action: resolved.outcome === 'allow' ? 'PASS' : 'BLOCK',
    asked: alone.outcome === 'review' && answers !== null,
    reason: resolved.reasons[0]?.code ?? null,
  }
}

function afterAsking(
  violations: readonly Violation[],
  answers: unknown,
  { questions }: Judgement,
): Judgement {
  if (answers === null) return judge({ violations, review: { state: 'no_confirmer' } })
  const agreed =
    Array.isArray(answers) &&
    answers.length === violations.length &&
    answers.every((answer) => answer === true)
  const review = { state: 'answered' as const, answers: questions.map(() => agreed) }
  return judge({ violations, review })
}
