// How often the right tools are among the first five of a shortlist, against plain BM25 in the same
// run, and how long a shortlist takes.
import { browsingTree } from '#core/routing/browse'
import type { Capability } from '#schemas/catalog'
import { indexOf } from '#core/routing/ranking'
import { shortlist } from '#core/routing/shortlist'
import { fixed, median, quantile, whole, type Report } from '../figures.ts'
import { flatSearch } from '../routing/flat.ts'
import { goals, publicCapabilities, type Goal } from '../routing/read.ts'

const sizes = [50, 1_000, 10_000]
const shown = 5
const millisecondsMax = 5

interface Routed {
  readonly size: number
  readonly goals: number
  /** Recall on the half that is reported, and on the one for tuning. */
  readonly ours: number
  readonly flat: number
  readonly oursTuning: number
  readonly flatTuning: number
  /** Milliseconds: to build the index and the tree, and of a shortlist. */
  readonly indexed: number
  readonly tree: number
  readonly median: number
  readonly slow: number
}

export function benchRouting(): Promise<Report> {
  const all = publicCapabilities()
  const measured = sizes.map((size) => measure(all.slice(0, size)))
  return Promise.resolve({
    title: 'routing: recall in the first five',
    head: [
      'capabilities',
      'goals held out',
      'shortlist',
      'flat BM25',
      'shortlist, tuning half',
      'flat, tuning half',
      'ms p50',
      'ms p99',
      'ms index',
      'ms tree',
    ],
    rows: measured.map(rowOf),
    notes: [
      'goals and tools: bench/routing; both searches rank the same capabilities',
      'an index is built once for a catalog; each shortlist is timed with its cards',
    ],
    targets: measured.flatMap((one) => [
      {
        claim: `better than flat BM25 at ${whole(one.size)}, on what it was not tuned on`,
        met: one.ours > one.flat,
        figures: `${part(one.ours)} against ${part(one.flat)}`,
      },
      {
        claim: `a shortlist of ${whole(one.size)} within ${millisecondsMax} ms, median`,
        met: one.median <= millisecondsMax,
        figures: `${one.median.toFixed(2)} ms, p99 ${one.slow.toFixed(2)} ms`,
      },
    ]),
  })
}

const part = fixed(3)

function rowOf(one: Routed): (number | string)[] {
  const recalls = [one.ours, one.flat, one.oursTuning, one.flatTuning].map(part)
  const times = [one.median.toFixed(2), one.slow.toFixed(2), whole(one.indexed), whole(one.tree)]
  return [whole(one.size), one.goals, ...recalls, ...times]
}

function measure(those: readonly Capability[]): Routed {
  const capabilities = new Map(those.map((one) => [one.id, one]))
  const indexed = timed(() => indexOf(capabilities))
  const tree = timed(() => browsingTree(capabilities.keys()))
  const times: number[] = []
  const ours = (goal: string): readonly string[] => {
    const from = performance.now()
    const { cards } = shortlist(capabilities, goal)
    times.push(performance.now() - from)
    return cards.map(({ id }) => id)
  }
  const flat = flatSearch(those)
  const usable = (half: readonly Goal[]): readonly Goal[] =>
    half.filter(({ needed }) => needed.every((any) => any.some((id) => capabilities.has(id))))
  const { tuning, heldOut } = goals()
  return {
    size: those.length,
    goals: usable(heldOut).length,
    oursTuning: hitShare(usable(tuning), ours),
    ours: hitShare(usable(heldOut), ours),
    flatTuning: hitShare(usable(tuning), flat),
    flat: hitShare(usable(heldOut), flat),
    indexed,
    tree,
    median: median(times),
    slow: quantile(times, 0.99),
  }
}

function timed(work: () => unknown): number {
  const from = performance.now()
  work()
  return performance.now() - from
}

function hitShare(those: readonly Goal[], search: (goal: string) => readonly string[]): number {
  const parts = those.map(({ text, needed }) => {
    const first = new Set(search(text).slice(0, shown))
    return needed.filter((any) => any.some((id) => first.has(id))).length / needed.length
  })
  return parts.reduce((sum, each) => sum + each, 0) / parts.length
}
