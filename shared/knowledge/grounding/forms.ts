// When one name is another form of the same words: as many words, each with a base form in common
// with its counterpart. It knows no graph.
import { caseFold } from '#record/case-fold'
import { lemmatizerPackage } from '#platform/packages'
import { assert } from '#record/fault'

// The base forms of an English word, from WordNet's rules and exceptions as `wink-lemmatizer` has
// them: tables only, so the same word has the same forms everywhere.

interface Lemmatizer {
  readonly noun: (word: string) => string
  readonly verb: (word: string) => string
  readonly adjective: (word: string) => string
}

let loaded: Lemmatizer | undefined

/**
 * What a folded word may be a form of, read as a noun, a verb or an adjective. At least one, no
 * repeats.
 */
function lemmasOf(word: string): readonly string[] {
  const { noun, verb, adjective } = lemmatizer()
  return [...new Set([noun(word), verb(word), adjective(word)])]
}

// Loaded on first use.
function lemmatizer(): Lemmatizer {
  if (loaded === undefined) {
    const tables = lemmatizerPackage()
    assert(isLemmatizer(tables), 'wink-lemmatizer reads nouns, verbs and adjectives')
    loaded = tables
  }
  return loaded
}

function isLemmatizer(value: unknown): value is Lemmatizer {
  if (typeof value !== 'object' || value === null) return false
  return ['noun', 'verb', 'adjective'].every(
    (key) => typeof Object.getOwnPropertyDescriptor(value, key)?.value === 'function',
  )
}

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
