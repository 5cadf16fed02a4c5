// How facts are put into words for people: spans and times without a locale, and what others wrote
// cut short. It never says more than the fact does.
import type { CallbackAnswer, Question } from '#schemas/facts'
import { canonical, jsonOf } from '#core/canonical'
import { quoted, short } from '#core/judge/quote'
import { faultText } from './fault-text.ts'
import { questionAsked } from './reason-text.ts'

const textCharactersMax = 400

/** What somebody wrote, in quotation marks. */
export function said(text: string): string {
  return `“${short(text, textCharactersMax)}”`
}

/** A JSON value on one line. */
export function jsonText(value: unknown, charactersMax = textCharactersMax): string {
  return short(canonical(jsonOf(value)), charactersMax)
}

/** `1 question`, `2 questions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A span of time as people say it; two units at most, and rounded down. */
export function duration(ms: number): string {
  const whole = Math.max(0, Math.floor(ms))
  if (whole < 1_000) return `${whole} ms`
  if (whole < 60_000) return `${(Math.floor(whole / 100) / 10).toFixed(1).replace('.0', '')} s`
  const seconds = Math.floor(whole / 1_000)
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3_600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const
  const first = units.findIndex(([, count]) => count > 0)
  return units
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ')
}

/** `2026-05-01 12:03:11 UTC`. */
export function utc(time: number | string): string {
  const iso = new Date(time).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/** One question as it was put to people, with the rule that wants it. */
export function questionText(question: Question): string {
  const { policy, source, target, callback } = question
  const edge = source === undefined ? '' : ` on ${quoted(source)} → ${quoted(target ?? '')}`
  const rule = policy === undefined ? '' : ` (rule ${quoted(policy)}${edge})`
  const check =
    callback === undefined || callback === null
      ? ''
      : `; its check ${callback.passed ? 'passed' : 'failed'}${whyText(callback.message)}`
  return `${short(questionAsked(question), textCharactersMax)}${rule}${check}`
}

/** What the check of one rule said. */
export function answerText(answer: CallbackAnswer): string {
  const { policy, source, target, passed, applies, fault, message, recorded } = answer
  const rule = `rule ${quoted(policy)} on ${quoted(source)} → ${quoted(target)}`
  const noted = recorded === true ? ', as it answered then' : ''
  if (fault !== undefined) return `${rule}: its check did not run: ${faultText(fault)}${noted}`
  if (applies === false) return `${rule}: does not apply here${whyText(message)}${noted}`
  return `${rule}: ${passed === true ? 'holds' : 'is broken'}${whyText(message)}${noted}`
}

function whyText(message: string | undefined): string {
  return message === undefined ? '' : `: ${short(message, textCharactersMax)}`
}
