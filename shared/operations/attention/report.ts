// What the counts come to: rates and times by person and by rule, which rules never change an
// outcome, and what asking costs. A number whose count is zero is null, and never a guess.
import type {
  AttentionAnswer,
  PersonAttention,
  Rates,
  RuleAttention,
} from '#schemas/operations/counts'
import { quantiles } from '../counting/tallies.ts'
import type { AnswerCounts, AttentionCounts, PersonCounts, RuleCounts } from './counted.ts'

export interface AttentionReport extends Pick<AttentionAnswer, 'all' | 'rules'> {
  readonly people: readonly PersonReport[]
}

type PersonReport = Omit<PersonAttention, 'answersLeft'>

/** So many answers a rule must have before it is reported that it changes nothing. */
export const answersMin = 20
const dayMs = 86_400_000

export function attentionReport(counts: AttentionCounts): AttentionReport {
  const { reviews, expired, waitedMs, firstAt, lastAt } = counts
  const days = firstAt === null ? 1 : Math.floor(lastAt / dayMs) - Math.floor(firstAt / dayMs) + 1
  const people = [...counts.people].map(([person, of]) => personReport(person, of, days))
  const rules = [...counts.rules.values()].map(ruleReport)
  return {
    all: { ...ratesOf(counts), reviews, expired, waitedMs },
    people: people.toSorted((one, other) => other.asked - one.asked),
    rules: rules.toSorted((one, other) => other.questions - one.questions),
  }
}

function personReport(person: string, of: PersonCounts, days: number): PersonReport {
  const { asked, unanswered } = of
  const perDay = { mean: asked / days, most: Math.max(0, ...of.days.values()) }
  return { person, ...ratesOf(of), asked, unanswered, perDay }
}

function ruleReport(of: RuleCounts): RuleAttention {
  const { kind, rule, questions, refused, expired } = of
  const rates = ratesOf(of)
  const always = rates.declined === 0 && expired === 0
  return {
    kind,
    rule,
    ...rates,
    questions,
    refused,
    refusedShare: share(refused, questions),
    expired,
    changesNothing: always && rates.answers >= answersMin,
  }
}

function ratesOf({ agreed, declined, quick, waitsMs }: AnswerCounts): Rates {
  const answers = agreed + declined
  const [medianMs = null, p90Ms = null] = quantiles(waitsMs, [0.5, 0.9])
  return {
    answers,
    agreed,
    declined,
    agreedShare: share(agreed, answers),
    quick,
    quickShare: share(quick, answers),
    timeToDecide: { medianMs, p90Ms },
  }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
