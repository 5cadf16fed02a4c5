// Which capabilities fit a goal: BM25 over the words of their fields, each field normalised by its
// own length. It ranks and permits nothing: what may run is judged elsewhere, whatever stands here.
import type { Capability } from '#schemas/catalog'
import { relatedTo } from './related.ts'
import { routingWords } from './goal-words.ts'

/** Recorded with each offer: raise it with every change of what is ranked how. */
export const rankerVersion = 1

type Rankable = Pick<Capability, 'id' | 'name' | 'description' | 'tags'>

/** Where a word stands, the n-th capability by id, and what it counts there. */
interface Posting {
  readonly at: number
  readonly weight: number
}

export interface RankingIndex {
  readonly ids: readonly string[]
  /** By word, and by two words that follow each other. */
  readonly postings: ReadonlyMap<string, readonly Posting[]>
}

interface Field {
  readonly text: (one: Rankable) => string
  /** How much a word counts here. */
  readonly weight: number
  /** How much of that a field longer than the others loses. */
  readonly lengthPart: number
}

// What is set here and below was chosen on the tuning half of bench/routing.
const fields: readonly Field[] = [
  { text: ({ id }) => id, weight: 4, lengthPart: 0.5 },
  { text: ({ name }) => name ?? '', weight: 2, lengthPart: 0.5 },
  { text: ({ tags }) => tags.join('\n'), weight: 2, lengthPart: 0.5 },
  { text: ({ description }) => description, weight: 1.5, lengthPart: 0.6 },
]
/** How soon further occurrences of a word stop counting. */
const saturation = 1.2
/** What a related word counts of the word itself, and where the word itself is unknown. */
const relatedPart = 0.3
const relatedPartOfUnknown = 0.7
/** What two words in the order of the goal count in addition. */
const pairPart = 0.3
/** How much of its score stands or falls with how many of the goal's words it answers. */
const coveragePart = 0.75

// A catalog is never changed: what belongs to it is built once.
const indexes = new WeakMap<ReadonlyMap<string, Capability>, RankingIndex>()

/** The index of a catalog's capabilities. */
export function indexOf(capabilities: ReadonlyMap<string, Capability>): RankingIndex {
  const known = indexes.get(capabilities)
  if (known !== undefined) return known
  const index = rankingIndex([...capabilities.values()])
  indexes.set(capabilities, index)
  return index
}

function rankingIndex(capabilities: readonly Rankable[]): RankingIndex {
  const sorted = capabilities.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const words = sorted.map((one) => fields.map(({ text }) => routingWords(text(one))))
  const lengths = fields.map((_, field) => {
    const all = words.reduce((sum, each) => sum + (each[field]?.length ?? 0), 0)
    return all / Math.max(1, sorted.length)
  })
  const postings = new Map<string, Posting[]>()
  for (const [at, each] of words.entries()) {
    for (const [word, count] of countsOf(each, lengths)) {
      const posting = { at, weight: count / (saturation + count) }
      const there = postings.get(word)
      if (there === undefined) postings.set(word, [posting])
      else there.push(posting)
    }
  }
  return { ids: sorted.map(({ id }) => id), postings }
}

/** By word and by pair, how often it occurs: each time counts what its field makes of it. */
function countsOf(
  words: readonly (readonly string[])[],
  lengths: readonly number[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [field, { weight, lengthPart }] of fields.entries()) {
    const inField = words[field] ?? []
    const length = inField.length / (lengths[field] || 1)
    const counted = weight / (1 - lengthPart + lengthPart * length)
    for (const each of [...inField, ...pairsOf(inField)]) {
      counts.set(each, (counts.get(each) ?? 0) + counted)
    }
  }
  return counts
}

function pairsOf(words: readonly string[]): readonly string[] {
  return words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`)
}

/**
 * The score of each capability in the order of the index; 0 where it has no word of the goal. A
 * repeated word counts again.
 */
export function scoresFor(index: RankingIndex, goal: string): Float64Array {
  const words = routingWords(goal)
  const scores = new Float64Array(index.ids.length)
  const answered = new Float64Array(index.ids.length)
  const ofWord = new Float64Array(index.ids.length)
  let known = 0
  for (const word of words) {
    const those = weighed(index, word, ofWord)
    if (those.length > 0) known += 1
    for (const at of those) {
      scores[at] = (scores[at] ?? 0) + (ofWord[at] ?? 0)
      answered[at] = (answered[at] ?? 0) + 1
      ofWord[at] = 0
    }
  }
  for (const pair of pairsOf(words)) {
    const postings = index.postings.get(pair) ?? []
    const part = pairPart * rarity(index, postings.length)
    for (const { at, weight } of postings) scores[at] = (scores[at] ?? 0) + part * weight
  }
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0
    if (score === 0) continue
    const coverage = (answered[at] ?? 0) / known
    scores[at] = rounded(score * (1 - coveragePart + coveragePart * coverage))
  }
  return scores
}

/** Writes what the word, or one related to it, counts for each capability; gives those. */
function weighed(index: RankingIndex, word: string, weights: Float64Array): readonly number[] {
  const own = index.postings.get(word) ?? []
  const rareness = rarity(index, own.length)
  const those: number[] = []
  const weigh = (postings: readonly Posting[], counted: number): void => {
    for (const { at, weight } of postings) {
      const before = weights[at] ?? 0
      if (before === 0) those.push(at)
      if (weight * counted > before) weights[at] = weight * counted
    }
  }
  weigh(own, rareness)
  const part = own.length === 0 ? relatedPartOfUnknown : relatedPart
  for (const other of relatedTo(word)) {
    const postings = index.postings.get(other) ?? []
    // A rare relative of a common word must not count more than a common one.
    weigh(postings, part * Math.min(rareness, rarity(index, postings.length)))
  }
  return those
}

function rarity({ ids }: RankingIndex, count: number): number {
  return Math.log(1 + (ids.length - count + 0.5) / (count + 0.5))
}

// Shown and recorded: the last digits of a logarithm may differ between machines.
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
