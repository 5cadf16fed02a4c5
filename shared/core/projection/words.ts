// The words of a name in every form that a concept may have them in. A projection keeps them, so
// that what resolves a concept there looks at the same words as `#core/ground/resolve`.
import { lemmasOf } from '#core/ground/lemma'

/** The lemmas of each word of a folded name, each once, in code unit order. */
export function wordsOf(folded: string): readonly string[] {
  const words = folded.split(/[ _-]+/).filter((word) => word !== '')
  return [...new Set(words.flatMap((word) => lemmasOf(word)))].toSorted()
}
