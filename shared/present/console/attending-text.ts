// What the page says of a person’s attention: how many answers are left, and what people make of
// the questions that they are asked.
import { counted, duration } from '../wording.ts'

export const attendingLabels = {
  together: 'Answer several together',
  goOn: 'Go on with what was begun',
  again: 'The next one counts from',
  waits: 'A review waits for you',
  notified: {
    title: 'Notifications',
    lead: 'A message when a review waits for you. It opens this page and decides nothing.',
    subscribe: 'Notify me in this browser',
    here: 'this browser',
    remove: 'Stop',
  },
} as const

/** Of the view of what people make of the questions that they are asked. */
export const attentionLabels = {
  lead: 'What people make of the reviews they are asked for. It measures tiredness, not honesty.',
  none: 'No one was asked anything in that time.',
  period: 'How far back',
  since: 'Since',
  days: { 7: '7 days', 30: '30 days', 90: '90 days' },
  all: {
    reviews: 'Reviews',
    expired: 'Expired',
    agreed: 'Agreed',
    quick: 'Under 3 s',
    median: 'Time to decide',
    waited: 'Agents waited',
  },
  p90: '90 % within',
  people: {
    title: 'People',
    whose: 'Each sees their own; a policy admin sees all.',
    person: 'Person',
    asked: 'Asked',
    perDay: 'A day',
    most: 'Most',
    answers: 'Answers',
    agreed: 'Agreed',
    quick: 'Under 3 s',
    median: 'Median',
    unanswered: 'Unanswered',
    left: 'Left today',
  },
  rules: {
    title: 'Rules',
    rule: 'Rule',
    questions: 'Questions',
    refused: 'Declined',
    expired: 'Expired',
    answers: 'Answers',
    quick: 'Under 3 s',
    median: 'Median',
    idle: 'never changes an outcome',
  },
} as const

/** `40 %`; a dash where nothing was counted. */
export function shareText(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`
}

export function spanText(ms: number | null): string {
  return ms === null ? '–' : duration(ms)
}

/** What it asks, and by which name. */
export function askingRuleText({ kind, rule }: { kind: string; rule: string | null }): string {
  const plain = kind.replaceAll('_', ' ')
  return rule === null ? plain : `${rule} (${plain})`
}

/** Rules that cost attention and prevent nothing. */
export function idleText(rules: number, answersMin: number): string {
  const often = `answered ${answersMin} times or more, never declined, none expired`
  const does = rules === 1 ? 'never changes' : 'never change'
  const fix = 'Write the condition narrower, or grant it.'
  return `${counted(rules, 'rule')} ${does} an outcome: ${often}. ${fix}`
}

interface Left {
  readonly cell?: number | undefined
  readonly perDay: number
  readonly left: number
}

/** Such as `12 of 40 answers of 24 hours are left`. */
export function answersLeftText({ cell, perDay, left }: Left): string {
  const where = cell === undefined ? '' : `Cell ${cell}: `
  return `${where}${left} of ${counted(perDay, 'answer')} in 24 hours left`
}

/** What can be done beyond them. */
export function beyondText(unfinished: number): string {
  if (unfinished === 0) return 'You may decline, or answer several together.'
  return `You may decline, or go on with the ${unfinished} that you began to answer together.`
}
