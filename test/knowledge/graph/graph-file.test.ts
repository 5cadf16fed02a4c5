// `graph.json` as people write it: what is wrong is reported with its place, and nothing is dropped
// unseen.
import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import { parseGraphFile } from '#authoring/changes/seed-file'

describe('a graph file is refused', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['no object', [], 'graph_invalid', /the file.*object/],
    ['no primitives', {}, 'graph_invalid', /^primitives: missing/],
    ['an unknown key', { primitives: [], edges: [] }, 'graph_invalid', /`edges`.*`primitives`/],
    [
      'an unknown key of a level',
      withDepth({ level: 1, colour: 'red' }),
      'graph_invalid',
      /^primitives\[0\]\.depths\[0\]: unknown `colour`.*`level`, `properties`, `relata`/,
    ],
    [
      'an invalid level',
      withDepth({ level: 5 }),
      'graph_invalid',
      /^primitives\[0\]\.depths\[0\]\.level: `5` is not a level: use one of 0 EXISTENCE/,
    ],
    ['half a level', withDepth({ level: 1.5 }), 'graph_invalid', /level: `1.5` is not a level/],
    ['a level as text', withDepth({ level: '1' }), 'graph_invalid', /level: `"1"` is not a level/],
    ['a level left out', withDepth({}), 'graph_invalid', /level: missing/],
    [
      'an unknown type of relation',
      withRelatum({ type: 'NEEDS' }),
      'graph_invalid',
      /relata\[0\]\.type: `"NEEDS"` is not valid here: use one of `APPLIES_TO`/,
    ],
    ['an empty name', { primitives: [{ name: '' }] }, 'graph_invalid', /name: `""`.*length/],
    ['an endless name', { primitives: [{ name: 'a'.repeat(257) }] }, 'graph_invalid', /256/],
    ['a property that readers drop', proto(), 'graph_invalid', /__proto__/],
    [
      'endless nesting',
      withDepth({ level: 0, properties: { a: nested(5000) } }),
      'graph_invalid',
      /nested/,
    ],
    [
      'names that differ only in case',
      { primitives: [{ name: 'file' }, { name: 'path' }, { name: 'FILE' }] },
      'name_taken',
      /^primitives\[2\]: the name `FILE` is taken by `file`/,
    ],
    [
      'a level written twice',
      { primitives: [{ name: 'file', depths: [{ level: 1 }, { level: 0 }, { level: 1 }] }] },
      'level_repeated',
      /^primitives\[0\]: `file` has level 1 at depths\[0\] and depths\[2\]/,
    ],
    [
      'a target that is not there',
      withRelatum({ target: 'pth' }),
      'target_dangling',
      /^primitives\[0\]\.depths\[0\]\.relata\[0\]: .*`pth`/,
    ],
    ['a circle', withRelatum({ target: 'FILE' }), 'cycle_transitive', /`file` → `file`/],
    [
      'a policy without effect',
      withRelatum({ policies: [{ name: 'watch', requiresConfirmation: false }] }),
      'policy_without_effect',
      /relata\[0\]: policy `watch`/,
    ],
  ])('%s', (_what, file, code, says) => {
    const fault = faultOf(() => graphFromFile(parseGraphFile(file)))
    expect(fault.code).toBe(code)
    expect(fault.retry).toBe('never')
    expect(fault.message).toMatch(says)
  })

  test('with the first mistakes named and the others counted', () => {
    const depths = Array.from({ length: 9 }, () => ({ level: 9 }))
    const fault = faultOf(() => parseGraphFile({ primitives: [{ name: 'file', depths }] }))
    expect(fault.message).toContain('depths[4].level')
    expect(fault.message).not.toContain('depths[5].level')
    expect(fault.message).toMatch(/and 4 more$/)
  })
})

describe('a graph file is read', () => {
  test('with everything left out that has a default', () => {
    const file = withRelatum({ type: 'APPLIES_TO', policies: [{ name: 'watch' }] })
    const relatum = graphToFile(graphFromFile(parseGraphFile(file))).primitives[0]?.depths[0]
      ?.relata[0]
    expect(relatum).toMatchObject({ metadata: {}, targetDepth: 0 })
    expect(relatum?.policies).toMatchObject([
      { requiresConfirmation: true, triggerCardinality: null, callback: null, metadata: {} },
    ])
  })

  test('with properties as deep as people write them', () => {
    const file = parseGraphFile(withDepth({ level: 0, properties: { a: nested(50) } }))
    expect(graphToFile(graphFromFile(file))).toEqual(file)
  })

  test('and levels in any order are kept ascending', () => {
    const file = parseGraphFile({
      primitives: [{ name: 'file', depths: [{ level: 3 }, { level: 0 }] }],
    })
    const [primitive] = graphToFile(graphFromFile(file)).primitives
    expect(primitive?.depths.map((depth) => depth.level)).toEqual([0, 3])
  })
})

function withDepth(depth: object): unknown {
  return { primitives: [{ name: 'file', depths: [depth] }] }
}

function withRelatum(relatum: object): unknown {
  const whole = { type: 'REQUIRES', target: 'path', targetDepth: 0, ...relatum }
  const file = { name: 'file', depths: [{ level: 0, relata: [whole] }] }
  return { primitives: [file, { name: 'path' }] }
}

function proto(): unknown {
  const properties: unknown = JSON.parse('{"__proto__": {"says": "hidden"}}')
  return withDepth({ level: 1, properties })
}

function nested(depth: number): unknown {
  let value: unknown = 'innermost'
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

function faultOf(act: () => unknown): Fault {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return error
  }
  return expect.fail('no fault')
}
