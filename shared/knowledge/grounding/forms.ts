// When one name is another form of the same words: as many words, each with a base form in common
// with its counterpart. It knows no graph.
import { caseFold } from '#record/case-fold'
import { lemmasOf } from './lemma.ts'

/** For each word of a name, the lemmas it may have. */
export type Forms = readonly (readonly string[])[]

/** Of a folded name. */
export function formsOfFolded(folded: string): Forms {
  const words = folded.split(/[ _-]+/).filter((word) => word !== '')
  return words.map((word) => lemmasOf(word))
}

/** No word at all is a form of nothing. */
export function formsOf(name: string): Forms {
  return formsOfFolded(caseFold(name))
}

/** Whether these two, of as many words, have each word in common. */
export function isFormOf(theirs: Forms, words: Forms): boolean {
  return theirs.every((lemmas, at) => lemmas.some((lemma) => words[at]?.includes(lemma)))
}
