// The base forms of an English word, from WordNet's rules and exceptions as `wink-lemmatizer` has
// them: tables only, so the same word has the same forms everywhere.
import { lemmatizerPackage } from '#platform/packages'
import { assert } from '#record/fault'

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
export function lemmasOf(word: string): readonly string[] {
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
