// Grounding on copies of the core seed: what a call costs should follow its answer and not the
// graph.
import { readFileSync } from 'node:fs'
import type { Primitive, Relatum } from '#schemas/graph'
import { graphFromFile } from '#knowledge/graph/graph'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'
import { atMost, ratioAtLeast, inRounds, median, sized, type Bench } from '../harness.ts'

type Draw = (below: number) => number

const rounds = 3
const calls = sized(20_000)
const conceptSets = 60
/** Microseconds of VRE 0.4.3, one concept of 10 000 primitives, as measured elsewhere. */
const vreMicros = 109

const [large, small, eight] = ['one concept of 10 000', 'one of 1 000', 'eight of 10 000']
const vre = 'VRE 0.4.3, elsewhere'

export const bench: Bench = {
  title: 'Grounding in a graph of copies of the core seed',
  run: async () => {
    const ran = await inRounds(rounds, () => ({
      [large]: microseconds(10_000, 1),
      [small]: microseconds(1_000, 1),
      [eight]: microseconds(10_000, 8),
      [vre]: vreMicros,
    }))
    return [
      ran.figure(large, 'µs', { against: vre, aims: atMost(10) }),
      ran.figure(small, 'µs', { against: large, aims: ratioAtLeast(0.5) }),
      ran.figure(eight, 'µs', { against: large }),
    ]
  },
}

function microseconds(size: number, concepts: number): number {
  // The same draws in each run.
  const { file, pick } = tiled(size, drawFrom(size))
  const graph = graphFromFile(file)
  const draw = drawFrom(concepts)
  const sets = Array.from({ length: conceptSets }, () => pick(concepts, draw))
  const times: number[] = []
  for (let call = 0; call < calls; call += 1) {
    const asked = sets[call % sets.length] ?? []
    const start = process.hrtime.bigint()
    ground(graph, { concepts: asked, profile: 'strict' })
    times.push(Number(process.hrtime.bigint() - start) / 1_000)
  }
  return median(times)
}

/** Copies of the core seed, each with one edge to the copy before it. */
function tiled(count: number, draw: Draw) {
  const seed = readFileSync(new URL('../../seeds/core/graph.json', import.meta.url), 'utf8')
  const core = parseGraphFile(JSON.parse(seed)).primitives
  const tiles = Math.ceil(count / core.length)
  const primitives = Array.from({ length: tiles }, (_, tile) =>
    core.map((primitive) => tileOf(primitive, tile, core[draw(core.length)]?.name ?? '')),
  )
  /** As many concepts as asked for, as someone would ask for them together: of one copy. */
  const pick = (asked: number, by: Draw): readonly string[] => {
    const tile = by(tiles)
    return Array.from({ length: asked }, () => `${core[by(core.length)]?.name}_${tile}`)
  }
  return { file: { primitives: primitives.flat() }, pick }
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

function relatum(type: Relatum['type'], target: string, targetDepth: number): Relatum {
  return { type, target, targetDepth, metadata: {}, policies: [] }
}

function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
