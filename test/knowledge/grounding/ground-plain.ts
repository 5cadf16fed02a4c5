// Grounding once more, straight from the written rules and as slowly as they read: what the engine
// is held against. It shares no code with it and knows names by their lower case only.
import type { Depth, Gap, GraphFile, PathwayEdge, PlacedPolicy, Relatum } from '#schemas/graph'

type Profile = 'strict' | 'classic'

interface Edge {
  readonly source: string
  readonly target: string
  readonly sourceDepth: number
  readonly relatum: Relatum
}

export interface PlainQuery {
  readonly concepts: readonly string[]
  readonly minDepth?: number | undefined
  readonly profile: Profile
}

export interface PlainAnswer {
  readonly grounded: boolean
  readonly resolved: string[]
  readonly gaps: Gap[]
  readonly pathway: PathwayEdge[]
  readonly policies: PlacedPolicy[]
  readonly visible: { name: string; level: number | null }[]
  readonly gated: PathwayEdge[]
}

export function plainGround(file: GraphFile, query: PlainQuery): PlainAnswer {
  const { concepts, minDepth, profile } = query
  const strict = profile === 'strict'
  const depthsOf = new Map(file.primitives.map((each) => [each.name, each.depths]))
  const ladder = (name: string): number => ladderOf(depthsOf.get(name) ?? [], strict)

  // 1. Names.
  const known = concepts.map((concept) => nameIn(file, concept))
  const resolved = concepts.map((concept, index) => known[index] ?? concept)
  const rootEntries = known.filter((name) => name !== undefined)
  const roots = strict ? [...new Set(rootEntries)] : rootEntries
  const unknown = concepts.filter((_, index) => known[index] === undefined)
  const transients = strict ? firstOfEach(unknown) : unknown

  // 2. What is pulled in, and the edges inside it, as they are written.
  const all = edgesOf(file)
  const pulled = closure(roots, (name) => all.filter((e) => e.source === name && isPulling(e)))
  const inside = all.filter((edge) => pulled.has(edge.source) && pulled.has(edge.target))

  // 3. Which edges count, and in strict, which are looked at.
  const isVisible = (edge: Edge): boolean => ladder(edge.source) >= edge.sourceDepth
  const frontier = strict
    ? closure(roots, (name) => inside.filter((e) => e.source === name && isVisible(e)))
    : pulled
  const looked = inside.filter((edge) => frontier.has(edge.source))
  const visible = looked.filter(isVisible)
  const gated = looked.filter((edge) => !isVisible(edge))

  // 4. Gaps.
  const gaps: Gap[] = [
    ...transients.map((primitive): Gap => ({ kind: 'EXISTENCE', primitive })),
    ...depthGaps(file, { gated, roots, minDepth, ladder }),
    ...relationalGaps(visible, ladder),
    ...reachabilityGaps(roots, visible, frontier),
  ]
  const traced = strict ? visible : inside
  const nodes = file.primitives.map(({ name }) => name).filter((name) => frontier.has(name))
  return {
    grounded: concepts.length > 0 && gaps.length === 0,
    resolved,
    gaps,
    pathway: visible.map(wordOf),
    policies: traced.filter((e) => e.relatum.type === 'APPLIES_TO').flatMap(placed),
    visible: nodes.map((name) => ({ name, level: orNull(ladder(name)) })),
    gated: gated.map(wordOf),
  }
}

function nameIn(file: GraphFile, concept: string): string | undefined {
  const key = concept.toLowerCase()
  return file.primitives.find(({ name }) => name.toLowerCase() === key)?.name
}

function firstOfEach(names: readonly string[]): string[] {
  const keys = names.map((name) => name.toLowerCase())
  return names.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

function ladderOf(depths: readonly Depth[], strict: boolean): number {
  let reached = -1
  for (;;) {
    const next = depths.find((depth) => depth.level === reached + 1)
    if (next === undefined) return reached
    const isEmpty = Object.keys(next.properties).length === 0 && next.relata.length === 0
    if (strict && next.level > 0 && isEmpty) return reached
    reached += 1
  }
}

function edgesOf(file: GraphFile): Edge[] {
  return file.primitives.flatMap(({ name, depths }) =>
    depths
      .toSorted((one, other) => one.level - other.level)
      .flatMap(({ level, relata }) =>
        relata.map((relatum) => ({
          source: name,
          target: nameIn(file, relatum.target) ?? '',
          sourceDepth: level,
          relatum,
        })),
      ),
  )
}

function isPulling({ relatum }: Edge): boolean {
  return ['REQUIRES', 'CONSTRAINED_BY', 'DEPENDS_ON'].includes(relatum.type)
}

function closure(
  starts: readonly string[],
  onwards: (name: string) => readonly Edge[],
): Set<string> {
  const found = new Set(starts)
  for (const name of found) for (const { target } of onwards(name)) found.add(target)
  return found
}

function depthGaps(
  file: GraphFile,
  asked: {
    readonly gated: readonly Edge[]
    readonly roots: readonly string[]
    readonly minDepth: number | undefined
    readonly ladder: (name: string) => number
  },
): Gap[] {
  const { gated, roots, minDepth, ladder } = asked
  const demands = new Map<string, number>()
  const demand = (name: string, required: number): void => {
    demands.set(name, Math.max(required, demands.get(name) ?? 0))
  }
  for (const edge of gated) demand(edge.source, edge.sourceDepth)
  for (const { name } of file.primitives) {
    if (minDepth !== undefined && roots.includes(name) && ladder(name) < minDepth) {
      demand(name, minDepth)
    }
  }
  return [...demands].map(([primitive, required]) => {
    return { kind: 'DEPTH', primitive, required, current: orNull(ladder(primitive)) }
  })
}

function relationalGaps(visible: readonly Edge[], ladder: (name: string) => number): Gap[] {
  const failing = visible.filter((edge) => ladder(edge.target) < edge.relatum.targetDepth)
  const pairs = new Map<string, Edge[]>()
  for (const edge of failing) {
    const key = JSON.stringify([edge.source, edge.target])
    pairs.set(key, [...(pairs.get(key) ?? []), edge])
  }
  return [...pairs.values()].flatMap((edges) => {
    const [first] = edges
    if (first === undefined) return []
    const { source, target } = first
    const required = Math.max(...edges.map((edge) => edge.relatum.targetDepth))
    return [{ kind: 'RELATIONAL', source, target, required, current: orNull(ladder(target)) }]
  })
}

function reachabilityGaps(
  roots: readonly string[],
  visible: readonly Edge[],
  nodes: ReadonlySet<string>,
): Gap[] {
  if (roots.length < 2) return []
  const component = (name: string): Set<string> => {
    const found = new Set([name])
    for (const here of found) {
      for (const { source, target } of visible) {
        if (source === here && nodes.has(target)) found.add(target)
        if (target === here && nodes.has(source)) found.add(source)
      }
    }
    return found
  }
  let largest = new Set<string>()
  for (const root of roots) {
    const found = component(root)
    if (found.size > largest.size) largest = found
  }
  return roots
    .filter((root) => !largest.has(root))
    .map((primitive) => ({ kind: 'REACHABILITY', primitive }))
}

function placed({ source, target, relatum }: Edge): PlacedPolicy[] {
  return relatum.policies.map((policy) => ({ source, target, policy }))
}

function wordOf({ source, target, sourceDepth, relatum }: Edge): PathwayEdge {
  const { type, targetDepth } = relatum
  return { source, target, type, sourceDepth, targetDepth }
}

function orNull(level: number): number | null {
  return level < 0 ? null : level
}
