// What a caller is answered: a verdict, or what an intent without one waits for, as JSON and with
// the text that a language model can be given.
import { digestOfJson } from '#record/digest'
import { jsonOf } from '#record/canonical'
import { reasonText } from '#present/reason-text'
import { modelText, pendingModelText } from '#present/story/for-model'
import { waitsJson, type Waits } from '#present/story/waits'
import type { Verdict } from '#replay/verdicts/verdict'
import type { z } from 'zod'
import type { DecidedAnswer, WaitingAnswer } from '#schemas/http/bodies'

export type DecidedBody = z.output<typeof DecidedAnswer>
export type WaitingBody = z.output<typeof WaitingAnswer>

export function decidedAnswer(verdict: Verdict, tool: string): DecidedBody {
  const { intent, outcome, reasons, gaps, terms, observed, confirmedBy, name } = verdict
  const { position, origin, grants } = verdict
  return {
    intent,
    state: 'decided',
    outcome,
    reasons: reasons.map((one) => ({ ...one, params: { ...one.params }, text: reasonText(one) })),
    gaps: gaps.map((gap) => ({ ...gap })),
    terms: terms === null ? null : { ...terms },
    observed,
    confirmedBy: [...confirmedBy],
    verdict: name,
    position,
    origin: { ...origin },
    ...(grants !== undefined && { grants: grants.map((one) => ({ ...one })) }),
    forModel: outcome === 'deny' ? modelText(tool, reasons, gaps) : null,
  }
}

export function waitingAnswer(intent: string, waits: Waits): WaitingBody {
  const command = `warrant approve ${intent}`
  const { people, agreed, ...rest } = waitsJson(waits)
  return {
    intent,
    state: 'waiting',
    waits: { ...rest, people: [...people], agreed: [...agreed] },
    links: { self: pathOf(intent), ...(waits.for === 'people' && { approve: command }) },
    forModel: pendingModelText(waits),
  }
}

/** Where an intent is found on this server. */
export function pathOf(intent: string): string {
  return `/v1/intents/${encodeURIComponent(intent)}`
}

/** Changes with what the answer says. */
export function etagOf(answer: DecidedBody | Waits): string {
  if ('position' in answer) return `"v${answer.position}"`
  return `"w${digestOfJson(jsonOf({ ...answer })).slice(7, 27)}"`
}
