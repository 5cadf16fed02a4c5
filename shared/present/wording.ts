// How facts are put into words for people: spans and times without a locale, and what others wrote
// cut short. It never says more than the fact does.
import { withoutEnd } from '#record/reading/text-end'
import { canonical, jsonOf } from '#record/canonical'
import { quoted, short } from '#record/quote'

const textCharactersMax = 400

/** What someone wrote, in quotation marks. */
export function said(text: string): string {
  return `“${short(text, textCharactersMax)}”`
}

/** With one end, whether or not it has one. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Several that stand in one sentence, which has one end. */
export function inOneSentence(texts: readonly string[]): string {
  return sentence(texts.map((text) => withoutEnd(text.trimEnd(), /\./)).join('; '))
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

/** Whose call it is, from the first one to the agent: `a` acts for `b`, who acts for `c`. */
export function actingText(chain: readonly string[]): string {
  const [agent = '', ...others] = chain.toReversed().map((id) => quoted(id))
  return `${agent} acts for ${others.join(', who acts for ')}`
}

const plainWord = /^[A-Za-z0-9_./:@%+=,-]+$/

/** The text as one word of a shell. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
