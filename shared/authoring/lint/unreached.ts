// Parts of a graph that hang together by whatever edges, and of which no capability's concepts mean
// anything: nothing there can hold up an intent, and no intent asks about it.
import { componentOf, join, separate } from '#knowledge/grounding/components'
import { quoted } from '#record/quote'
import type { Flaw } from './flaw.ts'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'

const namesShownMax = 3

/** `asked`: ids that concepts mean. */
export function unreachedFlaws(graph: Graph, asked: ReadonlySet<number>): readonly Flaw[] {
  const ids = [...primitivesOf(graph)].map(([id]) => id)
  separate(ids, graph.records.length)
  for (const [id, { edges }] of primitivesOf(graph))
    for (const { target } of edges) join(id, target)
  const reached = new Set([...asked].map(componentOf))
  const parts = new Map<number, string[]>()
  for (const [id, { name }] of primitivesOf(graph)) {
    const part = componentOf(id)
    if (reached.has(part)) continue
    const names = parts.get(part)
    if (names === undefined) parts.set(part, [name])
    else names.push(name)
  }
  return [...parts.values()].map(unreached)
}

function unreached(names: readonly string[]): Flaw {
  const [primitive = ''] = names
  const shown = names.slice(0, namesShownMax).map(quoted)
  const more = names.length - shown.length
  const those = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  const last = those.pop() ?? ''
  const who = those.length === 0 ? last : `${those.join(', ')} and ${last}`
  const hang =
    names.length === 1 ? 'is connected to nothing else' : 'are connected only to each other'
  const what = `${who} ${hang}: no capability's concepts mean any of it`
  const fix = 'relate it to what is asked about, or name it among the concepts of a capability'
  return { code: 'part_unreached', where: { primitive }, what, fix }
}
