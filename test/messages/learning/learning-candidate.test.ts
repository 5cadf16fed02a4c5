// What a candidate may put into the graph: only what is missing, all of it, and so that the gap is
// closed. Anyone who filled it in.
import { describe, expect, test } from 'vitest'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import { candidateProblem, levelsNeeded, operationsOfCandidate } from '#messages/learning/candidate'
import { templatesFor, keyOf, proposalId } from '#messages/learning/template'
import type { Candidate, Proposed, Template } from '#schemas/learning'
import { edge, levelsOnly, seedFile, added } from '../../support/learning-graphs.ts'
import { aroundOf } from '#messages/learning/around'
import { GraphFile } from '#schemas/graph'

const graph = graphFromFile(seedFile)

function wanted(concepts: readonly string[], minDepth?: 0 | 1 | 2 | 3 | 4): Proposed {
  const query = { concepts: [...concepts], ...(minDepth !== undefined && { minDepth }) }
  const [template] = templatesFor(graph, query)
  if (template === undefined) throw new Error('it is grounded')
  return { template, query }
}

function code(of: Proposed, candidate: Candidate): string | undefined {
  return candidateProblem(graph, of, candidate)?.code
}

describe('levels', () => {
  const file = wanted(['read', 'file'])

  test('are taken where they are exactly what is missing', () => {
    expect(code(file, levelsOnly(added('file', 2)))).toBe(undefined)
    expect(code(file, levelsOnly(added('FILE', 2)))).toBe(undefined)
  })

  test.each([
    ['are never above what the gap needs', levelsOnly(added('file', 2, 3)), 'level_above_need'],
    ['never replace what is known', levelsOnly(added('file', 1, 2)), 'level_known'],
    ['never stand twice', levelsOnly(added('file', 2, 2)), 'level_repeated'],
    ['never leave a hole', levelsOnly(), 'level_missing'],
    [
      'are of what was asked, and of nothing else',
      levelsOnly(added('path', 2)),
      'primitive_unasked',
    ],
    [
      'of something else beside it are not taken either',
      levelsOnly(added('file', 2), added('path', 4)),
      'primitive_unasked',
    ],
    [
      'come without an edge',
      { levels: [added('file', 2)], edge: edge('read', 2, 'APPLIES_TO', 'file', 2) },
      'edge_unasked',
    ],
  ])('%s', (_, candidate, expected) => {
    expect(code(file, candidate)).toBe(expected)
  })

  test.each([{}, { what: '' }, { what: '  \n' }, { what: null, more: [] }, { list: ['', {}] }])(
    'that say nothing are refused: %j',
    (properties) => {
      const empty = { name: 'file', levels: [{ level: 2, properties }] }
      expect(code(file, levelsOnly(empty))).toBe('level_empty')
    },
  )

  test('that were learned meanwhile are reported as known', () => {
    const change = applyChange(
      graph,
      operationsOfCandidate(graph, levelsOnly(added('file', 2)), null),
    )
    if ('refused' in change) throw new Error(change.refused.message)
    const problem = candidateProblem(change.graph, file, levelsOnly(added('file', 2)))
    expect(problem?.code).toBe('gap_closed')
  })

  test('fill the hole of what has dormant levels above it, and leave those as they are', () => {
    const create = wanted(['create', 'file'])
    const filled = levelsOnly(added('create', 2))
    expect(code(create, filled)).toBe(undefined)
    expect(code(create, levelsOnly(added('create', 2, 3)))).toBe('level_known')
  })
})

describe('what is to exist', () => {
  const moon = wanted(['moon'])

  test('is added under exactly the name that was asked for', () => {
    expect(code(moon, levelsOnly(added('moon', 0, 1)))).toBe(undefined)
    expect(code(moon, levelsOnly(added('Moon', 0, 1)))).toBe('primitive_unasked')
    expect(code(moon, levelsOnly(added('moons', 0, 1)))).toBe('primitive_unasked')
  })

  test('describes what it is; that it exists needs no properties', () => {
    const bare = { name: 'moon', levels: [{ level: 0, properties: {} }] }
    const { levels } = added('moon', 1)
    expect(code(moon, levelsOnly(bare))).toBe('level_missing')
    expect(code(moon, levelsOnly({ ...bare, levels: [...bare.levels, ...levels] }))).toBe(undefined)
  })

  test('is one set of operations: the primitive, then its levels in order', () => {
    const backwards = { name: 'moon', levels: added('moon', 0, 1).levels.toReversed() }
    const operations = operationsOfCandidate(graph, levelsOnly(backwards), null)
    const reported = operations.map((one) => ('level' in one ? `${one.op} ${one.level}` : one.op))
    expect(reported).toEqual(['add', 'describe 0', 'describe 1'])
  })
})

describe('an edge', () => {
  const apart = wanted(['delete', 'file'])

  test.each([
    ['from the one to the other', edge('delete', 2, 'APPLIES_TO', 'file', 1)],
    ['from the other to the one', edge('file', 1, 'REQUIRES', 'delete', 2)],
    ['of any relation', edge('file', 0, 'INCLUDES', 'delete', 0)],
    ['to what the other pulls in', edge('delete', 2, 'DEPENDS_ON', 'path', 1)],
  ])('is taken %s', (_, tie) => {
    expect(code(apart, { levels: [], edge: tie })).toBe(undefined)
  })

  test.each([
    [
      'to something that is neither asked nor needed',
      edge('delete', 2, 'APPLIES_TO', 'permission', 1),
      'edge_elsewhere',
    ],
    ['to what no one knows', edge('delete', 2, 'APPLIES_TO', 'moon', 0), 'edge_elsewhere'],
    ['to itself', edge('delete', 2, 'APPLIES_TO', 'Delete', 1), 'edge_to_itself'],
  ])('is refused %s', (_, tie, expected) => {
    expect(code(apart, { levels: [], edge: tie })).toBe(expected)
  })

  test('is missing where only levels are given', () => {
    expect(code(apart, levelsOnly(added('delete', 3)))).toBe('edge_missing')
  })

  test('comes with the levels that its ends lack, which are put in before it', () => {
    const tie = edge('delete', 3, 'APPLIES_TO', 'file', 2)
    expect(levelsNeeded(graph, apart.template, tie)).toEqual([
      { name: 'delete', levels: [3] },
      { name: 'file', levels: [2] },
    ])
    expect(code(apart, { levels: [], edge: tie })).toBe('level_missing')
    expect(code(apart, { levels: [added('delete', 3)], edge: tie })).toBe('level_missing')
    const whole = { levels: [added('delete', 3), added('file', 2)], edge: tie }
    expect(code(apart, whole)).toBe(undefined)
    expect(operationsOfCandidate(graph, whole, null).map(({ op }) => op)).toEqual([
      'describe',
      'describe',
      'relate',
    ])
    const more = { levels: [...whole.levels, added('path', 4)], edge: tie }
    expect(code(apart, more)).toBe('primitive_unasked')
  })

  test('that closes a circle of what pulls is refused as the graph refuses it', () => {
    const start = {
      primitives: [
        ...seedFile.primitives,
        {
          name: 'undo',
          depths: [
            { level: 0, properties: {}, relata: [] },
            {
              level: 1,
              properties: { what: 'takes back' },
              relata: [
                {
                  type: 'REQUIRES' as const,
                  target: 'delete',
                  targetDepth: 4,
                  metadata: {},
                  policies: [],
                },
              ],
            },
          ],
        },
      ],
    }
    const pulled = graphFromFile(start)
    // Shallow: the edge of `undo` is there, and its target is not known as deeply as it needs.
    const query = { concepts: ['delete', 'undo', 'file'] }
    expect(templatesFor(pulled, query)[0]).toMatchObject({ kind: 'RELATIONAL', levels: [3, 4] })
    const template: Template = {
      kind: 'REACHABILITY',
      primitive: 'delete',
      others: ['file', 'undo'],
    }
    const tie = edge('delete', 2, 'REQUIRES', 'undo', 1)
    const problem = candidateProblem(
      pulled,
      { template, query: { concepts: ['delete', 'file'] } },
      {
        levels: [],
        edge: tie,
      },
    )
    expect(problem).toMatchObject({
      code: 'graph_refuses',
      params: { refused: 'cycle_transitive' },
    })
  })
})

describe('a constraint', () => {
  const query = { concepts: ['delete', 'file'] }
  const template: Template = {
    kind: 'CONSTRAINT',
    primitives: ['delete', 'file'],
    detail: 'permission denied',
  }

  function constrained(candidate: Candidate): string | undefined {
    return code({ template, query }, candidate)
  }

  test('may lead to what is known, or to something new with all that it needs', () => {
    const known = edge('delete', 2, 'CONSTRAINED_BY', 'permission', 1)
    expect(constrained({ levels: [], edge: known })).toBe(undefined)
    const fresh = edge('delete', 2, 'CONSTRAINED_BY', 'quota', 1)
    expect(constrained({ levels: [], edge: fresh })).toBe('level_missing')
    expect(constrained({ levels: [added('quota', 0, 1)], edge: fresh })).toBe(undefined)
  })

  test.each([
    ['another relation', edge('delete', 2, 'REQUIRES', 'permission', 1), 'edge_elsewhere'],
    ['another source', edge('path', 2, 'CONSTRAINED_BY', 'permission', 1), 'edge_elsewhere'],
  ])('is not one of %s', (_, tie, expected) => {
    expect(constrained({ levels: [], edge: tie })).toBe(expected)
  })

  test('that is there already is reported so', () => {
    const there = edge('directory', 3, 'CONSTRAINED_BY', 'permission', 1)
    const of: Proposed = { template: { ...template, primitives: ['directory'] }, query }
    expect(code(of, { levels: [], edge: there })).toBe('edge_known')
  })
})

test('operations carry who wrote it, on what is added, described and related', () => {
  const provenance = {
    source: 'learned',
    by: 'piet',
    at: '2026-01-01T00:00:00.000Z',
    intent: 'x',
  } as const
  const tie = edge('delete', 2, 'CONSTRAINED_BY', 'quota', 0)
  const candidate = { levels: [added('quota', 0)], edge: tie }
  const operations = operationsOfCandidate(graph, candidate, provenance)
  expect(operations.map((one) => ('provenance' in one ? one.provenance : null))).toEqual(
    operations.map(() => provenance),
  )
  const before = graphToFile(graph)
  expect(graphToFile(graph)).toEqual(before)
})

// Which templates a question gives rise to: one for each thing that is missing, and an edge only
// when nothing else is.

function templates(...concepts: string[]) {
  return templatesFor(graph, { concepts })
}

describe('a question', () => {
  test('that is grounded asks for nothing', () => {
    expect(templates('list', 'directory')).toEqual([])
  })

  test('about what no one knows asks what it is, once however often it is named', () => {
    const wanted = { kind: 'EXISTENCE', primitive: 'frobnicate', levels: [0, 1] }
    expect(templates('frobnicate', 'Frobnicate')).toEqual([wanted])
  })

  test('about several that may be meant names them', () => {
    const file = { primitives: [{ name: 'saw' }, { name: 'seen' }] }
    const two = graphFromFile(GraphFile.parse(file))
    expect(templatesFor(two, { concepts: ['sees'] })).toMatchObject([{ kind: 'EXISTENCE' }])
  })

  test('asks for the levels that do not count, and for no others', () => {
    // Its level 2 is missing and its level 3 is dormant: only the hole is to be filled.
    expect(templates('create', 'file')).toEqual([
      { kind: 'DEPTH', primitive: 'create', levels: [2] },
    ])
  })

  test('asks for the levels of a target, and names whose edge needs them', () => {
    expect(templates('read', 'file')).toEqual([
      { kind: 'RELATIONAL', primitive: 'file', source: 'read', levels: [2] },
    ])
  })

  test('that needs one primitive in two ways asks for it once, as deeply as either needs', () => {
    const deep = templatesFor(graph, { concepts: ['read', 'file'], minDepth: 3 })
    const files = deep.filter((one) => 'primitive' in one && one.primitive === 'file')
    expect(files).toEqual([{ kind: 'DEPTH', primitive: 'file', levels: [2, 3] }])
  })

  test('asks for an edge only when all else is known', () => {
    expect(templates('delete', 'file', 'frobnicate').map(({ kind }) => kind)).toEqual(['EXISTENCE'])
    expect(templates('delete', 'file')).toEqual([
      { kind: 'REACHABILITY', primitive: 'delete', others: ['file'] },
    ])
  })

  test('asks for no more than sixteen things at once', () => {
    const many = Array.from({ length: 40 }, (_, index) => `thing ${index}`)
    expect(templatesFor(graph, { concepts: many })).toHaveLength(16)
  })
})

describe('the key of a template', () => {
  test('is the same for one that asks the same, however it is cased or needed', () => {
    const depth: Template = { kind: 'DEPTH', primitive: 'File', levels: [2] }
    const relational: Template = {
      kind: 'RELATIONAL',
      primitive: 'file',
      source: 'read',
      levels: [2],
    }
    expect(keyOf(depth)).toBe(keyOf(relational))
    expect(keyOf({ ...depth, levels: [2, 3] })).not.toBe(keyOf(depth))
  })

  test('of an edge does not depend on the order of the others', () => {
    const edge = { kind: 'REACHABILITY', primitive: 'a' } as const
    const one = keyOf({ ...edge, others: ['b', 'c'] })
    expect(keyOf({ ...edge, others: ['C', 'b'] })).toBe(one)
    expect(keyOf({ ...edge, others: ['b'] })).not.toBe(one)
  })

  test('gives an identifier shaped as a ULID, another one each round', () => {
    const key = keyOf({ kind: 'EXISTENCE', primitive: 'moon', levels: [0, 1] })
    expect(proposalId(key, 1)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(proposalId(key, 1)).toBe(proposalId(key, 1))
    expect(proposalId(key, 2)).not.toBe(proposalId(key, 1))
  })
})

test('what is unknown is shown with what it may be a slip of, or look like', () => {
  const around = (name: string) => {
    return aroundOf(graph, { kind: 'EXISTENCE', primitive: name, levels: [0, 1] }, [name])
  }
  expect(around('flie')).toMatchObject({ like: [{ name: 'flie', near: ['file'] }], odd: [] })
  // Cyrillic, a space of no width, a tab behind.
  for (const name of ['p\u0430th', 'pa\u200bth', 'path\t']) {
    expect(around(name)).toMatchObject({ like: [{ name, near: ['path'] }], odd: [name] })
  }
  for (const name of ['moon', 'луна', 'two words']) {
    expect(around(name)).toMatchObject({ like: [], odd: [] })
  }
})
