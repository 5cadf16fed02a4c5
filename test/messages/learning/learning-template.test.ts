// Which templates a question gives rise to: one for each thing that is missing, and an edge only
// when nothing else is.
import { describe, expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import { aroundOf } from '#messages/learning/around'
import { keyOf, proposalId, templatesFor } from '#messages/learning/template'
import { GraphFile } from '#schemas/graph'
import type { Template } from '#schemas/learning'
import { seedFile } from '../../support/learning-graphs.ts'

const graph = graphFromFile(seedFile)

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
