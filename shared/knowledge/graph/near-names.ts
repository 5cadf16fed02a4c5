// Which names of a graph someone may have meant who wrote another: those few keystrokes away. For
// messages only; nothing is ever looked up by a near name.
import { Fault } from '#record/fault'
import { didYouMean, nearest, quoted } from '#record/quote'
import { findId, primitivesOf, type Graph } from './revision.ts'

/** The nearest names, the nearest first; none where none is near. */
export function nearNames(graph: Graph, name: string): readonly string[] {
  const names = function* (): Generator<string> {
    for (const [, record] of primitivesOf(graph)) yield record.name
  }
  return nearest(names(), name)
}

/** Throws a Fault `name_unknown`, with those names. */
export function idNamed(graph: Graph, name: string): number {
  const id = findId(graph, name)
  if (id !== undefined) return id
  const near = didYouMean(nearNames(graph, name))
  throw new Fault('name_unknown', `the graph has no ${quoted(name)}${near}`)
}
