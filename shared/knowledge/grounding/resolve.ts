// Which primitive a concept means: the one of that name, or else the only one whose words are
// forms of the same words. Never the likeliest of several and never part of a concept: nothing is
// guessed.
import { assert } from '#record/fault'
import type { NameIndex } from '../graph/name-index.ts'
import { bears, findId, recordAt, type Graph } from '../graph/revision.ts'
import { formsOf, formsOfFolded, isFormOf, type Forms } from './forms.ts'

/**
 * No stored name is as long, however it is composed: what is longer is unknown without a search.
 */
export const conceptLengthMax = 4096

/** A concept that fits more primitives than this is answered with the first of them. */
const candidatesMax = 16

export type Resolution =
  | { readonly id: number }
  /** Unknown: the names of those it may have meant, if it fits several, in stored order. */
  | { readonly candidates: readonly string[] }

const unknown: Resolution = { candidates: [] }

export function resolve(graph: Graph, concept: string): Resolution {
  if (concept.length > conceptLengthMax) return unknown
  const id = findId(graph, concept)
  if (id !== undefined) return { id }
  const ids = idsByForm(graph, concept)
  const [only] = ids
  if (only !== undefined && ids.length === 1) return { id: only }
  return { candidates: ids.slice(0, candidatesMax).map((each) => recordAt(graph, each).name) }
}

interface FormEntry {
  readonly folded: string
  readonly id: number
  readonly words: Forms
}

/** The names of one name index by the lemmas of their words; grows with it, and only when asked. */
interface FormIndex {
  readonly entries: Map<string, FormEntry[]>
  hintsTaken: number
}

// Like the name index it belongs to, it is shared by all revisions and holds hints, not answers.
const formIndexes = new WeakMap<NameIndex, FormIndex>()

/**
 * All primitives that have as many words as the concept, each sharing a lemma with its counterpart.
 */
function idsByForm(graph: Graph, concept: string): readonly number[] {
  const words = formsOf(concept)
  const { entries } = formIndexOf(graph.names)
  const ids = new Set<number>()
  for (const list of fewestEntries(entries, words)) {
    for (const { id, folded, words: theirs } of list) {
      if (isFormOf(theirs, words) && bears(graph, id, folded)) ids.add(id)
    }
  }
  return [...ids].toSorted((one, other) => one - other)
}

/**
 * Those that fit one word of the concept, a list for each of its lemmas, taking the word that the
 * fewest fit. Lists may be as long as the graph: none is copied.
 */
function fewestEntries(
  entries: FormIndex['entries'],
  words: Forms,
): readonly (readonly FormEntry[])[] {
  let fewest: readonly (readonly FormEntry[])[] = []
  let count = Infinity
  for (const [at, lemmas] of words.entries()) {
    const found = lemmas.map((lemma) => entries.get(entryKey(words.length, at, lemma)) ?? [])
    const length = found.reduce((sum, list) => sum + list.length, 0)
    if (length >= count) continue
    fewest = found
    count = length
    if (count === 0) break
  }
  return fewest
}

function formIndexOf(names: NameIndex): FormIndex {
  let index = formIndexes.get(names)
  if (index === undefined) {
    index = { entries: new Map(), hintsTaken: 0 }
    formIndexes.set(names, index)
  }
  for (; index.hintsTaken < names.hints.length; index.hintsTaken += 1) {
    const hint = names.hints[index.hintsTaken]
    assert(hint !== undefined, 'a name index has every hint it counts')
    addEntry(index, { ...hint, words: formsOfFolded(hint.folded) })
  }
  return index
}

function addEntry(index: FormIndex, entry: FormEntry): void {
  for (const [at, lemmas] of entry.words.entries()) {
    for (const lemma of lemmas) {
      const key = entryKey(entry.words.length, at, lemma)
      const others = index.entries.get(key)
      if (others === undefined) index.entries.set(key, [entry])
      else others.push(entry)
    }
  }
}

function entryKey(count: number, at: number, lemma: string): string {
  return `${count} ${at} ${lemma}`
}
