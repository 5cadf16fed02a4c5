// How often the right tools are among the first five of a shortlist, against plain BM25, on
// goals that it was not tuned on; and how long a shortlist takes.
import type { Capability } from '#schemas/catalog'
import { shortlist } from '#rules/routing/shortlist'
import { atMost, ratioAtLeast, inRounds, percentiles, type Bench, type Figure } from '../harness.ts'
import { flatSearch } from '../../test/support/routing/flat.ts'
import { goals, publicCapabilities, type Goal } from '../../test/support/routing/read.ts'

const sizes = [50, 1_000, 10_000]
const shown = 5

export const bench: Bench = {
  title: 'Routing: the right tools among the first five, and how long it takes',
  run: async () => {
    const all = publicCapabilities()
    const figures: Figure[] = []
    for (const size of sizes) {
      const those = all.slice(0, size)
      const [ours, flat, took] = [`shortlist of ${size}`, 'plain BM25', `a shortlist of ${size}`]
      const ran = await inRounds(1, () => {
        const { heldOut } = goals()
        const [times, ids] = [new Array<number>(), new Map(those.map((one) => [one.id, one]))]
        const search = (goal: string): readonly string[] => {
          const from = performance.now()
          const { cards } = shortlist(ids, goal)
          times.push(performance.now() - from)
          return cards.map(({ id }) => id)
        }
        const plain = flatSearch(those)
        return {
          [ours]: recall(heldOut, ids, search),
          [flat]: recall(heldOut, ids, plain),
          ...percentiles(took, times),
        }
      })
      figures.push(
        ran.figure(ours, 'recall', { against: flat, aims: ratioAtLeast(1) }),
        ran.figure(`${took}, p50`, 'ms', { aims: atMost(5) }),
      )
    }
    return figures
  },
}

/** Of the goals for which all that is needed is there. */
function recall(
  all: readonly Goal[],
  there: ReadonlyMap<string, Capability>,
  search: (goal: string) => readonly string[],
): number {
  const those = all.filter(({ needed }) => needed.every((any) => any.some((id) => there.has(id))))
  const parts = those.map(({ text, needed }) => {
    const first = new Set(search(text).slice(0, shown))
    return needed.filter((any) => any.some((id) => first.has(id))).length / needed.length
  })
  return parts.reduce((sum, each) => sum + each, 0) / parts.length
}
