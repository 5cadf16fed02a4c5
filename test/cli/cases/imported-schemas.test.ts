// Schemas that others wrote keep their meaning as they are imported: what they name or demand can
// be given, in whichever part that stands, nothing else can, and what cannot be kept is named.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { count } from '../../support/vitest/counts.ts'
import { faultOf, part, shown, text, tool } from './imported.ts'

const conditional = (...parts: readonly JsonValue[]): JsonObject => {
  const words = 'if then else'.split(' ')
  return Object.fromEntries(words.map((word, index) => [word, parts[index] ?? true]))
}

describe('a schema of parts', () => {
  const $defs = { both: { allOf: [part('a'), part('b')] } }

  test.each<[string, JsonObject, JsonObject]>([
    ['allOf', { allOf: [part('a'), part('b')] }, { a: 'x', b: 'x' }],
    ['anyOf', { anyOf: [part('a'), part('b')] }, { a: 'x' }],
    ['oneOf', { oneOf: [part('a'), part('b')] }, { b: 'x' }],
    ['then', conditional(part('a'), part('b'), true), { a: 'x', b: 'x' }],
    ['$ref', { $ref: '#/$defs/both', $defs }, { a: 'x', b: 'x' }],
    ['dependentSchemas', { ...part('a'), dependentSchemas: { a: part('b') } }, { a: 'x', b: 'x' }],
    ['dependencies', { ...part('a'), dependencies: { a: part('b') } }, { a: 'x', b: 'x' }],
    ['required alone', { properties: { a: text }, required: ['a', 'b'] }, { a: 'x', b: 1 }],
  ])('takes its arguments by %s', (_, schema, args) => {
    expect(faultOf(tool(schema), args)).toBeNull()
  })

  test('takes no others', () => {
    const schema = { allOf: [part('a'), part('b')] }
    expect(faultOf(tool(schema), { a: 'x', b: 'x', c: 'x' })).not.toBeNull()
    expect(
      faultOf(tool({ ...schema, unevaluatedProperties: true }), { a: 'x', b: 'x', c: 1 }),
    ).toBe(null)
  })

  test('that names none, yet is about names, takes any', () => {
    expect(faultOf(tool({ propertyNames: { pattern: '^a' } }), { a: 1 })).toBeNull()
    expect(faultOf(tool({ propertyNames: { pattern: '^a' } }), { b: 1 })).not.toBeNull()
    expect(shown(tool({ type: 'object', minProperties: 1 }))).toContain(
      'does not list its arguments',
    )
    expect(shown(tool({ type: 'object' }))).toContain('takes none')
    expect(shown(tool({ type: 'object', properties: {} }))).not.toContain('takes none')
  })

  test('that no arguments could meet is refused', () => {
    expect(tool({ type: 'array', items: {} }).refused).toContain('`type` "array"')
    expect(tool({ type: ['object', 'null'] }).refused).toBeUndefined()
  })
})

describe('a part with an `$id`', () => {
  const o = {
    $id: 'other',
    $defs: { n: { type: 'integer' } },
    properties: { n: { $ref: '#/$defs/n' } },
  }

  test.each(['https://e.x/s', undefined])('is what a reference by it means, within %s', ($id) => {
    const ref = (reference: string): JsonObject => ({
      ...($id !== undefined && { $id }),
      $defs: { o, n: text },
      properties: { a: { $ref: reference }, n: { $ref: '#/$defs/n' } },
    })
    expect(faultOf(tool(ref('other')), { a: { n: 1 }, n: 'x' })).toBeNull()
    expect(faultOf(tool(ref('other')), { a: { n: 'x' } })).toBe('/a/n')
    expect(faultOf(tool(ref('other#/$defs/n')), { a: 1 })).toBeNull()
    expect(faultOf(tool(ref('other#/$defs/n')), { a: 'x' })).toBe('/a')
  })

  test.each(['elsewhere', 'https://e.x/z.json', '#/$defs/none', 'other#anchor'])(
    'and `%s`, which is nowhere, refuses with its place',
    ($ref) => {
      const { refused } = tool({ properties: { a: { $ref } }, $defs: { o } })
      expect(refused).toContain(`/properties/a/$ref \`$ref\` "${$ref}" leads to nothing`)
    },
  )
})

test.each([
  ['[', 'malformed'],
  ['(a', 'malformed'],
  ['a{2,1}', 'malformed'],
  ['*', 'malformed'],
  ['a{1001}', 'no pattern that RE2 takes'],
  ['(?=a)', '`(?=` of `(?=a)` is not in RE2'],
  [String.raw`(a)\1`, 'no lookaround or backreference'],
])('a pattern that cannot be kept is called what it is: %s', (pattern, what) => {
  const { refused = '' } = tool({ properties: { a: { pattern } } })
  expect(refused).toContain('/properties/a/pattern')
  expect(refused).toContain(what)
  expect(refused.includes('lookaround')).toBe(!/malformed|takes/.test(what))
})

interface Parts {
  readonly schema: JsonObject
  /** Arguments that meet it; each of its names is in one of them. */
  readonly met: readonly JsonObject[]
}

const crossed = (one: Parts, other: Parts): readonly JsonObject[] =>
  one.met.flatMap((a) => other.met.map((b) => ({ ...a, ...b })))
const withAll = (all: readonly JsonObject[], more: JsonObject) =>
  all.map((a) => ({ ...a, ...more }))

type Tree = string | readonly [string, Tree, Tree]

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('described', 'demanded', 'referred', 'named', 'bounded'),
    fc.tuple(
      fc.constantFrom('allOf', 'anyOf', 'oneOf', 'then', 'dependent', 'beside'),
      tie('tree'),
      tie('tree'),
    ),
  ),
}))

/** `$defs` gets what its references mean; each name is used once. */
function partsOf(of: Tree, $defs: Record<string, JsonObject>, at: string): Parts {
  const name = `n${at}`
  if (typeof of === 'string') {
    const met = [{ [name]: 1 }]
    const one = { properties: { [name]: { type: 'integer' } }, required: [name] }
    if (of === 'demanded') return { schema: { required: [name] }, met }
    if (of === 'bounded') {
      const above = { type: 'number', minimum: 0, exclusiveMinimum: true }
      return { schema: { ...one, properties: { [name]: above } }, met }
    }
    if (of === 'described') return { schema: one, met }
    $defs[name] = of === 'named' ? { $id: `urn:part:${name}`, ...one } : one
    return { schema: { $ref: of === 'named' ? `urn:part:${name}` : `#/$defs/${name}` }, met }
  }
  const [kind, first, second] = of
  const one = partsOf(first, $defs, `${at}0`)
  const other = partsOf(second, $defs, `${at}1`)
  const key = { properties: { [name]: { const: 1 } }, required: [name] }
  if (kind === 'then') {
    const schema = conditional(key, one.schema, other.schema)
    return { schema, met: [...withAll(one.met, { [name]: 1 }), ...other.met] }
  }
  if (kind === 'dependent') {
    const schema = { properties: { [name]: {} }, dependentSchemas: { [name]: one.schema } }
    const both = { schema, met: withAll(one.met, { [name]: 1 }) }
    return { schema: { allOf: [schema, other.schema] }, met: crossed(both, other) }
  }
  if (kind === 'beside') {
    const { allOf = [] } = one.schema
    const all = [...(Array.isArray(allOf) ? allOf : []), other.schema]
    return { schema: { ...one.schema, allOf: all }, met: crossed(one, other) }
  }
  const met = kind === 'oneOf' ? [...one.met, ...other.met] : crossed(one, other)
  return { schema: { [kind]: [one.schema, other.schema] }, met }
}

test('every argument of a schema of parts can be given, and no other', () => {
  fc.assert(
    fc.property(tree, (of) => {
      const $defs = {}
      fc.pre(JSON.stringify(of).length < 300)
      const { schema, met } = partsOf(of, $defs, '')
      const one = tool({ ...schema, $defs })
      for (const args of met) {
        expect(faultOf(one, args)).toBeNull()
        expect(faultOf(one, { ...args, stranger: 1 })).not.toBeNull()
      }
    }),
    { numRuns: count(2_000, 100) },
  )
})
