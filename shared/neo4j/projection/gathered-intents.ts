// The intents that a whole log leaves in a projection, gathered verdict by verdict, with their ids
// carried through sweeps, so that at the end it is known what each must be tied to by then.
import { assert } from '#record/fault'
import type { Judged } from './intent-writes.ts'
import type { ProjectionStep } from './pending.ts'
import { renumbered, renumbering, type Renumbering } from './renumbering.ts'

/** The verdicts that were given while ids were of one line. */
interface Line {
  readonly judged: Judged[]
  /** Null for the line that still goes on. */
  next: Renumbering | null
}

/** In log order. */
export interface GatheredIntents {
  readonly lines: Line[]
}

export function newGathered(): GatheredIntents {
  return { lines: [{ judged: [], next: null }] }
}

export function gather({ lines }: GatheredIntents, { graph, next, judged }: ProjectionStep): void {
  const line = lines.at(-1)
  assert(line !== undefined, 'there is a line that goes on')
  if (judged !== null) line.judged.push(judged)
  if (graph === null || next === null || graph === next) return
  line.next = renumbering(graph, next)
  lines.push({ judged: [], next: null })
}

/** All of them in log order, under the ids of the graph that the log ends with. */
export function* judgedIn({ lines }: GatheredIntents): Generator<Judged> {
  const ways = waysToTheEnd(lines)
  for (const [index, { judged }] of lines.entries()) {
    const way = ways[index] ?? null
    for (const each of judged) yield way === null ? each : renumbered(each, way)
  }
}

/** For each line, its ids under the last one's; null for the last. */
function waysToTheEnd(lines: readonly Line[]): readonly (Renumbering | null)[] {
  const ways: (Renumbering | null)[] = []
  let rest: Renumbering | null = null
  for (const { next } of lines.toReversed()) {
    if (next !== null) rest = rest === null ? next : joined(next, rest)
    ways.push(rest)
  }
  return ways.toReversed()
}

function joined(first: Renumbering, second: Renumbering): Renumbering {
  return {
    ids: new Map(through(first.ids, second.ids)),
    edges: new Map(through(first.edges, second.edges)),
  }
}

function* through<T>(first: ReadonlyMap<T, T>, second: ReadonlyMap<T, T>): Generator<[T, T]> {
  for (const [from, by] of first) {
    const to = second.get(by)
    if (to !== undefined) yield [from, to]
  }
}
