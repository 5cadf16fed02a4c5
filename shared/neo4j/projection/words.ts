// The words of a name in every form that a concept may have them in. A projection keeps them, so
// that what resolves a concept there looks at the same words as `#knowledge/grounding/resolve`.
import { formsOfFolded } from '#knowledge/grounding/forms'

/** The lemmas of each word of a folded name, each once, in code unit order. */
export function wordsOf(folded: string): readonly string[] {
  return [...new Set(formsOfFolded(folded).flat())].toSorted()
}
