// The answers of VRE itself, and the tables of its two example graphs.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Gap, GraphFile, PathwayEdge } from '#schemas/graph'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'
import { groundLine } from '#cli/offline/run'
import { profiles } from '#knowledge/grounding/survey'
import { z } from 'zod'

const Case = z.strictObject({
  graph: GraphFile,
  concepts: z.array(z.string()),
  minDepth: z.int().optional(),
  expected: z.strictObject({
    grounded: z.boolean(),
    resolved: z.array(z.string()),
    gaps: z.array(Gap),
    pathway: z.array(PathwayEdge),
  }),
})

describe.each(profiles)('the %s profile answers as VRE does', (profile) => {
  const lines = read(`./vre/${profile}.ndjson`).trimEnd().split('\n')
  const cases = lines.map((line) => Case.parse(JSON.parse(line)))

  test('on every recorded graph', () => {
    expect(cases.length).toBeGreaterThanOrEqual(75)
    for (const { graph: file, expected, ...asked } of cases) {
      const graph = graphFromFile(file)
      const { grounded, resolved, gaps, pathway } = ground(graph, { ...asked, profile })
      const answer = { grounded, resolved, gaps: sortedGaps(gaps), pathway: sortedEdges(pathway) }
      expect(answer).toEqual(expected)
    }
  })

  test('line by line, without anything around it', () => {
    for (const { expected, ...line } of cases) {
      const answer = groundLine(line, null, profile)
      expect(answer).toMatchObject({ grounded: expected.grounded, resolved: expected.resolved })
    }
  })
})

test('unlike with VRE, whether a level is empty does not depend on what is asked', () => {
  // What `act` has on level 1 is an edge out of what is pulled in. VRE 1.0.1 cuts the edge first
  // and then finds the level empty; asked for both, it finds it full.
  const graph = graphOf([
    ['act', [[0], [1, { type: 'APPLIES_TO', target: 'thing', targetDepth: 0 }]]],
    ['thing', [[0]]],
  ])
  const asked = { minDepth: 1, profile: 'strict' as const }
  expect(ground(graph, { ...asked, concepts: ['act'] }).gaps).toEqual([])
  expect(ground(graph, { ...asked, concepts: ['act', 'thing'] }).gaps).toEqual([
    { kind: 'DEPTH', primitive: 'thing', required: 1, current: 0 },
  ])
})

describe('the core seed', () => {
  const file = seed('core')
  const graph = graphFromFile(file)
  const names = file.primitives.map((primitive) => primitive.name)

  test('has 15 primitives, known down to level 3, and 43 edges', () => {
    expect(names).toHaveLength(15)
    for (const { depths } of file.primitives) {
      expect(depths.map((depth) => depth.level)).toEqual([0, 1, 2, 3])
    }
    expect(edgesOf(file)).toHaveLength(43)
  })

  test('has content on every level but the first', () => {
    for (const { depths } of file.primitives) {
      const says = depths.map((depth) => typeof depth.properties['description'] === 'string')
      expect(says).toEqual([false, true, true, true])
    }
  })

  test.each(profiles)('grounds every pair of its concepts (%s)', (profile) => {
    for (const one of names) {
      for (const other of names) {
        expect(ground(graph, { concepts: [one, other], profile }).gaps).toEqual([])
      }
    }
  })

  test.each(profiles)('knows nothing of what it does not hold (%s)', (profile) => {
    expect(ground(graph, { concepts: ['file', 'email'], profile }).gaps).toEqual([
      { kind: 'EXISTENCE', primitive: 'email' },
    ])
  })

  test.each(profiles)(
    'has its policy only where file is asked about with delete (%s)',
    (profile) => {
      const policiesFor = (...concepts: readonly string[]): readonly unknown[] =>
        ground(graph, { concepts, profile }).policies.map((each) => each.policy.name)
      expect(policiesFor('delete')).toEqual([])
      expect(policiesFor('delete', 'directory')).toEqual([])
      expect(policiesFor('delete', 'file')).toEqual(['BulkFileDeletePolicy'])
      expect(ground(graph, { concepts: ['delete', 'file'], profile }).policies[0]).toMatchObject({
        source: 'delete',
        target: 'file',
        policy: { requiresConfirmation: true, triggerCardinality: 'multiple', callback: null },
      })
    },
  )
})

describe('the seed with gaps', () => {
  const file = seed('gaps')
  const graph = graphFromFile(file)

  test('has 10 primitives and 13 edges', () => {
    expect(file.primitives).toHaveLength(10)
    expect(edgesOf(file)).toHaveLength(13)
  })

  const shallowFile = {
    kind: 'RELATIONAL',
    source: 'read',
    target: 'file',
    required: 2,
    current: 1,
  }
  const shallowCreate = { kind: 'DEPTH', primitive: 'create', required: 3, current: 1 }
  const farOff = (primitive: string): object => ({ kind: 'REACHABILITY', primitive })

  describe.each(profiles)('%s', (profile) => {
    test.each<[string, readonly object[]]>([
      ['list directory', []],
      ['read file', [shallowFile]],
      ['delete file', [farOff('delete')]],
      ['delete directory', [farOff('delete')]],
      ['create file', [shallowCreate, farOff('create')]],
      ['create directory', [shallowCreate, farOff('create')]],
      ['frobnicate', [{ kind: 'EXISTENCE', primitive: 'frobnicate' }]],
      ['read', []],
      ['delete', []],
      ['create', []],
      ['file', []],
    ])('%s', (asked, gaps) => {
      const answer = ground(graph, { concepts: asked.split(' '), profile })
      expect(answer.gaps).toEqual(gaps)
      expect(answer.grounded).toBe(gaps.length === 0)
    })

    test.each([
      ['read', 2],
      ['list', 2],
      ['delete', 2],
      ['file', 1],
    ])('%s is known to %i, and 3 is more', (name, current) => {
      const query = { concepts: [name], profile }
      expect(ground(graph, { ...query, minDepth: current }).gaps).toEqual([])
      expect(ground(graph, { ...query, minDepth: 3 }).gaps).toEqual([
        { kind: 'DEPTH', primitive: name, required: 3, current },
      ])
    })
  })
})

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

function seed(name: string): GraphFile {
  return parseGraphFile(JSON.parse(read(`../../../seeds/${name}/graph.json`)))
}

function edgesOf(file: GraphFile): readonly unknown[] {
  return file.primitives.flatMap(({ depths }) => depths.flatMap(({ relata }) => relata))
}

type Written = readonly [number, ...object[]]

function graphOf(primitives: readonly (readonly [string, readonly Written[]])[]): Graph {
  const written = primitives.map(([name, levels]) => ({
    name,
    depths: levels.map(([level, ...relata]) => ({ level, relata })),
  }))
  return graphFromFile(parseGraphFile({ primitives: written }))
}

const kinds = ['EXISTENCE', 'DEPTH', 'RELATIONAL', 'REACHABILITY']

function sortedGaps(gaps: readonly Gap[]): readonly Gap[] {
  return gaps.toSorted((one, other) => order(gapKey(one), gapKey(other)))
}

function gapKey(gap: Gap): readonly unknown[] {
  const names = gap.kind === 'RELATIONAL' ? [gap.source, gap.target] : [gap.primitive]
  return [kinds.indexOf(gap.kind), ...names]
}

function sortedEdges(edges: readonly PathwayEdge[]): readonly PathwayEdge[] {
  const key = (edge: PathwayEdge): readonly unknown[] => [
    edge.source,
    edge.target,
    edge.type,
    edge.sourceDepth,
    edge.targetDepth,
  ]
  return edges.toSorted((one, other) => order(key(one), key(other)))
}

function order(one: readonly unknown[], other: readonly unknown[]): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  if (a === b) return 0
  return a < b ? -1 : 1
}
