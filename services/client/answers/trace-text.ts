// What was decided, as text for a log or a prompt: yes or no, why, what it is bound to, and what is
// known of what it is about.
import { explain } from '#present/explain'
import { actingText, jsonText, utc } from '#present/wording'
import type { Verdict } from '#replay/verdicts/verdict'

export function decisionText(verdict: Verdict, known: string | null): string {
  const { outcome, reasons, terms, confirmedBy } = verdict
  const said = explain({ outcome, reasons, questions: [], constraints: terms?.constraints ?? {} })
  return [
    ...said,
    ...(terms?.chain === undefined ? [] : [`${actingText(terms.chain)}.`]),
    ...(confirmedBy.length === 0 ? [] : [`Approved by ${confirmedBy.join(', ')}.`]),
    ...(terms === null ? [] : [`To be used once, until ${utc(terms.useBy)}.`]),
    ...(terms === null || isEmpty(terms.scope) ? [] : [`Scope: ${jsonText(terms.scope)}`]),
    ...(known === null ? [] : ['', known]),
  ].join('\n')
}

function isEmpty(map: { readonly [key: string]: unknown }): boolean {
  return Object.keys(map).length === 0
}
