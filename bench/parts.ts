// The benches of single parts as reports: the log, grounding, the rule chain, messages.
import { measureGrounding, type GroundingMeasure } from './pure/ground.ts'
import { measureJudge } from './pure/judge.ts'
import { measureLog } from './embedded/log.ts'
import { benchVlp } from './pure/vlp.ts'
import { whole, type Report } from './figures.ts'

const oneConceptMicrosecondsMax = 10
const vreMicroseconds = { tiled: 109, cluster: 229, uniform: 276_000 }

export async function benchLog(): Promise<Report> {
  const measured = await measureLog()
  return {
    title: 'appends a second',
    head: ['what', 'a second', 'of the driver'],
    rows: measured.map((one) => [one.what, whole(one.perSecond), one.ratioToDriver.toFixed(2)]),
    notes: ['the driver inserts the same rows, alone or in groups as large'],
    targets: [],
  }
}

export function benchGround(): Promise<Report> {
  const measured = measureGrounding()
  const large = measured.filter(({ primitives, concepts, profile }) => {
    return primitives === 10_000 && concepts === 1 && profile === 'strict'
  })
  const tiled = large.find(({ shape }) => shape === 'tiled')?.medianMicroseconds ?? Number.NaN
  return Promise.resolve({
    title: 'grounding',
    head: ['graph', 'primitives', 'concepts', 'profile', 'seen', 'edges', 'µs', 'VRE 0.4.3 µs'],
    rows: measured.map(rowOf),
    notes: ['medians; VRE is as measured elsewhere, for one concept on 10,000 primitives'],
    targets: [
      {
        claim: `under ${oneConceptMicrosecondsMax} µs for one concept of the tiled 10,000`,
        met: tiled < oneConceptMicrosecondsMax,
        figures: `${tiled.toFixed(2)} µs`,
      },
      {
        claim: 'its cost grows with the answer, not the graph',
        met: growthOf(measured) < 2,
        figures: `ten times the tiled graph costs ${growthOf(measured).toFixed(2)} times as much`,
      },
    ],
  })
}

function rowOf(one: GroundingMeasure): (number | string)[] {
  const { shape, primitives, concepts, profile, visible, edges, medianMicroseconds } = one
  const alike = primitives === 10_000 && concepts === 1 && profile === 'classic'
  const vre = alike ? whole(vreMicroseconds[shape]) : ''
  const cost = medianMicroseconds.toFixed(2)
  return [shape, whole(primitives), concepts, profile, visible, edges, cost, vre]
}

function growthOf(measured: readonly GroundingMeasure[]): number {
  const [small, large] = [1_000, 10_000].map((size) =>
    measured.find(({ shape, primitives, concepts, profile }) => {
      return shape === 'tiled' && primitives === size && concepts === 1 && profile === 'strict'
    }),
  )
  return (large?.medianMicroseconds ?? Number.NaN) / (small?.medianMicroseconds ?? Number.NaN)
}

export function benchJudge(): Promise<Report> {
  return Promise.resolve({
    title: 'the rule chain',
    head: ['case', 'outcome', 'µs'],
    rows: measureJudge().map((one) => [one.name, one.outcome, one.medianMicroseconds.toFixed(2)]),
    notes: [],
    targets: [],
  })
}

export function benchMessages(): Promise<Report> {
  return Promise.resolve({
    title: 'checking messages',
    head: ['message', 'bytes', 'a second', 'of plain JSON.parse', 'envelope, of the schema'],
    rows: benchVlp().map((one) => [
      one.name,
      whole(one.bytes),
      whole(one.checksPerSecond),
      one.ratioToParsing.toFixed(2),
      one.ratioToSchema.toFixed(2),
    ]),
    notes: ['the schema is the generated one, compiled by ajv; above 1 our check is faster'],
    targets: [],
  })
}
