// Measures grounding on graphs of three shapes: what a call costs should follow its answer and not
// the graph. The same draws in each run; run as a file it prints the table.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { relationTypes, type GraphFile, type Primitive, type Relatum } from '#schemas/graph'
import { graphFromFile } from '#core/graph/graph'
import type { Graph } from '#core/graph/revision'
import { isPulling } from '#core/graph/record'
import { parseGraphFile } from '#core/authoring/seed-file'
import { ground } from '#core/grounding/ground'
import { profiles, type Profile } from '#core/grounding/survey'

export interface GroundingMeasure {
  readonly shape: Shape
  readonly primitives: number
  readonly concepts: number
  readonly profile: Profile
  /** Of the answers, in the middle. */
  readonly visible: number
  readonly edges: number
  readonly medianMicroseconds: number
}

const shapes = ['tiled', 'cluster', 'uniform'] as const
type Shape = (typeof shapes)[number]
type Draw = (below: number) => number

interface Sample {
  readonly file: GraphFile
  /** As many concepts as asked for, as someone would ask for them together. */
  readonly concepts: (count: number, draw: Draw) => readonly string[]
}

const callsMax = 20_000
const budgetMs = 1000
const conceptSets = 60

export function measureGrounding(sizes: readonly number[] = [1000, 10_000]): GroundingMeasure[] {
  const measures: GroundingMeasure[] = []
  for (const shape of shapes) {
    for (const primitives of sizes) {
      const sample = sampleOf(shape, primitives)
      const graph = graphFromFile(sample.file)
      for (const concepts of [1, 3, 8]) {
        for (const profile of profiles) {
          const sets = setsOf(sample, concepts)
          measures.push({ shape, primitives, concepts, profile, ...measure(graph, sets, profile) })
        }
      }
    }
  }
  return measures
}

function measure(
  graph: Graph,
  sets: readonly (readonly string[])[],
  profile: Profile,
): Pick<GroundingMeasure, 'visible' | 'edges' | 'medianMicroseconds'> {
  const answers = sets.map((concepts) => ground(graph, { concepts, profile }))
  const times: number[] = []
  const end = performance.now() + budgetMs
  for (let call = 0; call < callsMax && performance.now() < end; call += 1) {
    const concepts = sets[call % sets.length] ?? []
    const start = process.hrtime.bigint()
    ground(graph, { concepts, profile })
    times.push(Number(process.hrtime.bigint() - start) / 1000)
  }
  return {
    visible: median(answers.map((answer) => answer.visible.length)),
    edges: median(answers.map((answer) => answer.pathway.length)),
    medianMicroseconds: median(times),
  }
}

export function setsOf(sample: Sample, count: number): readonly (readonly string[])[] {
  const draw = drawFrom(count)
  return Array.from({ length: conceptSets }, () => sample.concepts(count, draw))
}

export function sampleOf(shape: Shape, count: number): Sample {
  const draw = drawFrom(count)
  switch (shape) {
    case 'tiled':
      return tiled(count, draw)
    case 'cluster':
      return clustered(count, draw)
    case 'uniform':
      return uniform(count, draw)
  }
}

/** Copies of the core seed, each with one edge to the copy before it. */
function tiled(count: number, draw: Draw): Sample {
  const seed = readFileSync(new URL('../../seeds/core/graph.json', import.meta.url), 'utf8')
  const core = parseGraphFile(JSON.parse(seed)).primitives
  const tiles = Math.ceil(count / core.length)
  const primitives = Array.from({ length: tiles }, (_, tile) =>
    core.map((primitive) => tileOf(primitive, tile, core[draw(core.length)]?.name ?? '')),
  )
  return {
    file: { primitives: primitives.flat() },
    concepts: (asked, pick) => {
      const tile = pick(tiles)
      return Array.from({ length: asked }, () => `${core[pick(core.length)]?.name}_${tile}`)
    },
  }
}

function tileOf(primitive: Primitive, tile: number, other: string): Primitive {
  const depths = primitive.depths.map((depth) => {
    const relata = depth.relata.map((each) => ({ ...each, target: `${each.target}_${tile}` }))
    const crosses = tile > 0 && depth.level === 2 && primitive.name === 'group'
    const across = relatum('DEPENDS_ON', `${other}_${tile - 1}`, 1)
    return { ...depth, relata: crosses ? [...relata, across] : relata }
  })
  return { name: `${primitive.name}_${tile}`, depths }
}

/**
 * Clusters of 16, three edges each, all inside; asked for are late ones, which pull in most of
 * theirs.
 */
function clustered(count: number, draw: Draw): Sample {
  const size = 16
  const clusters = Math.ceil(count / size)
  const file = randomFile(clusters * size, draw, {
    pulled: (index) => index - 1 - draw(index % size),
    other: (index) => index - (index % size) + draw(size),
    first: (index) => index % size === 0,
  })
  const concepts = (asked: number, pick: Draw): readonly string[] => {
    const last = pick(clusters) * size + size - 1
    return Array.from({ length: asked }, () => `p${last - pick(8)}`)
  }
  return { file, concepts }
}

/** Three edges each; what the late ones pull in is three quarters of the graph. */
function uniform(count: number, draw: Draw): Sample {
  const file = randomFile(count, draw, {
    pulled: (index) => index - 1 - draw(Math.min(index, 100)),
    other: () => draw(count),
    first: (index) => index === 0,
  })
  const late = Math.floor(count / 20)
  const concepts = (asked: number, pick: Draw): readonly string[] =>
    Array.from({ length: asked }, () => `p${count - 1 - pick(late)}`)
  return { file, concepts }
}

interface Targets {
  /** An earlier primitive, so that none is pulled in a circle. */
  readonly pulled: (index: number) => number
  readonly other: (index: number) => number
  /** Whether there is nothing earlier to pull in. */
  readonly first: (index: number) => boolean
}

/** All known to level 3, with three edges of a type drawn from all five. */
function randomFile(count: number, draw: Draw, targets: Targets): GraphFile {
  const primitives = Array.from({ length: count }, (_, index) => {
    const edges = [1, 2, 3].map(() => {
      const type = relationTypes[draw(relationTypes.length)] ?? 'INCLUDES'
      const pulls = isPulling(type) && !targets.first(index)
      const target = pulls ? targets.pulled(index) : targets.other(index)
      return relatum(pulls || !isPulling(type) ? type : 'INCLUDES', `p${target}`, draw(4))
    })
    const depths = [0, 1, 2, 3].map((level) => ({
      level,
      properties: { says: `level ${level}` },
      relata: edges.filter((_edge, nth) => nth + 1 === level),
    }))
    return { name: `p${index}`, depths }
  })
  return { primitives }
}

function relatum(type: Relatum['type'], target: string, targetDepth: number): Relatum {
  return { type, target, targetDepth, metadata: {}, policies: [] }
}

/** The same draws in each run. */
function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >>> 1] ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const each of measureGrounding()) {
    const size = `${each.visible} primitives, ${each.edges} edges in the answer`
    const asked = `${each.concepts} of ${each.primitives} ${each.shape}, ${each.profile}`
    console.log(`${each.medianMicroseconds.toFixed(2).padStart(10)} µs  ${asked}: ${size}`)
  }
}
