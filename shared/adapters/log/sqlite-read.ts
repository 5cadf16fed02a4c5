// How a range of facts is read, page by page: by the index of names where patterns name few facts,
// else by position. It must never hold more than some pages, nor a transaction between them.
import { covering, covers, literalPrefix } from '#core/pattern'
import type { Fact, Range } from '#ports/log'
import { type FactTable, pageFactsMax } from './sqlite-facts.ts'

/** Names looked up in the index before reading by position is thought to be quicker, */
const namesMin = 256
/** for a range of so many facts a name: an entry of the index is much smaller than a fact. */
const factsEachName = 8
const namesPageMax = 4_096

export async function* readFacts(
  table: FactTable,
  range: Range,
  names: readonly string[] | undefined,
  pause: () => Promise<void>,
): AsyncGenerator<Fact, void, void> {
  const from = Math.max(range.from ?? 1, 1)
  const to = Math.min(range.to ?? Infinity, table.head().position)
  if (names === undefined) return yield* scan(table, from, to, pause)
  const namesMax = Math.max(namesMin, (to - from) / factsEachName)
  const found = await lookUp(table, names, namesMax, pause)
  if (found === undefined) {
    const covered = covering(names)
    for await (const fact of scan(table, from, to, pause)) if (covered(fact.name)) yield fact
    return
  }
  const positions = found.filter((position) => position >= from && position <= to)
  for (let index = 0; index < positions.length; index += pageFactsMax) {
    if (index > 0) await pause()
    yield* table.some(positions.slice(index, index + pageFactsMax))
  }
}

async function* scan(
  table: FactTable,
  from: number,
  to: number,
  pause: () => Promise<void>,
): AsyncGenerator<Fact, void, void> {
  for (let next = from; next <= to;) {
    const facts = table.page(next, to)
    yield* facts
    next += facts.length
    if (next <= to) await pause()
  }
}

/** The positions of all facts that the patterns cover, in order; undefined if they are too many. */
async function lookUp(
  table: FactTable,
  patterns: readonly string[],
  namesMax: number,
  pause: () => Promise<void>,
): Promise<readonly number[] | undefined> {
  const positions = new Set<number>()
  let looked = 0
  for (const pattern of patterns) {
    const prefix = literalPrefix(pattern)
    if (prefix === '') return undefined
    if (prefix === pattern) {
      const fact = table.named(pattern)
      if (fact !== undefined) positions.add(fact.position)
      continue
    }
    // The prefix ends with a dot, and `/` is the character after it: what lies between begins so.
    const high = `${prefix.slice(0, -1)}/`
    for (let low = prefix; low < high;) {
      const limit = Math.min(namesPageMax, Math.ceil(namesMax) - looked + 1)
      const names = table.names(low, high, limit)
      for (const [position, name] of names) if (covers(pattern, name)) positions.add(position)
      looked += names.length
      if (looked > namesMax) return undefined
      const last = names.at(-1)
      if (last === undefined || names.length < limit) break
      low = last[1]
      await pause()
    }
  }
  return [...positions].toSorted((a, b) => a - b)
}
