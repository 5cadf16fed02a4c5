// Whether a case came to what was expected, and where it did not.
import { canonical, jsonOf } from '#record/canonical'
import { gapName } from '#present/gap'
import { questionText } from '#present/question-text'
import { reasonText } from '#present/reason-text'
import { jsonText } from '#present/wording'
import type { Reason } from '#schemas/reasons'
import type { Question } from '#schemas/review'
import type { ExpectedOutcome } from './case-format.ts'
import type { CameTo } from '#replay/what-if/came-to'

type Expected = string | Readonly<Record<string, unknown>>

/** One line for each thing that differs; none where nothing does. */
export function differencesOf(came: CameTo, expected: ExpectedOutcome): readonly string[] {
  const { outcome, reasons, questions, confirmers, constraints, gaps } = expected
  const lines: string[] = []
  if (outcome !== came.outcome) lines.push(`expected ${outcome}, and it is ${outcomeText(came)}`)
  if (reasons !== undefined && !allFit(reasons, came.reasons, fitsReason)) {
    lines.push(`expected the reasons ${listText(reasons)}, and they are ${reasonsText(came)}`)
  }
  if (questions !== undefined && !allFit(questions, came.questions, fitsQuestion)) {
    lines.push(`expected the questions ${listText(questions)}, and they are ${questionsText(came)}`)
  }
  if (confirmers !== undefined && !areSame(confirmers, came.confirmers)) {
    lines.push(
      `expected the confirmers ${listText(confirmers)}, and they are ${listText(came.confirmers)}`,
    )
  }
  if (constraints !== undefined && !fits(constraints, came.constraints)) {
    const bound = jsonText(came.constraints)
    lines.push(`expected the constraints ${jsonText(constraints)}, and they are ${bound}`)
  }
  if (gaps !== undefined && !areSame(gaps, gapsOf(came))) {
    lines.push(`expected the gaps ${listText(gaps)}, and they are ${listText(gapsOf(came))}`)
  }
  return lines
}

/** Such as `deny (policy_blocked: it goes outside)`. */
export function outcomeText(came: CameTo): string {
  if (came.reasons.length > 0) return `${came.outcome} (${reasonsText(came)})`
  return came.questions.length > 0 ? `${came.outcome} (${questionsText(came)})` : came.outcome
}

function gapsOf({ grounding }: CameTo): readonly string[] {
  return (grounding?.ground?.gaps ?? []).map((gap) => {
    return 'primitive' in gap ? gap.primitive : `${gap.source} → ${gap.target}`
  })
}

function allFit<T>(
  expected: readonly Expected[],
  actual: readonly T[],
  isFit: (one: Expected, other: T) => boolean,
): boolean {
  if (expected.length !== actual.length) return false
  return actual.every((other, index) => {
    const one = expected[index]
    return one !== undefined && isFit(one, other)
  })
}

function fitsReason(expected: Expected, reason: Reason): boolean {
  return typeof expected === 'string' ? reason.code === expected : fits(expected, reason)
}

function fitsQuestion(expected: Expected, question: Question): boolean {
  if (typeof expected !== 'string') return fits(expected, question)
  const { kind, policy, rule, message } = question
  return [policy, rule, message, kind].includes(expected)
}

/** Whether the value has all that is expected; lists are compared whole. */
function fits(expected: unknown, value: unknown): boolean {
  if (!isMap(expected) || !isMap(value)) return same(expected, value)
  return Object.entries(expected).every(([key, part]) => {
    return Object.hasOwn(value, key) && fits(part, value[key])
  })
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function same(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return same(one.toSorted(), other.toSorted())
}

function listText(items: readonly unknown[]): string {
  if (items.length === 0) return 'none'
  return items.map((item) => (typeof item === 'string' ? item : jsonText(item))).join(', ')
}

function reasonsText({ reasons, grounding }: CameTo): string {
  if (reasons.length === 0) return 'none'
  const gaps = (grounding?.ground?.gaps ?? []).map(gapName).join(', ')
  return reasons
    .map((reason) => {
      const what =
        reason.code === 'ungrounded' ? `${reasonText(reason)}: ${gaps}` : reasonText(reason)
      return `${reason.code}: ${what}`
    })
    .join('; ')
}

function questionsText({ questions }: CameTo): string {
  return questions.length === 0 ? 'none' : questions.map(questionText).join('; ')
}
