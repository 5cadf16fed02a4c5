// How each gap of a grounding is closed most cheaply: what to write, where, and a piece of a seed
// file that can be pasted there. The words in it ask; what is true only people can say.
import type { Ground } from '#schemas/facts'
import type { Gap } from '#schemas/graph'
import type { Json } from '#record/canonical'
import { placeholderFor } from '#record/placeholder'
import { find, type Graph } from '#knowledge/graph/revision'
import { quoted } from '#record/quote'
import { gapText, levelsBetween } from './gap.ts'

export interface Fix {
  /** What is missing and how to fix it, in one sentence. */
  readonly text: string
  /** Where in `graph.json` the pieces go; null where the graph needs no change. */
  readonly where: string | null
  readonly pieces: readonly Json[]
}

export function fixesOf(graph: Graph, ground: Ground): readonly Fix[] {
  const shallow = new Map<string, { required: number; current: number | null }>()
  const fixes: Fix[] = []
  for (const gap of ground.gaps) {
    switch (gap.kind) {
      case 'EXISTENCE':
        fixes.push(...missing(graph, ground, gap))
        break
      case 'DEPTH':
        deepen(shallow, gap.primitive, gap)
        break
      case 'RELATIONAL':
        deepen(shallow, gap.target, gap)
        break
      case 'REACHABILITY':
        fixes.push(apart(graph, ground, gap))
        break
    }
  }
  return [...fixes, ...[...shallow].map(([name, depth]) => tooShallow(graph, name, depth))]
}

/** What people have written that it is; null where they have not. */
function meaningOf(graph: Graph, name: string): string | null {
  const levels = find(graph, name)?.levels ?? []
  const texts = ['description', 'is'].flatMap((key) => {
    return levels.map(({ properties }) => properties[key])
  })
  return texts.filter((text) => typeof text === 'string').find((text) => text !== '') ?? null
}

function deepen(
  shallow: Map<string, { required: number; current: number | null }>,
  name: string,
  { required, current }: { readonly required: number; readonly current: number | null },
): void {
  const before = shallow.get(name)?.required ?? 0
  shallow.set(name, { required: Math.max(before, required), current })
}

function missing(
  graph: Graph,
  ground: Ground,
  gap: Extract<Gap, { kind: 'EXISTENCE' }>,
): readonly Fix[] {
  const { primitive: name, candidates = [] } = gap
  if (candidates.length > 0) return [{ text: gapText(gap), where: null, pieces: [] }]
  const deepest = Math.max(1, ground.minDepth ?? 1)
  const targets = targetsOf(graph, ground, name)
  const depths = levelsBetween(null, deepest).map((level) => {
    const isFirst = level === 1 && targets.length > 0
    return {
      ...levelPiece(level),
      ...(isFirst && { relata: targets.map((target) => relatum(graph, target)) }),
    }
  })
  const where = 'into `primitives`'
  const added: Fix = { text: gapText(gap), where, pieces: [{ name, depths }] }
  const source = sourceOf(graph, ground, name)
  return source === null ? [added] : [added, related(graph, source, name)]
}

function related(graph: Graph, source: string, target: string): Fix {
  const text = `${quoted(source)} is not connected to ${quoted(target)}: add an edge`
  const where = `into \`relata\` of a level of ${quoted(source)}`
  return { text, where, pieces: [relatum(graph, target)] }
}

function apart(graph: Graph, ground: Ground, gap: Extract<Gap, { kind: 'REACHABILITY' }>): Fix {
  const { primitive: name } = gap
  const text = gapText(gap, meaningOf(graph, name))
  const other = neighbour(graph, ground, name)
  if (other === null) return { text, where: null, pieces: [] }
  const [source, target] = isBefore(ground, name, other) ? [name, other] : [other, name]
  return { ...related(graph, source, target), text }
}

function tooShallow(
  graph: Graph,
  name: string,
  { required, current }: { readonly required: number; readonly current: number | null },
): Fix {
  return {
    text: gapText({ kind: 'DEPTH', primitive: name, required, current }, meaningOf(graph, name)),
    where: `into \`depths\` of ${quoted(name)}, where the level is missing or empty`,
    pieces: levelsBetween(current, required).map(levelPiece),
  }
}

/** What the concept is most likely about: another one of the question that is known. */
function neighbour(graph: Graph, ground: Ground, name: string): string | null {
  const cutOff = new Set(ground.gaps.flatMap((gap) => ('primitive' in gap ? [gap.primitive] : [])))
  const others = [...new Set(ground.resolved)].filter((other) => other !== name)
  const known = others.filter((other) => find(graph, other) !== undefined)
  return known.find((other) => !cutOff.has(other)) ?? known[0] ?? null
}

/** An action is named before what it acts on, and the edge leads from it to that. */
function isBefore({ resolved }: Ground, one: string, other: string): boolean {
  return resolved.indexOf(one) < resolved.indexOf(other)
}

/** To what the edges of a concept that is missing should lead. */
function targetsOf(graph: Graph, ground: Ground, name: string): readonly string[] {
  const other = neighbour(graph, ground, name)
  if (other !== null) return isBefore(ground, name, other) ? [other] : []
  // All are missing: the first relates to each other one.
  const [first, ...rest] = new Set(ground.resolved)
  return first === name ? rest : []
}

/** From what that is known an edge should lead to a concept that is missing. */
function sourceOf(graph: Graph, ground: Ground, name: string): string | null {
  const other = neighbour(graph, ground, name)
  return other === null || isBefore(ground, name, other) ? null : other
}

function relatum(graph: Graph, target: string): { readonly [key: string]: Json } {
  const reached = find(graph, target)?.strict ?? 1
  return { type: 'APPLIES_TO', target, targetDepth: Math.min(1, Math.max(0, reached)) }
}

function levelPiece(level: number): { readonly level: number; readonly [key: string]: Json } {
  const description = placeholderFor(level)
  return description === '' ? { level } : { level, properties: { description } }
}
