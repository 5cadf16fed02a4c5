// What Prometheus is given of people’s attention: how they answer, by the rule that asks, and never
// by person. It counts what is folded while this process runs, so a scrape folds nothing.
import {
  attentionTaken,
  quickMsMax,
  type AskingRule,
  type AttentionTaken,
} from '#state/slices/attention/taken'
import type { ObserverContext } from '#runtime/engine/observer'

const answerBuckets = [1, 3, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400]
/** Of more rules the rest is counted together: each is a sequence of its own at Prometheus. */
const rulesMax = 200
/** So many reviews and people are remembered; who was forgotten is counted as not quick. */
const rememberedMax = 10_000

export type AttentionMeters = ReturnType<typeof attentionMeters>

type Labels = Readonly<Record<string, string>>

/** Makes what counts; each has the label of the cell, too. */
export interface MeterMaker {
  readonly counter: (name: string, help: string, labels: readonly string[]) => Counting
  readonly seconds: (name: string, help: string, buckets: readonly number[]) => Timing
}

interface Counting {
  inc(labels: Labels, by?: number): void
}

interface Timing {
  observe(labels: Labels, seconds: number): void
}

export function attentionMeters({ counter, seconds }: MeterMaker) {
  return {
    questions: counter('warrant_questions_total', 'Questions to people, by the rule that asks', [
      'rule',
    ]),
    answers: counter(
      'warrant_question_answers_total',
      'Answers that count to questions to people, by the rule that asks',
      ['rule', 'answer'],
    ),
    expired: counter('warrant_questions_expired_total', 'Questions that no one decided in time', [
      'rule',
    ]),
    quick: counter(
      'warrant_quick_answers_total',
      'Answers within three seconds of the question, or of an answer before by the same person',
      [],
    ),
    seconds: seconds(
      'warrant_answer_seconds',
      'From a review to the answer of a person, both as the log took them',
      answerBuckets,
    ),
  }
}

interface Open {
  readonly openedAt: number
  readonly rules: readonly string[]
}

export function countAttention(
  meters: AttentionMeters,
  { follower }: Pick<ObserverContext, 'follower'>,
  of: Labels,
): void {
  const open = new Map<string, Open>()
  const answeredAt = new Map<string, number>()
  const label = ruleLabels()
  meters.quick.inc(of, 0)
  const take = (taken: AttentionTaken): void => {
    switch (taken.what) {
      case 'asked': {
        const rules = taken.rules.map(label)
        for (const rule of rules) meters.questions.inc({ rule, ...of })
        remember(open, taken.address, { openedAt: taken.at, rules })
        return
      }
      case 'answered': {
        const asked = open.get(taken.address)
        const before = answeredAt.get(taken.confirmer) ?? 0
        remember(answeredAt, taken.confirmer, taken.at)
        if (asked === undefined) return
        for (const [index, yes] of taken.answers.entries()) {
          const rule = asked.rules[index] ?? 'other'
          meters.answers.inc({ rule, answer: yes ? 'yes' : 'no', ...of })
        }
        meters.seconds.observe(of, Math.max(0, taken.at - asked.openedAt) / 1_000)
        if (taken.at - Math.max(asked.openedAt, before) < quickMsMax) meters.quick.inc(of)
        return
      }
      case 'ended': {
        const { rules = [] } = (taken.expired ? open.get(taken.address) : undefined) ?? {}
        for (const rule of rules) meters.expired.inc({ rule, ...of })
        open.delete(taken.address)
      }
    }
  }
  follower.listen((fact, folded, state) => {
    const taken = attentionTaken(fact, folded, state)
    if (taken !== null) take(taken)
  })
}

function ruleLabels(): (rule: AskingRule) => string {
  const known = new Set<string>()
  return ({ kind, rule }) => {
    const text = rule === null ? kind : `${kind} ${rule}`
    if (known.size >= rulesMax && !known.has(text)) return 'other'
    known.add(text)
    return text
  }
}

function remember<T>(into: Map<string, T>, key: string, value: T): void {
  into.delete(key)
  into.set(key, value)
  const [oldest] = into.keys()
  if (into.size > rememberedMax && oldest !== undefined) into.delete(oldest)
}
