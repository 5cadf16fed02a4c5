// What the digest of a review covers, as the value that is hashed. Who is asked can so compute it
// from what they see, wherever they are.
import type { ReviewData } from '#schemas/review'
import { canonical, jsonOf, type Json } from '#record/canonical'

/** What the digest covers. */
export type ReviewContent = Pick<
  ReviewData,
  'questions' | 'terms' | 'gaps' | 'policies' | 'values' | 'log'
> & { readonly agent: string }

/** The order of questions, gaps, policies and values is not what people agree to. */
export function coveredBy(content: ReviewContent): Json {
  const { agent, log, questions, terms, gaps, policies, values } = content
  return {
    agent,
    gaps: unordered(gaps),
    log,
    policies: unordered(policies),
    questions: unordered(questions),
    terms: jsonOf(terms),
    ...(values !== undefined && { values: unordered(values) }),
  }
}

function unordered(items: readonly unknown[]): Json {
  return items.map((item) => canonical(jsonOf(item))).toSorted()
}
