// Pictures say what the graph or a grounding says, and distinguish what counted and what did not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ground } from '#schemas/facts'
import type { GraphFile } from '#schemas/graph'
import { Fault } from '#record/fault'
import { graphFromFile } from '#knowledge/graph/graph'
import { type Graph, findId, recordAt } from '#knowledge/graph/revision'
import { mermaidOf } from '#present/picture/mermaid'
import { neighbourhoodOf, pictureOf, wholeOf } from '#present/picture/of-graph'
import { pictureOfGround } from '#present/picture/of-ground'
import type { Picture } from '#present/picture/picture'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'
import { concepts, graphFile } from '../support/samples/graph-arbitraries.ts'
import { fileOf } from '../support/samples/graph-changes.ts'
import { readBoth } from './picture-reading.ts'
import { readFile } from 'node:fs/promises'

function graphOf(file: { readonly primitives: readonly unknown[] }): Graph {
  return graphFromFile(parseGraphFile(file))
}

function whole(graph: Graph): Picture {
  return pictureOf(graph, wholeOf(graph))
}

describe('of a graph', () => {
  test('it has a box for each primitive and an arrow for each edge, and no legend', async () => {
    await fc.assert(
      fc.asyncProperty(graphFile, async (file) => {
        const graph = graphFromFile(file)
        for (const { boxes, arrows } of await readBoth(whole(graph))) {
          const names = [...boxes.values()].map(([name]) => name)
          expect(new Set(names)).toEqual(new Set(file.primitives.map(({ name }) => name)))
          expect(names).toHaveLength(file.primitives.length)
          expect(
            arrows
              .map(({ source, target, lines }) => {
                return [boxes.get(source)?.[0], lines[0], boxes.get(target)?.[0]].join(' ')
              })
              .toSorted(),
          ).toEqual(edgesOf(file).toSorted())
        }
      }),
      { numRuns: 30 },
    )
  })

  test('it shows how deeply each is known, and the first three policies of an edge', async () => {
    const policies = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
    const edge = { type: 'APPLIES_TO', target: 'moon', targetDepth: 0 }
    const graph = graphOf({
      primitives: [
        { name: 'sun', depths: [{ level: 0, relata: [{ ...edge, policies }] }, { level: 2 }] },
        { name: 'moon' },
      ],
    })
    for (const { boxes, arrows } of await readBoth(whole(graph))) {
      expect([...boxes.values()]).toEqual([['sun', 'D0'], ['moon']])
      expect(arrows[0]?.lines.slice(1)).toEqual(['policy a', 'policy b', 'policy c', 'and 1 more'])
    }
  })

  test('around one it has what so many edges lead to, whichever way they point', () => {
    const needs = (target: string) => [{ type: 'REQUIRES' as const, target }]
    const file = {
      primitives: [
        fileOf('a', 0, []),
        fileOf('b', 0, needs('a')),
        fileOf('c', 0, needs('b')),
        fileOf('d', 0, needs('c')),
        fileOf('apart', 0, []),
      ],
    }
    const graph = graphFromFile(file)
    const around = (name: string, hops: number) =>
      [...neighbourhoodOf(graph, findId(graph, name) ?? -1, hops)]
        .map((id) => recordAt(graph, id).name)
        .toSorted()
    expect(around('b', 0)).toEqual(['b'])
    expect(around('b', 1)).toEqual(['a', 'b', 'c'])
    expect(around('b', 2)).toEqual(['a', 'b', 'c', 'd'])
    expect(around('apart', 99)).toEqual(['apart'])
    const picture = pictureOf(graph, neighbourhoodOf(graph, findId(graph, 'b') ?? -1, 1))
    expect(picture.edges).toHaveLength(2)
  })

  test('it is refused where no one could see anything in it, and not just before', () => {
    const many = (count: number) =>
      graphFromFile({
        primitives: Array.from({ length: count }, (_, nth) => fileOf(`p${nth}`, 0, [])),
      })
    expect(whole(many(150)).nodes).toHaveLength(150)
    expect(() => whole(many(151))).toThrow(Fault)
    const edges = (count: number) =>
      graphFromFile({
        primitives: [
          fileOf(
            'sun',
            0,
            Array.from({ length: count }, () => ({ type: 'INCLUDES', target: 'sun' })),
          ),
        ],
      })
    expect(whole(edges(400)).edges).toHaveLength(400)
    expect(() => whole(edges(401))).toThrow('--around')
    const long = Array.from({ length: 150 }, (_, nth) => fileOf(`${'#'.repeat(79)}${nth}`, 0, []))
    expect(() => mermaidOf(whole(graphFromFile({ primitives: long })))).toThrow('--dot')
  })
})

describe('of a grounding', () => {
  const known = { level: 1, properties: { what: 'known' } }
  const deep = { level: 3, properties: { what: 'deep' } }
  const edge = (type: string, target: string, targetDepth = 0) => ({ type, target, targetDepth })
  const ask = { ...edge('APPLIES_TO', 'file', 1), policies: [{ name: 'ask first' }] }
  const graph = graphOf({
    primitives: [
      { name: 'file', depths: [{ level: 0 }, known] },
      {
        name: 'delete',
        depths: [
          { level: 0 },
          { ...known, relata: [ask, edge('REQUIRES', 'right', 2)] },
          { ...deep, relata: [edge('REQUIRES', 'log')] },
        ],
      },
      { name: 'right', depths: [{ level: 0 }] },
      { name: 'log', depths: [{ level: 0 }] },
      { name: 'moon', depths: [{ level: 0 }] },
    ],
  })

  test('what counted, what did not and what is missing are distinguished by shape, line and legend', async () => {
    const picture = pictureOfGround(groundOf(graph, ['delete', 'file', 'moon', 'nothing']))
    const [mermaid, dot] = await readBoth(picture)
    const said = new Map(
      [...mermaid.boxes].map(([id, [name = '', ...rest]]) => [
        name,
        [mermaid.shapes.get(id), ...rest],
      ]),
    )
    expect(Object.fromEntries(said)).toMatchObject({
      file: ['visible', 'D1'],
      delete: ['gated', 'D1', 'needs D3'],
      right: ['gated', 'D0', 'needs D2'],
      log: ['gated', 'not looked at'],
      moon: ['visible', 'D0', 'cut off'],
      nothing: ['missing', 'not known'],
    })
    const lines = (read: typeof mermaid) =>
      read.arrows.map(({ source, target, lines: [first], style }) => {
        const name = (id: string) => read.boxes.get(id)?.[0] ?? ''
        return `${name(source)} ${style} ${name(target)}: ${first}`
      })
    expect(lines(mermaid).slice(0, 4)).toEqual([
      'delete ==> file: APPLIES_TO D1 → D1',
      'delete ==> right: REQUIRES D1 → D2',
      'delete -.-> log: REQUIRES D3 → D0',
      'moon --x delete: no way',
    ])
    expect(lines(dot).toSorted().slice(0, 3)).toEqual([
      'delete bold file: APPLIES_TO D1 → D1',
      'delete bold right: REQUIRES D1 → D2',
      'delete dashed log: REQUIRES D3 → D0',
    ])
    expect(mermaid.arrows[0]?.lines[1]).toBe('policy ask first')
    for (const { boxes, shapes } of [mermaid, dot]) {
      const legend = [...boxes.keys()].filter((id) => id.startsWith('k'))
      expect(legend.map((id) => boxes.get(id)?.[0]?.split(':')[0])).toEqual([
        'visible',
        'gated',
        'missing',
      ])
      expect(new Set(legend.map((id) => shapes.get(id))).size).toBe(3)
    }
  })

  test('where one concept may mean several they are reported, and what was not recorded is counted', async () => {
    const forms = graphOf({ primitives: [{ name: 'send mail' }, { name: 'sends mail' }] })
    const picture = pictureOfGround({ ...groundOf(forms, ['sent mail']), gapsOmitted: 7 })
    for (const { boxes } of await readBoth(picture)) {
      expect(boxes.get('n0')).toEqual(['sent mail', 'not known', 'may mean send mail, sends mail'])
      expect(boxes.get('k3')).toEqual(['7 more were not recorded'])
    }
  })

  test('on random graphs every edge is drawn as it counted, and every gap leaves its mark', () => {
    fc.assert(
      fc.property(graphFile, concepts, (file, asked) => {
        const record = groundOf(graphFromFile(file), asked)
        const { nodes, edges } = pictureOfGround(record)
        const drawn = (state: string) =>
          edges.filter((each) => each.state === state && each.relation !== null).length
        expect([drawn('visible'), drawn('gated')]).toEqual([
          record.pathway.length,
          record.gated.length,
        ])
        const marked = nodes.filter(({ notes }) => notes.length > 0).map(({ name }) => name)
        const lacking = record.gaps.map((gap) =>
          gap.kind === 'RELATIONAL' ? gap.target : gap.primitive,
        )
        expect(lacking.filter((name) => !marked.includes(name))).toEqual([])
        if (record.grounded) {
          expect(
            nodes.filter(({ name, state }) => {
              return state !== 'visible' && record.visible.some((each) => each.name === name)
            }),
          ).toEqual([])
        }
        for (const { source, target } of edges) {
          expect([nodes[source], nodes[target]]).not.toContain(undefined)
        }
      }),
      { numRuns: 300 },
    )
  })
})

function groundOf(graph: Graph, asked: readonly string[]): Ground {
  return { concepts: [...asked], ...ground(graph, { concepts: asked, profile: 'strict' }) }
}

function edgesOf({ primitives }: GraphFile): readonly string[] {
  return primitives.flatMap(({ name, depths }) =>
    depths.flatMap(({ level, relata }) =>
      relata.map(({ type, target, targetDepth }) => {
        return `${name} ${type} D${level} → D${targetDepth} ${target}`
      }),
    ),
  )
}

// The pictures in the documents are those that would be drawn today.

function docsFileOf(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
}

async function seed(name: string): Promise<Graph> {
  return graphFromFile(parseGraphFile(JSON.parse(await docsFileOf(`seeds/${name}/graph.json`))))
}

test('the page on authoring shows a neighbourhood and a grounding as they are drawn', async () => {
  const page = await docsFileOf('docs/rules/authoring.md')
  const shown = [...page.matchAll(/^```mermaid\n([^]*?)\n```$/gm)].map(([, text]) => text)
  const core = await seed('core')
  const around = neighbourhoodOf(core, findId(core, 'delete') ?? -1, 1)
  const concepts = ['create', 'file']
  const answer = ground(await seed('gaps'), { concepts, profile: 'strict' })
  expect(shown).toEqual([
    mermaidOf(pictureOf(core, around)),
    mermaidOf(pictureOfGround({ concepts, ...answer })),
  ])
})
