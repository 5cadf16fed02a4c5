// How each gap of a grounding is closed most cheaply: what to write, where, and a piece of a seed
// file that can be pasted there. The words in it ask; what is true only people can say.
import type { Ground } from '#schemas/facts'
import type { Gap } from '#schemas/graph'
import type { Json } from '#core/kernel/canonical'
import { find, type Graph } from '#core/graph/revision'
import { quoted } from '#core/kernel/quote'
import { gapText, levelsBetween } from './gap.ts'

export interface Fix {
  /** What is missing and how to fix it, in one sentence. */
  readonly text: string
  /** Where in `graph.json` the pieces go; null where the graph needs no change. */
  readonly where: string | null
  readonly pieces: readonly Json[]
}

const questions = [
  '',
  'what is it?',
  'what can it do, or be done with it?',
  'what limits it?',
  'what follows from it?',
] as const

export function fixesOf(graph: Graph, ground: Ground): readonly Fix[] {
  const shallow = new Map<string, { required: number; current: number | null }>()
  const fixes: Fix[] = []
  for (const gap of ground.gaps) {
    switch (gap.kind) {
      case 'EXISTENCE':
        fixes.push(missing(graph, ground, gap))
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
  return [...fixes, ...[...shallow].map(([name, depth]) => tooShallow(name, depth))]
}

function deepen(
  shallow: Map<string, { required: number; current: number | null }>,
  name: string,
  { required, current }: { readonly required: number; readonly current: number | null },
): void {
  const before = shallow.get(name)?.required ?? 0
  shallow.set(name, { required: Math.max(before, required), current })
}

function missing(graph: Graph, ground: Ground, gap: Extract<Gap, { kind: 'EXISTENCE' }>): Fix {
  const { primitive: name, candidates = [] } = gap
  if (candidates.length > 0) {
    return { text: gapText(gap), where: null, pieces: [] }
  }
  const deepest = Math.max(1, ground.minDepth ?? 1)
  const levels = levelsBetween(null, deepest).map(levelPiece)
  const target = neighbour(graph, ground, name)
  const depths = levels.map((level) => {
    const relata = level.level === 1 && target !== null ? { relata: [relatum(graph, target)] } : {}
    return { ...level, ...relata }
  })
  return {
    text: gapText(gap),
    where: 'into `primitives`',
    pieces: [{ name, depths }],
  }
}

function apart(graph: Graph, ground: Ground, gap: Extract<Gap, { kind: 'REACHABILITY' }>): Fix {
  const { primitive: name } = gap
  const target = neighbour(graph, ground, name)
  const text = gapText(gap)
  if (target === null) return { text, where: null, pieces: [] }
  const where = `into \`relata\` of a level of ${quoted(name)}`
  return { text, where, pieces: [relatum(graph, target)] }
}

function tooShallow(
  name: string,
  { required, current }: { readonly required: number; readonly current: number | null },
): Fix {
  return {
    text: gapText({ kind: 'DEPTH', primitive: name, required, current }),
    where: `into \`depths\` of ${quoted(name)}, where the level is missing or empty`,
    pieces: levelsBetween(current, required).map(levelPiece),
  }
}

/** What the concept is most likely about: another one of the question, known before missing. */
function neighbour(graph: Graph, ground: Ground, name: string): string | null {
  const cutOff = new Set(ground.gaps.flatMap((gap) => ('primitive' in gap ? [gap.primitive] : [])))
  const others = [...new Set(ground.resolved)].filter((other) => other !== name)
  const known = others.filter((other) => find(graph, other) !== undefined)
  const settled = known.find((other) => !cutOff.has(other)) ?? known[0]
  if (settled !== undefined) return settled
  // All are missing: each but the first relates to the first.
  const [first] = ground.resolved
  return first === undefined || first === name ? null : first
}

function relatum(graph: Graph, target: string): { readonly [key: string]: Json } {
  const reached = find(graph, target)?.strict ?? 1
  return { type: 'APPLIES_TO', target, targetDepth: Math.min(1, Math.max(0, reached)) }
}

function levelPiece(level: number): { readonly level: number; readonly [key: string]: Json } {
  const description = questions[level] ?? ''
  return description === '' ? { level } : { level, properties: { description } }
}
