// A review on a screen: the call, who asks and why, what is known, the questions, and until when;
// of one that is decided, what came of it. Of several, so much that one of them can be chosen.
import { isKnown } from '#knowledge/known/known-value'
import { shortIntent } from '#present/approving'
import { constraintTexts } from '#present/asking/constraint-text'
import { isPassed, saidBy } from '#present/asking/policy-results'
import { foundText } from '#present/asking/value-text'
import { lineArguments } from '#present/console/row-text'
import { jsonLines } from '#present/json-lines'
import { indented, toned, type Line } from '#present/lines'
import { questionText } from '#present/question-text'
import { demandsText } from '#present/story/demands-text'
import { agreedText, waitsText } from '#present/story/waits'
import { actingText, duration, jsonText, said, utc } from '#present/wording'
import { quoted, short } from '#record/quote'
import type { ReviewRow, ReviewShown } from '#schemas/operations/reviews'
import type { ReviewData, TriggeredPolicy } from '#schemas/review'

const labelWidth = 12
/** Enough to compare what two people see; all of it is in `--json` and in the answer. */
const digestShown = 'sha256:'.length + 12

type Shown = Omit<ReviewRow, 'waits' | 'handovers'> & {
  readonly waits: ReviewShown['waits']
  readonly handovers: readonly { readonly from: string; readonly to: string }[]
}

/** `now`: in milliseconds since 1970. */
export function reviewOnScreen(shown: Shown, now: number): readonly Line[] {
  const { intent, openedAt, review, cell, known, changes } = shown
  const { shown: call, terms, questions, digest, decideBy } = review
  const { agent } = review.intent
  const bound = constraintTexts(terms.constraints, call.safetyClass)
  const left = Date.parse(decideBy) - now
  const until = left < 0 ? 'the time is up' : `${duration(left)} left, until ${utc(decideBy)}`
  const asker = call.owner === null ? 'no one’s agent' : `the agent of ${call.owner}`
  return [
    toned('warn', `REVIEW ${shortIntent(intent)}  ${terms.capability} for ${agent}`),
    reviewLine('opened', `${duration(Math.max(0, now - Date.parse(openedAt)))} ago; ${until}`),
    ...(cell === undefined ? [] : [reviewLine('cell', String(cell))]),
    reviewLine('call', callText(terms.capability, call)),
    ...reviewBlock('with', jsonLines(terms.args)),
    ...(bound.length === 0 ? [] : [reviewLine('bound to', bound.join('; '))]),
    ...(isEmpty(terms.scope) ? [] : [reviewLine('scope', jsonText(terms.scope))]),
    reviewLine('good for', `${duration(terms.useWithinMs)} after the last answer`),
    reviewLine('asks', `${agent}, ${asker}`),
    ...(terms.chain === undefined ? [] : [reviewLine('for whom', actingText(terms.chain))]),
    ...(terms.subject === undefined ? [] : [reviewLine('for whom', quoted(terms.subject))]),
    ...(call.goal === null ? [] : [reviewLine('goal', said(call.goal))]),
    reviewLine('reason', call.justification === null ? 'none given' : said(call.justification)),
    ...changes.map((change) => reviewLine('changed', change)),
    ...questions.map((question, index) =>
      reviewLine(`question ${index + 1}`, questionText(question)),
    ),
    ...(review.values ?? []).filter(isKnown).map((value) => reviewLine('value', foundText(value))),
    ...review.policies.filter(isPassed).map((policy) => reviewLine('passed', policyText(policy))),
    reviewLine('may answer', whoText(review)),
    ...demandRows(review),
    ...shown.handovers.map(({ from, to }) =>
      reviewLine('handed over', `${from} asks ${to} to look`),
    ),
    ...answeredRows(shown),
    ...reviewBlock('known', known),
    toned('dim', reviewLine('shown', `${digest.slice(0, digestShown)}…`)),
    toned('dim', reviewLine('intent', intent)),
  ]
}

const callCharactersMax = 70
const partsCharactersMax = 320

/** In two lines: the call; until when, for whom, and why a person is asked. */
export function reviewInShort(row: ReviewRow, now: number): readonly Line[] {
  const { intent, openedAt, review, cell, waits } = row
  const { terms, questions, decideBy } = review
  const given = lineArguments({ args: terms.args, argsBytes: 0 })
  const call = `${terms.capability}${given === '{}' ? '' : ` (${given})`}`
  const [age, left] = [now - Date.parse(openedAt), Date.parse(decideBy) - now]
  const id = shortIntent(intent)
  const parts = [
    `${duration(age)} ago, ${left < 0 ? 'the time is up' : `${duration(left)} left`}`,
    ...(cell === undefined ? [] : [`cell ${cell}`]),
    waitsText({ ...waits, until: null }),
    ...questions.map((question) => questionText(question)),
  ]
  return [
    toned('warn', `${id}  ${short(`${review.intent.agent} ${call}`, callCharactersMax)}`),
    `${' '.repeat(8)}  ${short(parts.join('; '), partsCharactersMax)}`,
  ]
}

/** With each answer, and what came of it. */
export function shownReviewOnScreen(shown: ReviewShown, now: number): readonly Line[] {
  const { state, answers, verdict } = shown
  return [
    ...reviewOnScreen(shown, now),
    reviewLine('state', state),
    ...answers.map(({ data, counts, appendedAt }) => {
      const word = data.answers.every((yes) => yes) ? 'agrees' : 'declines'
      const noted = data.note === undefined ? '' : `: ${said(data.note)}`
      const isVoid = counts ? '' : ' (counts for nothing)'
      return reviewLine('answer', `${data.confirmer} ${word}, ${utc(appendedAt)}${isVoid}${noted}`)
    }),
    ...(verdict === null
      ? []
      : [reviewLine('verdict', `${verdict.data.outcome}  ${verdict.name}`)]),
  ]
}

function demandRows({ demands }: ReviewData): readonly string[] {
  const text = demands === undefined ? '' : demandsText(demands)
  return text === '' ? [] : [reviewLine('demands', text)]
}

// An answer that does not count is not among those who approved.
function answeredRows({ answered, waits }: Shown): readonly string[] {
  const others = answered.filter((id) => waits?.agreed.includes(id) !== true)
  const approved = waits === null ? null : agreedText(waits)
  return [
    ...(approved === null ? [] : [reviewLine('so far', approved)]),
    ...(others.length === 0 ? [] : [reviewLine('answered', others.join(', '))]),
  ]
}

function isEmpty(map: { readonly [key: string]: unknown }): boolean {
  return Object.keys(map).length === 0
}

function policyText(triggered: TriggeredPolicy): string {
  const { policy, source, target } = triggered
  const words = saidBy(triggered)
  return `${policy} on ${source} → ${target}${words === null ? '' : `: ${said(words)}`}`
}

function whoText({ tier, confirmers, quorum, excluded, terms }: ReviewData): string {
  const names = confirmers.join(', ')
  const whose = terms.subject === undefined ? 'its owner' : `the owner of ${quoted(terms.subject)}`
  if (tier === 'confirm') return `${names}, ${whose}`
  const others = excluded.length === 0 ? '' : ` (not ${excluded.join(', ')}: on the agent’s side)`
  return `${quorum} of ${names}${others}`
}

export function reviewLine(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}

export function reviewBlock(label: string, text: string): readonly Line[] {
  const [first = '', ...rest] = text.split('\n')
  return [reviewLine(label, first), ...rest.flatMap((line) => indented(line, labelWidth + 2))]
}

/** A description that only says the name again is left out. */
function callText(
  capability: string,
  { safetyClass, description }: { readonly safetyClass: string; readonly description: string },
): string {
  const says = description === capability ? '' : ` ${description}`
  return `${capability} (${safetyClass})${says}`
}
