// The kinds of facts by which what is known and what is asked of people can be folded by itself:
// what intents do changes nothing of it.
import type { Kind } from '../kernel/names.ts'

/** Of questions that the learning worker derives from the log. */
const derivedQuestionKinds = ['proposal', 'meeting', 'expiry'] as const satisfies Kind[]

const kinds = [
  ...derivedQuestionKinds,
  'suggestion',
  'ruling',
  'reopening',
] as const satisfies Kind[]

export const knowledgeKinds = ['graph', 'catalog', ...kinds] as const satisfies Kind[]

const derived: ReadonlySet<Kind> = new Set<Kind>(derivedQuestionKinds)

export function isDerivedQuestion(kind: Kind): boolean {
  return derived.has(kind)
}
