// Plain BM25 over all fields as one document, as agent-kernel 0.12.0 searches: what a shortlist is
// compared with.
import type { Capability } from '#schemas/catalog'

const stopWords = new Set(
  (
    'a an and any are as at be by for from get give i in is it me my of on or please show that ' +
    'the this to want with'
  ).split(' '),
)
const [k, b] = [1.5, 0.75]

interface FlatDocument {
  readonly id: string
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

/** The ids that score above zero, best first, ties by id. */
export function flatSearch(
  capabilities: readonly Capability[],
): (goal: string) => readonly string[] {
  const documents = capabilities.map(documentOf)
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const containing = new Map<string, number>()
  for (const { counts } of documents) {
    for (const word of counts.keys()) containing.set(word, (containing.get(word) ?? 0) + 1)
  }
  const scoreOf = ({ id, counts, length }: FlatDocument, words: readonly string[]): number => {
    let score = 0
    for (const word of words) {
      const count = counts.get(word)
      if (count === undefined) continue
      const those = containing.get(word) ?? 0
      const rarity = Math.log(1 + (documents.length - those + 0.5) / (those + 0.5))
      score += (rarity * count * (k + 1)) / (count + k * (1 - b + (b * length) / average))
    }
    return id.startsWith(words.join('.')) && words.length > 0 ? score + 1 : score
  }
  return (goal) => {
    const words = wordsOf(goal)
    return documents
      .map((document) => ({ id: document.id, score: scoreOf(document, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id)
  }
}

function documentOf({ id, name, tags, description }: Capability): FlatDocument {
  const fields = [
    [id.replaceAll(/[._]/g, ' '), 4],
    [(name ?? id.slice(id.lastIndexOf('.') + 1)).replaceAll('_', ' '), 2],
    [tags.join(' '), 3],
    [description, 1],
  ] as const
  const counts = new Map<string, number>()
  let length = 0
  for (const [text, weight] of fields) {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
      length += 1
    }
  }
  return { id, counts, length }
}

function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.filter((word) => !stopWords.has(word))
}
