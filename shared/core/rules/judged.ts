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

type Observing = Pick<Intent, 'observe' | 'subject' | 'search'>

/**
 * Whether nothing is stopped or permitted by it. Of a request about another, which `reviewed` is
 * about, only what people were asked permits something.
 */
export function isObserved(request: Observing | null, reviewed = false): boolean {
  if (request?.observe === true || request?.search !== undefined) return true
  return request?.subject !== undefined && !reviewed
}

/** Whether people are asked about it, as far as it is about another. */
export function mayAskPeople(
  catalog: Pick<Catalog, 'principals'>,
  { ref, request }: { readonly ref: Asked['ref']; readonly request: Observing | null },
): boolean {
  if (request?.search !== undefined) return false
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
  // A search of who may names no one: it is the caller's own that is looked at before it.
  const own = request?.search === undefined ? undefined : { id: ref.agent }
  const subject = request?.subject ?? own
  if (subject === undefined) return null
  const caller = catalog.principals.get(ref.agent) ?? null
  const found = subjectOf(catalog, ref.agent, subject)
  const base = { caller, subject: found }
  if (request?.delegation !== undefined) return { ...base, refusal: 'delegated' }
  return { ...base, refusal: found === null ? 'not_assigned' : null }
}
