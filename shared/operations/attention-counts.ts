// What people make of the questions that they are asked: for who may read all of the log by rule,
// and by person for policy admins alone; for anyone else what they themselves are asked.
import { counted, duration } from '#present/wording'
import { toned, type OnScreen } from '#present/lines'
import {
  attentionAsked,
  type AttentionAnswer,
  type PersonAttention,
  type Rates,
  type RuleAttention,
} from '#schemas/operations/counts'
import { answerBudget } from '#state/slices/attention/answers'
import { answersOf } from './answering.ts'
import { countingAttention, newAttention, type AttentionCounts } from './attention/counted.ts'
import { answersMin, attentionReport } from './attention/report.ts'
import { seenBy } from './attention/seen-by.ts'
import { sectionOf } from './counts.ts'
import { folding, foldsOf, type ToFold } from './counting/folded.ts'
import { meantIn, type MeantOptions } from './finding/filter.ts'
import { meantKnown } from './finding/known-names.ts'
import { firstLogOf, instant, type Asker, type Realm } from './realm.ts'

export const attentionAnswered = answersOf(attentionAsked, {
  async answer({ realm, by }, { limit, ...given }) {
    const { principal, readsAll } = by
    const options = readsAll
      ? await meantKnown(realm, given)
      : { ...meantIn(given, realm.now), askedOf: principal ?? '' }
    const counts = newAttention()
    let from = options.since ?? 0
    const { begin, logs } = foldsOf(realm)
    for (const one of logs) from = Math.max(from, await countedIn(one, counts, options))
    const { catalog } = firstLogOf(realm).state
    const { all, people, rules } = seenBy(attentionReport(counts), viewers(by), catalog)
    return {
      ...begin,
      from: from === 0 ? null : instant(from),
      all,
      people: people.slice(0, limit).map((one) => {
        return { ...one, answersLeft: leastLeft(realm, one.person) }
      }),
      rules: rules.slice(0, limit),
      answersMin,
    }
  },
  shown: (answer) => attentionShown(answer, { people: true, rules: true }),
})

/** Returns from when on it counted. */
async function countedIn(
  one: ToFold,
  counts: AttentionCounts,
  options: MeantOptions,
): Promise<number> {
  const { countAttention } = one.at
  if (countAttention !== undefined) return countAttention(counts, options)
  const count = countingAttention(counts, options)
  const { from } = await folding(one, (fact, folded, state) => count.take(fact, folded, state))
  return from
}

function viewers({ principal, holds = [] }: Asker): readonly string[] {
  return principal === null ? holds : [principal]
}

/** Each cell counts its own questions: that of which the fewest are left. */
function leastLeft({ logs, now }: Realm, person: string): PersonAttention['answersLeft'] {
  const budgets = logs.flatMap(({ state }) => answerBudget(state, person, now) ?? [])
  const [least] = budgets.toSorted((one, other) => one.left - other.left)
  return least === undefined ? null : { perDay: least.perDay, left: least.left }
}

interface AttentionParts {
  readonly people?: boolean | undefined
  readonly rules?: boolean | undefined
}

/** With these of its tables. */
export function attentionShown(
  { all, people, rules }: AttentionAnswer,
  parts: AttentionParts,
): readonly OnScreen[] {
  const { reviews, expired, waitedMs, answers } = all
  if (reviews === 0) return ['no review is meant: no one was asked']
  const [, agreed = '', quick = '', median = '', p90 = ''] = rateTexts(all)
  const counts = [counted(answers, 'answer'), `${agreed} agreed`, `${quick} under 3 s`]
  const times = answers === 0 ? '' : `; median ${median}, 90 % within ${p90}`
  const head = `${counted(reviews, 'review')}, ${expired} expired: ${counts.join(', ')}${times}`
  return [
    toned('strong', head),
    `agents waited ${duration(waitedMs)} for people, all together`,
    ...(parts.people === true ? peopleShown(people) : []),
    ...(parts.rules === true ? rulesShown(rules) : []),
  ]
}

const ratesHead = ['answers', 'agreed', 'under 3 s', 'median', '90 %']
const personHead = ['person', 'asked', 'a day', 'most', 'unanswered', ...ratesHead]
const ruleHead = ['rule', 'questions', 'declined', 'expired', ...ratesHead]

function peopleShown(people: readonly PersonAttention[]): readonly OnScreen[] {
  const whose = 'of people, each sees their own; a policy admin sees all'
  if (people.length === 0) return ['', `${whose}: no key of someone who was asked is here`]
  const rows = people.map((one) => {
    const { person, asked, unanswered, perDay } = one
    const counts = [asked, perDay.mean.toFixed(1), perDay.most, unanswered].map(String)
    return [person, ...counts, ...rateTexts(one)]
  })
  const beyond = people.filter(({ answersLeft }) => answersLeft?.left === 0)
  const tired = 'has given the answers of a day; a yes counts only in a batch'
  const names = beyond.map(({ person }) => person).join(', ')
  const more = beyond.length === 0 ? [] : ['', toned('warn', `${tired}: ${names}`)]
  return [...sectionOf(personHead, rows), ...more]
}

function rulesShown(rules: readonly RuleAttention[]): readonly OnScreen[] {
  const rows = rules.map((one) => {
    const { questions, refusedShare, expired } = one
    const counts = [String(questions), percent(refusedShare), String(expired)]
    return [ruleText(one), ...counts, ...rateTexts(one)]
  })
  const idle = rules.filter(({ changesNothing }) => changesNothing).map(ruleText)
  const never = `answered ${answersMin} times or more, and never declined`
  const more = idle.length === 0 ? [] : ['', toned('warn', `${never}: ${idle.join(', ')}`)]
  return [...sectionOf(ruleHead, rows), ...more]
}

function ruleText({ kind, rule }: Pick<RuleAttention, 'kind' | 'rule'>): string {
  return rule === null ? kind : `${kind} ${rule}`
}

function rateTexts({ answers, agreedShare, quickShare, timeToDecide }: Rates): readonly string[] {
  const { medianMs, p90Ms } = timeToDecide
  const times = [medianMs, p90Ms].map((ms) => (ms === null ? '' : duration(ms)))
  return [String(answers), percent(agreedShare), percent(quickShare), ...times]
}

function percent(part: number | null): string {
  return part === null ? '' : `${Math.round(100 * part)} %`
}
