// One line of `ground`: an answer or an error, never an exception, and never anything looked up.
import { describe, expect, test } from 'vitest'
import { groundLine } from '#cli/offline/run'
import { profiles } from '#knowledge/grounding/survey'
import { graphOf } from '../../support/samples/graph-builder.ts'

const graph = graphOf('read 0-2', 'file 0-1', 'read@2 APPLIES_TO file@2')

describe('a line is answered with an error', () => {
  test.each<[string, unknown, string]>([
    ['no object', 'file', 'line_invalid'],
    ['nothing', null, 'line_invalid'],
    ['undefined', undefined, 'line_invalid'],
    ['no concepts', {}, 'line_invalid'],
    ['one concept as text', { concepts: 'file' }, 'line_invalid'],
    ['a concept that is no text', { concepts: ['file', 7] }, 'line_invalid'],
    ['an invalid depth', { concepts: ['file'], minDepth: 5 }, 'line_invalid'],
    ['half a depth', { concepts: ['file'], minDepth: 0.5 }, 'line_invalid'],
    ['a depth as text', { concepts: ['file'], minDepth: '1' }, 'line_invalid'],
    ['an unknown key', { concepts: ['file'], depth: 1 }, 'line_invalid'],
    ['an invalid graph', { concepts: ['file'], graph: [] }, 'graph_invalid'],
    [
      'a graph that may not be',
      { concepts: ['a'], graph: { primitives: [{ name: 'a' }, { name: 'A' }] } },
      'name_taken',
    ],
    ['endless nesting', { concepts: ['file'], graph: nested(50_000) }, 'line_invalid'],
    ['what is no JSON', { concepts: [() => 'file'] }, 'line_invalid'],
  ])('%s', (_what, line, code) => {
    for (const profile of profiles) {
      const answer = groundLine(line, graph, profile)
      expect(answer).toEqual({ error: { code, message: expect.stringMatching(/^[^\n]+$/) } })
    }
  })

  test('there is no graph to ask', () => {
    expect(groundLine({ concepts: ['file'] }, null, 'strict')).toMatchObject({
      error: { code: 'graph_missing' },
    })
  })
})

describe('a line is answered', () => {
  test('with what was found, and with nothing else', () => {
    expect(groundLine({ concepts: ['Read', 'files'] }, graph, 'strict')).toEqual({
      grounded: false,
      resolved: ['read', 'file'],
      gaps: [{ kind: 'RELATIONAL', source: 'read', target: 'file', required: 2, current: 1 }],
      pathway: [
        { source: 'read', target: 'file', type: 'APPLIES_TO', sourceDepth: 2, targetDepth: 2 },
      ],
    })
  })

  test('from its own graph before the one given for all', () => {
    const own = { primitives: [{ name: 'disk' }] }
    expect(groundLine({ concepts: ['disk'], graph: own }, graph, 'strict')).toMatchObject({
      grounded: true,
    })
    expect(groundLine({ concepts: ['file'], graph: own }, graph, 'strict')).toMatchObject({
      grounded: false,
    })
  })

  test('with a null for what it leaves out', () => {
    const line = { concepts: ['file'], minDepth: null, graph: null }
    expect(groundLine(line, graph, 'classic')).toMatchObject({ grounded: true })
  })

  test('at the least and the greatest depth there is', () => {
    const at = (minDepth: number): unknown =>
      groundLine({ concepts: ['file'], minDepth }, graph, 'strict')
    expect(at(0)).toMatchObject({ grounded: true })
    expect(at(1)).toMatchObject({ grounded: true })
    expect(at(4)).toMatchObject({
      gaps: [{ kind: 'DEPTH', primitive: 'file', required: 4, current: 1 }],
    })
  })

  test('by the profile that was chosen', () => {
    const hollow = graphOf('hollow 0,1~')
    const line = { concepts: ['hollow'], minDepth: 1 }
    expect(groundLine(line, hollow, 'classic')).toMatchObject({ grounded: true })
    expect(groundLine(line, hollow, 'strict')).toMatchObject({ grounded: false })
  })
})

function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}
