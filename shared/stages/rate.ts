// A counted use as a draft. Which number is free is read off the fold; who takes it is settled by
// the name, so the limit is exact under any number of workers.
import type { RateData } from '#schemas/facts'
import type { UseKind } from '#schemas/kinds'
import type { CallbackAnswer } from '#schemas/callbacks'
import { keyToken } from '#rules/budgets/reading'
import type { Draft } from '#record/event'
import { nameOf, token, tokenAt } from '#record/names'
import { isCounted } from '#rules/chain/judged'
import { budgetDraft } from './budgets/budget-cases.ts'
import { usesLimit } from './case.ts'
import { grantDraft, type Resting } from './resting.ts'
import { lookedOutside } from './policies.ts'
import type { OpenIntent } from '#state/intent'
import type { Uses } from '#state/slices/uses/uses'
import type { View } from './view.ts'

/**
 * The next use that the intent must take before it is allowed; null where it needs none or has
 * them. Those of budgets and grants come first: they are given back where something refuses it
 * after all.
 */
export function useDraft(
  view: View,
  answers: readonly CallbackAnswer[],
  resting: Resting | null = null,
): Draft<UseKind> | null {
  if (!isCounted(view.catalog, view.opening, view.intent.review !== null)) return null
  const ofGrants = resting === null ? null : grantDraft(view, resting, answers)
  return budgetDraft(view, answers) ?? ofGrants ?? rateDraft(view, answers)
}

function rateDraft(view: View, answers: readonly CallbackAnswer[]): Draft<'rate'> | null {
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

/** The intent once that use is bound; null for a draft of another kind. */
export function afterUse(intent: OpenIntent, draft: Draft | null): OpenIntent | null {
  switch (draft?.kind) {
    case 'rate':
      return { ...intent, used: true }
    case 'asked':
      return { ...intent, asked: true }
    case 'budget': {
      const { budget, key } = draft.data
      const taken = { budget: token(budget), key: keyToken(key) }
      return { ...intent, budgets: [...(intent.budgets ?? []), taken] }
    }
    case 'use': {
      const { use, amount = '0' } = draft.data
      const grant = tokenAt(draft.name, 3)
      return { ...intent, grants: [...(intent.grants ?? []), { grant, use, amount }] }
    }
    default:
      return null
  }
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
  return { agent: view.judged, capability, intent, use, uses, windowMs, ...lookedOutside(answers) }
}

function nameOfUse({ place }: View, kind: 'rate' | 'asked', { agent, capability, use }: RateData) {
  return nameOf(place, kind, token(agent), token(capability), use)
}
