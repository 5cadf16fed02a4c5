// What a seed file would change of a graph: what is not there is added, what differs is replaced,
// and what only the graph has stays as it is.
import type { GraphFile, GraphOperation, Primitive, Relatum } from '#schemas/graph'
import { canonical, jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { caseFold } from '#record/case-fold'
import { primitiveToFile } from '#knowledge/graph/graph'
import { isPulling } from '#knowledge/graph/record'
import { find, type Graph } from '#knowledge/graph/revision'
import { seedSteps, type SeedStep } from '#knowledge/graph/seed-steps'
import type { Bundle, Piece } from '#record/change-sets'

export interface GraphDifference {
  /** One for each primitive of the file that changes something, in the order that was asked for. */
  readonly pieces: readonly Piece<SeedStep>[]
  /** What the graph has and the file does not, of the primitives that both have. */
  readonly leftAlone: { readonly levels: number; readonly edges: number }
}

/**
 * `file`: as written. `needed_first`: what others pull in comes before them, and an edge with the
 * later of its ends, so that wherever the pieces are parted nothing is known without all that it
 * needs.
 */
export type PieceOrder = 'file' | 'needed_first'

interface Entry {
  readonly primitive: Primitive
  readonly where: string
  readonly folded: string
  /** What the graph has under that name. */
  readonly stored: Primitive | null
}

/** Edges of one level, type and target, which operations can only replace together. */
interface Group {
  readonly source: string
  readonly target: string
  readonly bundle: Bundle<SeedStep>
}

export function graphDifference(
  graph: Graph,
  file: GraphFile,
  order: PieceOrder = 'file',
): GraphDifference {
  // Refuses levels that stand twice; two primitives of one name are refused here.
  seedSteps(file)
  const entries = ordered(entriesOf(graph, file), order)
  const places = new Map(entries.map(({ folded }, place) => [folded, place]))
  const pieces: Bundle<SeedStep>[][] = entries.map((entry) => [definition(entry)])
  const leftAlone = { levels: 0, edges: 0 }
  for (const entry of entries) {
    const { groups, edgesLeft } = groupsOf(entry)
    leftAlone.edges += edgesLeft
    leftAlone.levels += levelsLeft(entry)
    for (const { source, target, bundle } of groups) {
      const place = Math.max(places.get(source) ?? 0, places.get(target) ?? 0)
      pieces[place]?.push(bundle)
    }
  }
  const changing = pieces
    .map((piece) => piece.filter((bundle) => bundle.length > 0))
    .filter((piece) => piece.length > 0)
  return { pieces: changing, leftAlone }
}

function entriesOf(graph: Graph, file: GraphFile): readonly Entry[] {
  const first = new Map<string, number>()
  return file.primitives.map((primitive, index) => {
    const folded = caseFold(primitive.name)
    const earlier = first.get(folded)
    const where = `primitives[${index}]`
    if (earlier !== undefined) {
      const twice = `\`${primitive.name}\` stands at primitives[${earlier}] already`
      throw new Fault('name_repeated', `${where}: ${twice}: make them one`)
    }
    first.set(folded, index)
    const record = find(graph, primitive.name)
    return {
      primitive,
      where,
      folded,
      stored: record === undefined ? null : primitiveToFile(graph, record),
    }
  })
}

/** Depth first along what is pulled in, without recursion: a chain may be as long as the file. */
function ordered(entries: readonly Entry[], order: PieceOrder): readonly Entry[] {
  if (order === 'file') return entries
  const byName = new Map(entries.map((entry) => [entry.folded, entry]))
  const begun = new Set<Entry>()
  const done = new Set<Entry>()
  const open = [...entries].toReversed()
  // Each entry is opened once for itself and once for each edge that pulls it in.
  for (let entry = open.at(-1); entry !== undefined; entry = open.at(-1)) {
    if (begun.has(entry)) {
      open.pop()
      done.add(entry)
      continue
    }
    begun.add(entry)
    for (const target of pulledBy(entry)) {
      const needed = byName.get(target)
      if (needed !== undefined && !begun.has(needed)) open.push(needed)
    }
  }
  return [...done]
}

function pulledBy({ primitive }: Entry): readonly string[] {
  const edges = primitive.depths.flatMap(({ relata }) => relata)
  return edges.filter(({ type }) => isPulling(type)).map(({ target }) => caseFold(target))
}

function definition({ primitive, where, stored }: Entry): Bundle<SeedStep> {
  const { name } = primitive
  const steps: SeedStep[] = []
  if (stored === null) steps.push({ operation: { op: 'add', name }, where })
  else if (stored.name !== name) {
    steps.push({ operation: { op: 'rename', name: stored.name, to: name }, where })
  }
  for (const [at, { level, properties }] of primitive.depths.entries()) {
    const known = stored?.depths.find((depth) => depth.level === level)
    if (known !== undefined && same(known.properties, properties)) continue
    const operation: GraphOperation = { op: 'describe', name, level, properties }
    steps.push({ operation, where: `${where}.depths[${at}]` })
  }
  return steps
}

function groupsOf(entry: Entry): { readonly groups: readonly Group[]; readonly edgesLeft: number } {
  const { primitive, stored, folded: source } = entry
  const storedGroups = new Map<string, Relatum[]>()
  for (const { level, relata } of stored?.depths ?? []) {
    for (const relatum of relata) grouped(storedGroups, groupKey(level, relatum), relatum)
  }
  const written = new Map<string, SeedStep[]>()
  const relataOf = new Map<string, Relatum[]>()
  for (const [at, { level, relata }] of primitive.depths.entries()) {
    for (const [nth, relatum] of relata.entries()) {
      const key = groupKey(level, relatum)
      const operation: GraphOperation = { op: 'relate', name: primitive.name, level, relatum }
      grouped(written, key, { operation, where: `${entry.where}.depths[${at}].relata[${nth}]` })
      grouped(relataOf, key, relatum)
    }
  }
  const groups: Group[] = []
  for (const [key, steps] of written) {
    const before = storedGroups.get(key)
    storedGroups.delete(key)
    const relata = relataOf.get(key) ?? []
    const target = caseFold(relata[0]?.target ?? '')
    if (before === undefined) groups.push({ source, target, bundle: steps })
    else if (!same(before.map(unnamed), relata.map(unnamed))) {
      groups.push({ source, target, bundle: [unrelating(steps), ...steps] })
    }
  }
  const edgesLeft = [...storedGroups.values()].reduce((sum, { length }) => sum + length, 0)
  return { groups, edgesLeft }
}

/** Takes away what is there of the group before it is written again, in one bundle with it. */
function unrelating(steps: readonly SeedStep[]): SeedStep {
  const [first] = steps
  if (first?.operation.op !== 'relate') throw new Error('broken invariant: a group relates')
  const { name, level, relatum } = first.operation
  const { type, target } = relatum
  return { operation: { op: 'unrelate', name, level, type, target }, where: first.where }
}

function groupKey(level: number, { type, target }: Relatum): string {
  return `${level} ${type} ${caseFold(target)}`
}

function grouped<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const found = groups.get(key)
  if (found === undefined) groups.set(key, [item])
  else found.push(item)
}

// How a target is cased makes no other edge of it.
function unnamed({ targetDepth, metadata, policies }: Relatum): unknown {
  return { targetDepth, metadata, policies }
}

function levelsLeft({ primitive, stored }: Entry): number {
  const written = new Set(primitive.depths.map(({ level }) => level))
  return stored?.depths.filter(({ level }) => !written.has(level)).length ?? 0
}

function same(one: unknown, other: unknown): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}
