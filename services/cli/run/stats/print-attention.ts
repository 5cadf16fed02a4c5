// What people make of the questions that they are asked, as tables.
import { counted, duration } from '#present/wording'
import type { AttentionReport, PersonReport, RuleReport } from '#client/reading/attention/report'
import { answersMin, type Rates } from '#client/reading/attention/report'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

/** And whether a further yes counts only in a batch. */
type PersonShown = PersonReport & { readonly beyondAnswers: boolean }

type Shown = Pick<AttentionReport, 'all'> &
  Partial<Pick<AttentionReport, 'rules'>> & { readonly people?: readonly PersonShown[] }

const ratesHead = ['answers', 'agreed', 'under 3 s', 'median', '90 %']
const personHead = ['person', 'asked', 'a day', 'most', 'unanswered', ...ratesHead]
const ruleHead = ['rule', 'questions', 'declined', 'expired', ...ratesHead]

export function attentionLines({ all, people, rules }: Shown): readonly Line[] {
  const { reviews, expired, waitedMs, answers } = all
  if (reviews === 0) return ['no review is meant: no one was asked']
  const [, agreed = '', quick = '', median = '', p90 = ''] = rateTexts(all)
  const parts = [counted(answers, 'answer'), `${agreed} agreed`, `${quick} under 3 s`]
  const times = answers === 0 ? '' : `; median ${median}, 90 % within ${p90}`
  return [
    toned(
      'strong',
      `${counted(reviews, 'review')}, ${expired} expired: ${parts.join(', ')}${times}`,
    ),
    `agents waited ${duration(waitedMs)} for people, all together`,
    ...(people === undefined ? [] : peopleLines(people)),
    ...(rules === undefined ? [] : ruleLines(rules)),
  ]
}

function peopleLines(people: readonly PersonShown[]): readonly Line[] {
  const whose = 'of people, each sees their own; a policy admin sees all'
  if (people.length === 0) return ['', `${whose}: no key of someone who was asked is here`]
  const rows = people.map((one) => {
    const { person, asked, unanswered, perDay } = one
    const counts = [asked, perDay.mean.toFixed(1), perDay.most, unanswered].map(String)
    return [person, ...counts, ...rateTexts(one)]
  })
  const beyond = people.filter(({ beyondAnswers }) => beyondAnswers).map(({ person }) => person)
  const tired = `has given the answers of a day; a yes counts only in a batch: ${beyond.join(', ')}`
  const more = beyond.length === 0 ? [] : ['', toned('warn', tired)]
  return ['', ...tableLines(personHead, rows), ...more]
}

function ruleLines(rules: readonly RuleReport[]): readonly Line[] {
  const rows = rules.map((one) => {
    const { questions, refusedShare, expired } = one
    const counts = [String(questions), percent(refusedShare), String(expired)]
    return [ruleText(one), ...counts, ...rateTexts(one)]
  })
  const idle = rules.filter(({ changesNothing }) => changesNothing).map(ruleText)
  const never = `answered ${answersMin} times or more, and never declined`
  return [
    '',
    ...tableLines(ruleHead, rows),
    ...(idle.length === 0 ? [] : ['', toned('warn', `${never}: ${idle.join(', ')}`)]),
  ]
}

function ruleText({ kind, rule }: Pick<RuleReport, 'kind' | 'rule'>): string {
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
