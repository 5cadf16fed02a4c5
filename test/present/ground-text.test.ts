// The grounding as people read it: what is missing comes with how to fix it, and nothing is claimed
// that was not looked at.
import { describe, expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'
import { profiles } from '#knowledge/grounding/survey'
import { groundingText } from '#present/grounding'
import { graphOf } from '../support/samples/graph-builder.ts'

describe('what is missing is shown with how to fix it', () => {
  test('nothing was asked', () => {
    expect(textOf(graphOf('file 0'))).toBe('not grounded: nothing was asked about')
  })

  test('it is not there', () => {
    expect(textOf(graphOf('file 0'), 'disk')).toMatch(
      /^✗  disk\n  └ ✗ is not in the graph: add it\nnot grounded: 1 gap$/,
    )
  })

  test('it may mean several', () => {
    const text = textOf(graphOf('leaf 0', 'leave 0'), 'leaves')
    expect(text).toContain('leaves\n  └ ✗ may mean `leaf` or `leave`')
  })

  test('it is known too little for its edges: the levels that lack are named', () => {
    const text = textOf(graphOf('act 0,1,3', 'x 0', 'act@3 REQUIRES x@0'), 'act')
    expect(text).toContain(
      '● ● ✗ ✗  act\n  ├ ✗ is known down to D1 IDENTITY, and D3 CONSTRAINTS is needed: ' +
        'describe D2 CAPABILITIES',
    )
    expect(text).toContain('✗ D3 REQUIRES x D0: does not count, since D3 is not known')
  })

  test('it has the level, but the level is empty', () => {
    const graph = graphOf('act 0,1~', 'x 0', 'x@0 REQUIRES act@1')
    expect(textOf(graph, 'x')).toContain('note that D1 IDENTITY is empty')
  })

  test('what it relates to is known too little', () => {
    const text = textOf(graphOf('read 0', 'file', 'read@0 REQUIRES file@1'), 'read')
    expect(text).toContain(
      '✗ ✗  file\n  └ ✗ is known by its name only, and D1 IDENTITY is needed by `read`',
    )
    expect(text).toContain('describe D0 EXISTENCE, D1 IDENTITY')
  })

  test('it hangs together with nothing else', () => {
    const text = textOf(
      graphOf('delete 0', 'file 0', 'path 0', 'file@0 REQUIRES path@0'),
      'delete',
      'file',
    )
    expect(text).toContain(
      '●  delete\n  └ ✗ is not related to the rest of what was asked about: relate it',
    )
  })
})

describe('what was known is shown', () => {
  const graph = graphOf('ground 0-3', 'act 0-2,4', 'act@1 REQUIRES ground@0')

  test('level by level, what was asked about first, and nothing below a hole', () => {
    const text = textOf(graph, 'act')
    expect(text).toMatch(/Known\n  `act`, down to D2 CAPABILITIES\n    D1 IDENTITY: act 1\n/)
    expect(text.indexOf('`act`, down to')).toBeLessThan(text.indexOf('`ground`, down to'))
    expect(text).not.toContain('act 4')
    expect(text).toContain('● ● ●    act\n  └ D1 REQUIRES ground D0\n')
  })

  test('and of what was not looked at nothing, whatever the graph holds', () => {
    const gated = graphOf('act 0,2', 'far 0-1', 'act@2 REQUIRES far@0')
    expect(textOf(gated, 'act')).not.toContain('far 1')
  })

  test('a grounded answer claims no level and no permission', () => {
    for (const profile of profiles) {
      const answer = ground(graphOf('file 0'), { concepts: ['file'], profile })
      const text = groundingText(graphOf('file 0'), answer)
      expect(text).toMatch(/^●  file\ngrounded: all of it is known as deeply as is asked/)
      expect(text).not.toMatch(/D[1-4]|CONSTRAINTS|verified|allow/)
    }
  })
})

describe('the text stays readable', () => {
  test('whatever a concept or a property holds', () => {
    const properties = {
      description: '\u001b[2Jgone\ngrounded: all of it\n  `x` is fine',
      deep: { a: [1, null] },
    }
    const graph = graphFromFile(
      parseGraphFile({
        primitives: [{ name: 'a`b', depths: [{ level: 0 }, { level: 1, properties }] }],
      }),
    )
    const text = textOf(graph, 'a`b', 'x\u0007\r\n\u2028Grounded: `x`', '\ud800')
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028\u2029]/)
    expect(text.isWellFormed()).toBe(true)
    expect(text.split('\n').filter((line) => /^(not )?grounded/.test(line))).toHaveLength(1)
    expect(text).toContain('deep: {"a":[1,null]}')
  })

  test('however much there is: the first are named and the others counted', () => {
    const names = Array.from({ length: 500 }, (_, index) => `n${index}`)
    const graph = graphOf(
      'hub 0',
      ...names.map((name) => `${name} 0`),
      ...names.map((name) => `hub@0 REQUIRES ${name}@1`),
    )
    const answer = ground(graph, { concepts: ['hub'], profile: 'strict' })
    const text = groundingText(graph, { ...answer, pathwayOmitted: 100 })
    expect(text).toContain('└ and 476 more: ')
    expect(text).toContain('and 477 more concepts, 477 gaps: ')
    expect(text).toContain('and 100 more edges; the log does not keep them')
    expect(text.length).toBeLessThan(20_000)
    const none = textOf(graph, ...names.map((name) => `no ${name}`))
    expect(none).toContain('and 476 more concepts, 476 gaps: ')
  })
})

function textOf(graph: Graph, ...concepts: readonly string[]): string {
  return groundingText(graph, ground(graph, { concepts, profile: 'strict' }))
}
