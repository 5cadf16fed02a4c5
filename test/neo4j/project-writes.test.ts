// What is to be written, without anyone to write it: the difference of two revisions, and a whole
// graph in slices.
import { expect, test } from 'vitest'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import { writesBetween, writesOf, type GraphWrites, type Row } from '#neo4j/projection/graph-writes'
import {
  addStep,
  batchOf,
  newPending,
  settle,
  type ProjectionStep,
} from '#neo4j/projection/pending'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import { add, applied, describeLevel, relate } from '../support/samples/graph-changes.ts'

const none = { places: 0, orders: 0 }

function counts({ gone, renamed, put }: GraphWrites): Readonly<Record<string, number>> {
  const counted = new Map<string, number>()
  for (const [what, rows] of Object.entries({ gone, put })) {
    for (const { kind } of rows) {
      counted.set(`${what} ${kind}`, (counted.get(`${what} ${kind}`) ?? 0) + 1)
    }
  }
  if (renamed.length > 0) counted.set('renamed', renamed.length)
  return Object.fromEntries(counted)
}

const putOf = ({ put }: GraphWrites, kind: Row['kind']) => put.filter((row) => row.kind === kind)

const small = applied(
  emptyGraph,
  ['sent emails', 'bravo'].flatMap((each) => [add(each), describeLevel(each, 0)]),
)
const related = applied(small, [
  relate('bravo', 0, 'REQUIRES', 'sent emails'),
  relate('bravo', 0, 'REQUIRES', 'sent emails'),
])

test('between a revision and itself nothing is written', () => {
  expect(counts(writesBetween(small, small, none))).toEqual({})
})

test('numbers go on from where they were', () => {
  const writes = writesBetween(emptyGraph, related, { places: 7, orders: 3 })
  expect(putOf(writes, 'Primitive').map(({ place }) => place)).toEqual([7, 8])
  expect(putOf(writes, 'REQUIRES')).toMatchObject([{ node: { order: 3 } }, { node: { order: 4 } }])
  expect(writes.counters).toEqual({ places: 9, orders: 5 })
})

test('edges alike go by one row, and one that came and went by none', () => {
  const unrelate = { op: 'unrelate' as const, name: 'bravo', level: 0, target: 'sent emails' }
  const parted = applied(related, [{ ...unrelate, type: 'REQUIRES' }])
  expect(counts(writesBetween(related, parted, none))).toEqual({ 'gone REQUIRES': 1 })
  expect(counts(writesBetween(small, parted, none))).toEqual({})
})

test('an edge more changes neither its level nor what was there', () => {
  const more = applied(related, [relate('bravo', 0, 'INCLUDES', 'bravo')])
  expect(counts(writesBetween(related, more, none))).toEqual({ 'put INCLUDES': 1 })
})

test('what is removed and added again in one set keeps its place and the edges to it', () => {
  const again = applied(related, [{ op: 'remove', name: 'sent emails' }, add('Sent Emails')])
  const writes = writesBetween(related, again, none)
  expect(counts(writes)).toEqual({ 'gone Level': 1, 'put Primitive': 1 })
  const [changed] = putOf(writes, 'Primitive')
  const node = { name: 'Sent Emails', strict: -1 }
  expect(changed).toMatchObject({ key: 'sent emails', isNew: false, node })
})

test('a name of several words reads as every form of them', () => {
  const worded = putOf(writesBetween(emptyGraph, small, none), 'READS_AS')
  const texts = worded.filter(({ key }) => key === 'sent emails').map(({ text }) => text)
  expect(texts).toEqual(['email', 'emails', 'send', 'sent'])
})

test('a graph in slices is the same rows, each slice of bounded size', () => {
  const primitives = Array.from({ length: 4_100 }, (_, index) => ({
    name: `n${index}`,
    depths: [
      {
        level: 0,
        properties: {},
        relata: [
          {
            type: 'INCLUDES' as const,
            target: 'n4099',
            targetDepth: 0,
            metadata: {},
            policies: [],
          },
        ],
      },
    ],
  }))
  const graph = graphFromFile({ primitives })
  const whole = writesBetween(emptyGraph, graph, none)
  const slices = [...writesOf(graph, none)]
  for (const kind of ['Primitive', 'INCLUDES'] as const) {
    expect(slices.flatMap((slice) => putOf(slice, kind))).toEqual(putOf(whole, kind))
  }
  expect(slices.at(-1)?.counters).toEqual(whole.counters)
  expect(Math.max(...slices.map((slice) => putOf(slice, 'Primitive').length))).toBe(2_000)
  // No edge is written before both its ends are.
  const firstEdge = slices.findIndex((slice) => putOf(slice, 'INCLUDES').length > 0)
  expect(slices.slice(firstEdge).flatMap((slice) => putOf(slice, 'Primitive'))).toEqual([])
  expect(graphToFile(graph).primitives).toHaveLength(4_100)
})

function step(position: number, graph: Graph | null, next = graph): ProjectionStep {
  const fact = { name: `n${position}`, bytes: new Uint8Array(4), position, appendedAt: 0 }
  return { point: { fact, graphRevision: 0, catalogRevision: 0 }, graph, next, judged: null }
}

test('a batch goes on from wherever the projection is, and ends where ids change', () => {
  const pending = newPending(emptyGraph)
  const swept = { ...related }
  const steps = [step(2, small), step(5, related, swept), step(6, null)]
  for (const each of steps) addStep(pending, each)
  pending.last = steps[2]?.point ?? null
  expect(batchOf(pending)).toMatchObject({ before: emptyGraph, after: related })
  expect(batchOf(pending).point?.fact.position).toBe(5)
  settle(pending, 4)
  expect(batchOf(pending).before).toBe(small)
  expect(pending.bytes).toBe(8)
  settle(pending, 5)
  expect(batchOf(pending)).toMatchObject({ before: swept, after: swept })
  expect(batchOf(pending).point?.fact.position).toBe(6)
  settle(pending, 9)
  expect(pending).toMatchObject({ steps: [], bytes: 0 })
})
