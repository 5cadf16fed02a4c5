// A counted use as a draft. Which number is free is read off the fold; who takes it is settled by
// the name, so the limit is exact under any number of workers.
import type { RateData } from '#schemas/facts'
import type { UseKind } from '#schemas/kinds'
import type { CallbackAnswer } from '#schemas/callbacks'
import type { Draft } from '../kernel/event.ts'
import { nameOf, token } from '../kernel/names.ts'
import { usesLimit } from './case.ts'
import { lookedOutside } from './policies.ts'
import type { Uses } from '../state/uses.ts'
import type { View } from './view.ts'

/** The use that the intent must take before it is allowed; null where it needs none or has it. */
export function rateDraft(view: View, answers: readonly CallbackAnswer[]): Draft<'rate'> | null {
  const data = view.intent.used ? null : useOf(view, view.uses, answers)
  if (data === null) return null
  return { kind: 'rate', name: nameOfUse(view, 'rate', data), data }
}

/** The use of people's attention that it must take before they are asked, by the same limit. */
export function askedDraft(view: View, answers: readonly CallbackAnswer[]): Draft<'asked'> | null {
  const data = view.intent.asked ? null : useOf(view, view.asks, answers)
  if (data === null) return null
  return { kind: 'asked', name: nameOfUse(view, 'asked', data), data }
}

function useOf(
  view: View,
  { sequence }: Uses,
  answers: readonly CallbackAnswer[],
): RateData | null {
  const limit = usesLimit(view)
  const capability = view.opening.request?.tool
  if (limit === null || capability === undefined) return null
  const { uses, windowMs } = limit
  const intent = view.ref
  const use = sequence.next
  return { agent: intent.agent, capability, intent, use, uses, windowMs, ...lookedOutside(answers) }
}

function nameOfUse({ place }: View, kind: UseKind, { agent, capability, use }: RateData) {
  return nameOf(place, kind, token(agent), token(capability), use)
}
