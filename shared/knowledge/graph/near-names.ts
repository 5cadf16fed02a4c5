// Which names of a graph someone may have meant who wrote another: those few keystrokes away. For
// messages only; nothing is ever looked up by a near name.
import { nearest } from '#record/quote'
import { primitivesOf, type Graph } from './revision.ts'

/** The nearest names, the nearest first; none where none is near. */
export function nearNames(graph: Graph, name: string): readonly string[] {
  const names = function* (): Generator<string> {
    for (const [, record] of primitivesOf(graph)) yield record.name
  }
  return nearest(names(), name)
}
