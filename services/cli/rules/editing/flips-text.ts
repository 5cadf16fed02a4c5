// What a change would do today, for a person who is about to make it: which of the last intents
// would come out differently, and what becomes of those that wait.
import { faultText } from '#present/fault-text'
import { gapName } from '#present/gap'
import { questionText } from '#present/question-text'
import { counted } from '#present/wording'
import { unreachable } from '#record/fault'
import { refusalText } from '#client/what-turned'
import type { Flip, TodayReport } from '#replay/what-if/today'
import { shortIntent } from '#present/approving'
import { indentedLines, toned, type Line, type Tone } from '#cli/terminal/line'

const flipsShownMax = 20
const toolsShownMax = 5

const tones = {
  allow: 'good',
  ask: 'warn',
  deny: 'bad',
  hold: 'dim',
  cannot_tell: 'warn',
} as const satisfies Record<Flip['after']['outcome'], Tone>

/**
 * Of a ruling: each that waits for it is listed. What waits goes first, since it is what a person
 * decides about right now.
 */
export function todayLines(report: TodayReport): readonly Line[] {
  const { held } = report
  return [...shownLines(held.map(heldLine), 'more that wait'), ...triedLines(report)]
}

/** Of any other change: of what is held, only what it releases on is listed. */
function changeLines(report: TodayReport): readonly Line[] {
  const going = report.held.filter(({ after }) => after.outcome !== 'hold')
  const still = report.held.length - going.length
  return [
    ...shownLines(going.map(heldLine), 'more that wait'),
    ...(still > 0 ? [toned('dim', `${counted(still, 'held intent')} would wait as before`)] : []),
    ...triedLines(report),
  ]
}

/** Of a change that is only tried; nothing where no preview is wanted. */
export function dryRunLines(report: TodayReport | null): readonly Line[] {
  return report === null ? [] : ['and then today', ...indentedLines(changeLines(report))]
}

function triedLines(report: TodayReport): readonly Line[] {
  const { unable, unsure, flips, reviews, reviewsTried, leftOut, faulted } = report
  const isUnchanged = reviewsTried > 0 && reviews.length === 0
  return [
    ...shownLines(reviews.map(reviewLine), 'more open reviews'),
    ...(isUnchanged ? [toned('dim', reviewsText(reviewsTried))] : []),
    ...shownLines(flips.map(flipLine), 'more'),
    countText(report),
    ...(unsure > 0 ? [toned('warn', unsureText(report))] : []),
    // Where a module is not here, no callback answers, and nothing is learned of it.
    ...(faulted === undefined ? [] : [toned('bad', unansweredText(faulted))]),
    ...(unable > 0 ? [toned('dim', `${unable} could not be derived again`)] : []),
    ...(leftOut > 0 ? [toned('dim', `${leftOut} more that wait were not tried`)] : []),
  ]
}

function shownLines(lines: readonly Line[], more: string): readonly Line[] {
  const left = lines.length - flipsShownMax
  const shown = lines.slice(0, flipsShownMax)
  return left > 0 ? [...shown, toned('dim', `… and ${left} ${more}`)] : shown
}

function heldLine({ after, ...named }: TodayReport['held'][number]): Line {
  return toned(tones[after.outcome], `waits → ${heldText(after)}  ${whatText(named)}`)
}

function heldText({ outcome, questions, gaps = [], ...why }: Flip['after']): string {
  switch (outcome) {
    case 'allow':
      return 'allow'
    case 'deny':
      return `deny (${refusalText(why)})`
    case 'ask':
      return `ask people (${questions.map(questionText).join('; ')})`
    case 'hold':
      return `still waits (${gaps.map(gapName).join(', ')})`
    case 'cannot_tell':
      return 'cannot tell'
    default:
      return unreachable(outcome)
  }
}

function reviewLine({ after, ...named }: TodayReport['reviews'][number]): Line {
  const then = after.outcome === 'ask' ? `asked again (${asksText(after)})` : heldText(after)
  return toned(tones[after.outcome], `once agreed → ${then}  ${whatText(named)}`)
}

function reviewsText(tried: number): string {
  const which = tried === 1 ? 'the open review' : `each of the ${tried} open reviews`
  return `an approval of ${which} would stay valid`
}

function flipLine({ before, after, ...named }: Flip): Line {
  const turn = `${before.outcome} → ${after.outcome}`.padEnd('allow → allow'.length)
  return toned(
    tones[after.outcome],
    `${turn}  ${whatText(named)}  ${whyText(before, after)}`.trim(),
  )
}

function whatText({ address, agent, tool }: Pick<Flip, 'address' | 'agent' | 'tool'>): string {
  return `${tool ?? 'no tool'}  (${agent}, ${shortIntent(address)})`
}

function whyText(before: Flip['before'], after: Flip['after']): string {
  if (after.questions.length > 0) return asksText(after)
  if (after.reasons.length > 0) return refusalText(after)
  return before.reasons.length === 0 ? '' : `no longer ${refusalText(before)}`
}

function asksText({ questions }: Flip['after']): string {
  return questions.map(questionText).join('; ')
}

function unsureText({ unsure, cannotTell }: TodayReport): string {
  const tools = [...new Set(cannotTell.map(({ tool }) => tool ?? 'no tool'))]
  const which = tools.slice(0, toolsShownMax).join(', ')
  const more = tools.length > toolsShownMax ? ', …' : ''
  const why = 'a check may answer otherwise'
  return `of ${counted(unsure, 'intent')} it cannot tell: ${why} (${which}${more})`
}

function unansweredText({ count, first }: NonNullable<TodayReport['faulted']>): string {
  return `of ${counted(count, 'intent')} a callback did not answer: ${faultText(first)}`
}

function countText({ tried, unsure, flips: { length: flips } }: TodayReport): string {
  if (tried === 0) return 'there is no verdict yet that could come out differently'
  if (flips === 0 && unsure > 0) return 'nothing is known to come out differently'
  if (tried === 1) return `the last intent comes out ${flips === 0 ? 'the same' : 'differently'}`
  if (flips === 0) return `the last ${tried} intents come out the same`
  return `${flips} of the last ${tried} intents come${flips === 1 ? 's' : ''} out differently`
}
