// Several evaluations of one request, in as few messages as they fit into: each message is judged
// at one basis, and its verdict has what each of them comes to.
import { hasRules } from '#rules/catalog/rules-version'
import { enforces } from '#rules/catalog/doors/subjects'
import { reasonText } from '#present/reason-text'
import type { Verdict } from '#replay/verdicts/verdict'
import type { EvaluationResult } from '#schemas/facts'
import type { EvaluationAnswer } from '#schemas/http/evaluations'
import { evaluatedMax, type Evaluated } from '#schemas/intent'
import type { DoorAgent } from '#client/doors/door-agent'
import type { Door } from '../door.ts'
import type { Evaluating } from './evaluating.ts'

/** Of one message, so that it and its verdict stay far below what a fact may hold. */
const charactersMax = 12_000

/** Whether they may be: not where each takes a use of its own, or older rules are in force. */
export function mayBeTogether({ runtime }: Door, { principal }: DoorAgent): boolean {
  const { catalog } = runtime.follower.state
  return hasRules(catalog, 'searches') && principal !== null && !enforces(catalog, principal)
}

/** What each comes to, in their order; null for one that has to be asked alone. */
export async function answeredTogether(
  evaluating: Evaluating,
  agent: DoorAgent,
  evaluations: readonly Evaluated[],
): Promise<readonly (EvaluationAnswer | null)[]> {
  const parts = partsOf(evaluations)
  const answers = await Promise.all(parts.map((part) => answeredPart(evaluating, agent, part)))
  return answers.flat()
}

function partsOf(evaluations: readonly Evaluated[]): readonly (readonly Evaluated[])[] {
  const parts: Evaluated[][] = []
  let characters = Infinity
  for (const one of evaluations) {
    const last = parts.at(-1)
    const more = JSON.stringify(one).length
    characters += more
    if (last !== undefined && last.length < evaluatedMax && characters <= charactersMax) {
      last.push(one)
    } else {
      parts.push([one])
      characters = more
    }
  }
  return parts
}

async function answeredPart(
  evaluating: Evaluating,
  agent: DoorAgent,
  part: readonly Evaluated[],
): Promise<readonly (EvaluationAnswer | null)[]> {
  const [first, second] = part
  if (first === undefined || second === undefined) return part.map(() => null)
  const verdict = await evaluating(agent, { tool: first.tool, args: {}, evaluations: [...part] })
  const { results, reasons } = verdict
  // The message itself was refused: then each of them is.
  const refused: EvaluationResult = { outcome: 'deny', reasons: [...reasons] }
  return part.map((_, item) => answerOf(verdict, results?.[item] ?? refused, item))
}

function answerOf(
  { name: id, intent }: Verdict,
  result: EvaluationResult,
  item: number,
): EvaluationAnswer | null {
  const context = { id, intent, item }
  switch (result.outcome) {
    case 'alone':
      return null
    case 'allow':
      return { decision: true, context: { ...context, constraints: result.constraints } }
    case 'deny': {
      const reasons = result.reasons.map((one) => ({ ...one, text: reasonText(one) }))
      return { decision: false, context: { ...context, reasons } }
    }
  }
}
