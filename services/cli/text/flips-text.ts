// Which of the last intents would come out differently under another graph, for a person who is
// about to change it.
import type { Flip, WhatIfReport } from '#runtime/what-if/what-if'
import { faultText } from '#present/fault-text'
import { questionText } from '#present/question-text'
import { counted } from '#present/wording'
import { unreachable } from '#core/fault'
import { quoted } from '#core/judge/quote'
import type { TodayReport } from '#runtime/what-if/today'
import type { Gap } from '#schemas/graph'
import { shortIntent } from './hint.ts'
import { toned, type Line, type Tone } from './line.ts'

const flipsShownMax = 20

const tones = {
  allow: 'good',
  ask: 'warn',
  deny: 'bad',
  hold: 'dim',
  cannot_tell: 'warn',
} as const satisfies Record<Flip['after']['outcome'], Tone>

/** A line for each, and how many they are. */
export function flipLines(report: WhatIfReport): readonly Line[] {
  const { tried, unable, flips, faulted } = report
  const left = flips.length - flipsShownMax
  return [
    ...flips.slice(0, flipsShownMax).map(flipLine),
    ...(left > 0 ? [toned('dim', `… and ${left} more`)] : []),
    countText(flips.length, tried),
    // Where a module is not here, no callback answers, and nothing is learned of it.
    ...(faulted === undefined ? [] : [toned('bad', unansweredText(faulted))]),
    ...(unable > 0 ? [toned('dim', `${unable} could not be derived again`)] : []),
  ]
}

/** What is held goes first: it is what a person decides about right now. */
export function todayLines({ held, unsure, ...report }: TodayReport): readonly Line[] {
  const left = held.length - flipsShownMax
  return [
    ...held.slice(0, flipsShownMax).map(heldLine),
    ...(left > 0 ? [toned('dim', `… and ${left} more that wait`)] : []),
    ...flipLines(report),
    ...(unsure > 0
      ? [
          toned(
            'warn',
            `of ${counted(unsure, 'intent')} it cannot tell: a check may answer otherwise`,
          ),
        ]
      : []),
  ]
}

function heldLine({ address, agent, tool, after }: TodayReport['held'][number]): Line {
  const what = `${tool ?? 'no capability'}  (${agent}, ${shortIntent(address)})`
  return toned(tones[after.outcome], `waits → ${heldText(after)}  ${what}`)
}

function heldText({ outcome, reasons, questions, gaps = [] }: Flip['after']): string {
  switch (outcome) {
    case 'allow':
      return 'allow'
    case 'deny':
      return `deny (${reasons.join(', ')})`
    case 'ask':
      return `ask people (${questions.map(questionText).join('; ')})`
    case 'hold':
      return `still waits (${gaps.map(gapText).join(', ')})`
    case 'cannot_tell':
      return 'cannot tell'
    default:
      return unreachable(outcome)
  }
}

function gapText(gap: Gap): string {
  return `${gap.kind} of ${quoted(gap.kind === 'RELATIONAL' ? gap.target : gap.primitive)}`
}

function flipLine({ address, agent, tool, before, after }: Flip): Line {
  const turn = `${before.outcome} → ${after.outcome}`.padEnd('allow → allow'.length)
  const what = `${tool ?? 'no capability'}  (${agent}, ${shortIntent(address)})`
  return toned(tones[after.outcome], `${turn}  ${what}  ${whyText(before, after)}`.trimEnd())
}

function unansweredText({ count, first }: NonNullable<WhatIfReport['faulted']>): string {
  return `of ${counted(count, 'intent')} a callback did not answer: ${faultText(first)}`
}

function whyText(before: Flip['before'], after: Flip['after']): string {
  if (after.questions.length > 0) return after.questions.map(questionText).join('; ')
  if (after.reasons.length > 0) return after.reasons.join(', ')
  return before.reasons.length === 0 ? '' : `no longer ${before.reasons.join(', ')}`
}

function countText(flips: number, tried: number): string {
  if (tried === 0) return 'there is no verdict yet that could come out differently'
  if (tried === 1) return `the last intent comes out ${flips === 0 ? 'the same' : 'differently'}`
  if (flips === 0) return `the last ${tried} intents come out the same`
  return `${flips} of the last ${tried} intents come${flips === 1 ? 's' : ''} out differently`
}
