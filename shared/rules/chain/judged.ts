// Whose rights an intent is judged by: the agent's own, or those of the subject that it asks about.
import type { Intent } from '#schemas/intent'
import type { IntentRef } from '#schemas/values'
import type { Catalog } from '../catalog/catalog.ts'
import { asksPeople, enforces, subjectOf } from '../catalog/doors/subjects.ts'
import type { EvaluationCase } from './rule-input.ts'

interface Asked {
  readonly ref: Pick<IntentRef, 'agent'>
  readonly request: Pick<Intent, 'subject'> | null
}

/** The id of the principal; the agent's where it may not ask about that subject. */
export function judgedBy(catalog: Pick<Catalog, 'principals'>, { ref, request }: Asked): string {
  const subject = request?.subject
  if (subject === undefined) return ref.agent
  return subjectOf(catalog, ref.agent, subject)?.id ?? ref.agent
}

type OfSeveral = Pick<Intent, 'search' | 'evaluations'>
type Observing = Pick<Intent, 'observe' | 'subject'> & OfSeveral

/** Whether it asks about more than one: then its verdict says what each of them comes to. */
export function isOfSeveral(request: OfSeveral | null): boolean {
  return request?.search !== undefined || request?.evaluations !== undefined
}

/**
 * Whether nothing is stopped or permitted by it. Of a request about another, which `reviewed` is
 * about, only what people were asked permits something.
 */
export function isObserved(request: Observing | null, reviewed = false): boolean {
  if (request?.observe === true || isOfSeveral(request)) return true
  return request?.subject !== undefined && !reviewed
}

/** Whether people are asked about it, as far as it is about another. */
export function mayAskPeople(
  catalog: Pick<Catalog, 'principals'>,
  { ref, request }: { readonly ref: Asked['ref']; readonly request: Observing | null },
): boolean {
  if (isOfSeveral(request)) return false
  if (request?.subject === undefined) return true
  return request.observe !== true && asksPeople(catalog, ref.agent)
}

/**
 * Whether an allow of it is counted: of an evaluation where the catalog wants that alone, and where
 * people were asked.
 */
export function isCounted(
  catalog: Pick<Catalog, 'principals'>,
  { ref, request }: Asked,
  reviewed: boolean,
): boolean {
  return request?.subject === undefined || reviewed || enforces(catalog, ref.agent)
}

/** What the rules judge of an evaluation; null for an intent of its agent's own. */
export function evaluationCase(
  catalog: Pick<Catalog, 'principals'>,
  { ref, request }: { readonly ref: Asked['ref']; readonly request: Intent | null },
): EvaluationCase | null {
  // What names no one itself: it is the caller's own that is looked at before the others.
  const own = isOfSeveral(request) ? { id: ref.agent } : undefined
  const subject = request?.subject ?? own
  if (subject === undefined) return null
  const caller = catalog.principals.get(ref.agent) ?? null
  const found = subjectOf(catalog, ref.agent, subject)
  const base = { caller, subject: found }
  if (request?.delegation !== undefined) return { ...base, refusal: 'delegated' }
  return { ...base, refusal: found === null ? 'not_assigned' : null }
}
