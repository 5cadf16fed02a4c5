// A review with all that a person needs: the call, who asks and why, what is known, the questions,
// until when, and how to answer.
import { constraintsText } from '#present/asking/constraint-text'
import { isPassed, saidBy } from '#present/asking/policy-results'
import { isKnown } from '#knowledge/known/known-value'
import { quoted } from '#record/quote'
import { questionText } from '#present/question-text'
import { foundText } from '#present/asking/value-text'
import { actingText, duration, jsonText, said, utc } from '#present/wording'
import type { ReviewData, TriggeredPolicy } from '#schemas/review'
import { approving, shortIntent } from '#present/approving'
import { demandsText } from '#present/story/people/demands-text'
import { agreedText } from '#present/story/waits'
import type { ReviewRow } from '#schemas/operations/reviews'
import type { Hints } from '#cli/terminal/hint'
import { jsonLines } from '#cli/terminal/json-lines'
import { indented, toned, type Line } from '#cli/terminal/line'
import { wholeText, type ShownWhole } from './whole.ts'

/** With all of what it would write, where that was asked for and is not in the arguments. */
export type ShownReview = ReviewRow & { readonly whole?: ShownWhole }

const labelWidth = 12
/** Enough to compare what two people see; all of it is in `--json` and in the answer. */
const digestShown = 'sha256:'.length + 12

export function reviewLines(shown: ShownReview, now: number, hints: Hints): readonly Line[] {
  const { intent, openedAt, review, cell, known, changes, whole } = shown
  const { shown: call, terms, questions, digest, decideBy } = review
  const { agent } = review.intent
  const short = shortIntent(intent)
  const takesReason = questions.some(({ kind }) => kind === 'justification')
  const left = Date.parse(decideBy) - now
  const until = left < 0 ? 'the time is up' : `${duration(left)} left, until ${utc(decideBy)}`
  const asker = call.owner === null ? 'no one’s agent' : `the agent of ${call.owner}`
  return [
    toned('warn', `REVIEW ${short}  ${terms.capability} for ${agent}`),
    row('opened', `${duration(Math.max(0, now - Date.parse(openedAt)))} ago; ${until}`),
    ...(cell === undefined ? [] : [row('cell', String(cell))]),
    row('call', callText(terms.capability, call)),
    ...block('with', jsonLines(terms.args)),
    ...(whole === undefined ? [] : wholeLines(whole)),
    ...(isEmpty(terms.constraints) ? [] : [row('bound to', constraintsText(terms.constraints))]),
    ...(isEmpty(terms.scope) ? [] : [row('scope', jsonText(terms.scope))]),
    row('good for', `${duration(terms.useWithinMs)} after the last answer`),
    row('asks', `${agent}, ${asker}`),
    ...(terms.chain === undefined ? [] : [row('for whom', actingText(terms.chain))]),
    ...(terms.subject === undefined ? [] : [row('for whom', quoted(terms.subject))]),
    ...(call.goal === null ? [] : [row('goal', said(call.goal))]),
    row('reason', call.justification === null ? 'none given' : said(call.justification)),
    ...changes.map((change) => row('changed', change)),
    ...questions.map((question, index) => row(`question ${index + 1}`, questionText(question))),
    ...(review.values ?? []).filter(isKnown).map((value) => row('value', foundText(value))),
    ...review.policies.filter(isPassed).map((policy) => row('passed', policyText(policy))),
    row('may answer', whoText(review)),
    ...demandRows(review),
    ...shown.handovers.map(({ from, to }) => row('handed over', `${from} asks ${to} to look`)),
    ...answeredRows(shown),
    ...block('known', known),
    toned('dim', row('shown', `${digest.slice(0, digestShown)}…`)),
    toned('dim', row('intent', intent)),
    row('answer', hints(approving(intent, takesReason))),
    row('', hints(`decline ${short}`)),
  ]
}

export function wholeLines(whole: ShownWhole): readonly Line[] {
  return block('all of it', wholeText(whole))
}

function demandRows({ demands }: ReviewData): readonly string[] {
  const text = demands === undefined ? '' : demandsText(demands)
  return text === '' ? [] : [row('demands', text)]
}

// An answer that does not count is not among those who approved.
function answeredRows({ answered, waits }: ShownReview): readonly string[] {
  const others = answered.filter((id) => !waits.agreed.includes(id))
  const approved = agreedText(waits)
  return [
    ...(approved === null ? [] : [row('so far', approved)]),
    ...(others.length === 0 ? [] : [row('answered', others.join(', '))]),
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

function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}

function block(label: string, text: string): readonly Line[] {
  const [first = '', ...rest] = text.split('\n')
  return [row(label, first), ...rest.flatMap((line) => indented(line, labelWidth + 2))]
}

/** A description that only says the name again is left out. */
function callText(
  capability: string,
  { safetyClass, description }: { readonly safetyClass: string; readonly description: string },
): string {
  const says = description === capability ? '' : ` ${description}`
  return `${capability} (${safetyClass})${says}`
}
