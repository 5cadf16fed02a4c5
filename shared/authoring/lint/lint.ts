// Finds what in a graph is unreachable or never asked about, and reports how to fix it. It
// changes nothing, refuses nothing, and judges by the strict profile, as the runtime does.
import type { Catalog } from '#rules/catalog/catalog'
import { keylessIn } from '#rules/catalog/keyless'
import { quoted } from '#record/quote'
import { placeholderIn } from '#record/placeholder'
import { callsOf, type Calls } from './calls.ts'
import { flawCodes, type Fixes, type Flaw, type FlawPlace } from './flaw.ts'
import { policyFlaws, unaskedPolicies } from './policy-flaws.ts'
import {
  hasContent,
  type Edge,
  type LevelRecord,
  type PrimitiveRecord,
} from '#knowledge/graph/record'
import { primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import { componentOf, join, separate } from '#knowledge/grounding/components'

// Parts of a graph that hang together by whatever edges, and of which no capability's concepts mean
// anything: nothing there can hold up an intent, and no intent asks about it.

const namesShownMax = 3

/** `asked`: ids that concepts mean. */
function unreachedFlaws(graph: Graph, asked: ReadonlySet<number>): readonly Flaw[] {
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
  const what = `${who} ${hang}: no tool's concepts mean any of it`
  const fix = 'relate it to what is asked about, or name it among the concepts of a tool'
  return { code: 'part_unreached', where: { primitive }, what, fix }
}

/** By code, and of one code in stored order. */
export function checkGraph(graph: Graph, catalog: Catalog, fixes: Fixes): readonly Flaw[] {
  const calls = callsOf(graph, catalog, fixes)
  const flaws: Flaw[] = [
    ...calls.flaws,
    ...noConcepts(graph, calls),
    ...keysGone(catalog),
    ...unaskedPolicies(graph),
  ]
  for (const [, record] of primitivesOf(graph)) {
    flaws.push(...levelFlaws(record), ...placeholders(record))
    for (const edge of record.edges) {
      flaws.push(...edgeFlaws(graph, record, edge), ...policyFlaws(graph, calls, record, edge))
    }
  }
  if (calls.asked.size > 0) flaws.push(...unreachedFlaws(graph, calls.asked))
  const places = new Map(flawCodes.map((code, place) => [code, place]))
  const placeOf = ({ code }: Flaw): number => places.get(code) ?? 0
  return flaws.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function noConcepts(graph: Graph, { capabilities }: Calls): readonly Flaw[] {
  if (graph.size === 0 || capabilities.length > 0) return []
  const what = 'no tool names a concept, so no call needs any of this to be known'
  const fix = 'name the concepts of each tool in the catalog'
  return [{ code: 'concepts_missing', where: {}, what, fix }]
}

function keysGone(catalog: Catalog): readonly Flaw[] {
  return keylessIn(catalog).map((principal) => {
    const what = `${quoted(principal)} had a key and has none now, so its messages are ignored`
    const fix = 'put a key for it, or remove it'
    return { code: 'keys_gone', where: { principal }, what, fix }
  })
}

function levelFlaws({ name, levels, strict }: PrimitiveRecord): readonly Flaw[] {
  const [first] = levels
  if (first?.level !== 0) {
    const what = `${quoted(name)} has no level 0, so not even that it exists is known`
    const fix = 'describe level 0, or remove it'
    const missing: Flaw = { code: 'existence_missing', where: { primitive: name }, what, fix }
    return [missing, ...levels.filter(isHollow).map((level) => hollow(name, level))]
  }
  return levels.flatMap((level): readonly Flaw[] => {
    if (isHollow(level)) return [hollow(name, level)]
    if (level.level <= strict) return []
    return [dormant(name, level, strict + 1)]
  })
}

/** Knowledge by its form alone: it was written before that was refused. */
function placeholders({ name, levels }: PrimitiveRecord): readonly Flaw[] {
  return levels.flatMap(({ level, properties }): readonly Flaw[] => {
    const found = placeholderIn(properties)
    if (found === null) return []
    const what = `level ${level} of ${quoted(name)} says only ${quoted(found)}, a placeholder`
    const fix = 'describe it in your own words'
    return [{ code: 'level_placeholder', where: { primitive: name, level }, what, fix }]
  })
}

function isHollow(level: LevelRecord): boolean {
  return !hasContent(level)
}

function hollow(primitive: string, { level }: LevelRecord): Flaw {
  const what = `level ${level} of ${quoted(primitive)} has neither properties nor edges`
  const fix = 'describe it, or erase it: until then it does not count'
  return { code: 'level_hollow', where: { primitive, level }, what, fix }
}

function dormant(primitive: string, { level }: LevelRecord, lacking: number): Flaw {
  const of = `level ${level} of ${quoted(primitive)}`
  const what = `${of} does not count, since level ${lacking} does not`
  const fix = `describe level ${lacking}`
  return { code: 'level_dormant', where: { primitive, level }, what, fix }
}

function edgeFlaws(graph: Graph, source: PrimitiveRecord, edge: Edge): readonly Flaw[] {
  const target = recordAt(graph, edge.target)
  const { type, sourceDepth: level, targetDepth } = edge
  const where: FlawPlace = { primitive: source.name, level, edge: { type, target: target.name } }
  const path = `${quoted(source.name)} D${level} ${type} ${quoted(target.name)}`
  const flaws: Flaw[] = []
  if (level > source.strict) {
    const what = `${path} never counts, since ${known(source)}`
    const fix = `describe ${quoted(source.name)} from level ${source.strict + 1} to ${level}`
    flaws.push({ code: 'edge_gated', where, what, fix })
  }
  if (targetDepth > target.strict) {
    const what = `${path} asks for level ${targetDepth} of it, and ${known(target)}`
    const fix = `describe ${quoted(target.name)} from level ${target.strict + 1} to ${targetDepth}`
    flaws.push({ code: 'edge_unmet', where, what, fix })
  }
  return flaws
}

function known({ name, strict }: PrimitiveRecord): string {
  const level = strict < 0 ? 'not even level 0 of it counts' : `it counts down to level ${strict}`
  return `of ${quoted(name)} ${level}`
}
