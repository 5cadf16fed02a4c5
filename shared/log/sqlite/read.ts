// How a range of facts is read, page by page: by the index of names where the patterns name few
// facts, else by position. It must never hold more than some pages, nor a transaction between
// them.
import { covering, covers, literalPrefix } from '#record/pattern'
import type { Fact, Range } from '#ports/log'
import { type Ends, type FactTable, type NamedPosition, pageFactsMax } from './facts.ts'

/** A range so short is read whole: sooner done than looking up one name. */
const shortRange = 16
/** Names that can be looked over in the time in which one fact is read. */
const namesOfFact = 16
const namesMax = 65_536
const namesPageMax = 4_096

type Pause = () => Promise<void>

/** What is read of: a store, or a file that is only read. */
export interface FactsRead {
  readonly facts: FactTable
  /** The first position that there is. */
  readonly first: number
  page(from: number, to: number): readonly Fact[]
  some(positions: readonly number[]): readonly Fact[]
}

export async function* readFacts(
  store: FactsRead,
  range: Range,
  names: readonly string[] | undefined,
  pause: Pause,
): AsyncGenerator<Fact, void, void> {
  const from = Math.max(range.from ?? 1, store.first)
  const to = Math.min(range.to ?? Infinity, store.facts.head().position)
  const ends = { from, to }
  if (names === undefined) return yield* scan(store, ends, () => true, pause)
  const short = to - from < shortRange
  const positions = short ? undefined : await lookUp(store.facts, names, ends, pause)
  if (positions === undefined) {
    return yield* scan(store, ends, covering(names), pause)
  }
  for (let index = 0; index < positions.length; index += pageFactsMax) {
    if (index > 0) await pause()
    yield* store.some(positions.slice(index, index + pageFactsMax))
  }
}

async function* scan(
  store: FactsRead,
  { from, to }: Ends,
  covered: (name: string) => boolean,
  pause: Pause,
): AsyncGenerator<Fact, void, void> {
  let next = from
  while (next <= to) {
    const facts = store.page(next, to)
    for (const fact of facts) if (covered(fact.name)) yield fact
    next += facts.length
    if (next <= to) await pause()
  }
}

/** The positions of all covered facts of the range, in order; undefined if the index is no help. */
async function lookUp(
  facts: FactTable,
  patterns: readonly string[],
  ends: Ends,
  pause: Pause,
): Promise<readonly number[] | undefined> {
  const positions = new Set<number>()
  const worthwhile = Math.min(namesMax, namesOfFact * (ends.to - ends.from + 1))
  for (const pattern of patterns) {
    const prefix = literalPrefix(pattern)
    if (prefix === '') return undefined
    if (prefix === pattern) {
      const position = facts.named(pattern)?.position ?? 0
      if (position >= ends.from && position <= ends.to) positions.add(position)
      continue
    }
    // The prefix ends with a dot, and `/` is the character after it: what lies between begins so.
    const high = `${prefix.slice(0, -1)}/`
    if (facts.hasMoreNames(prefix, high, worthwhile)) return undefined
    for (let low = prefix; low !== '';) {
      const page: readonly NamedPosition[] = facts.names(low, high, ends, namesPageMax)
      for (const { position, name } of page) if (covers(pattern, name)) positions.add(position)
      low = page.length < namesPageMax ? '' : (page.at(-1)?.name ?? '')
      if (low !== '') await pause()
    }
  }
  return [...positions].toSorted((a, b) => a - b)
}
