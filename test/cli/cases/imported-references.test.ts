// Schemas that others wrote in any words that a draft of JSON Schema has for the same: parts called
// by an identifier or an anchor, older words for tuples, keywords without effect, and counting.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { count } from '../../support/vitest/counts.ts'
import { faultOf, operation, operations, part, shown, text, tool } from './imported.ts'

const numRuns = count(1_000, 40)
const integer = { type: 'integer' }
const words = (...all: readonly (readonly [string, JsonValue])[]): JsonObject =>
  Object.fromEntries(all)

describe('a part is what a reference means, however both are written', () => {
  interface Naming {
    /** What the part has as its name. */
    readonly has: JsonObject
    /** How others refer to it, below the identifier of the whole. */
    readonly refers: (base: string) => JsonObject
  }
  const byId = ($id: string): Naming => ({ has: { $id }, refers: () => ({ $ref: $id }) })
  const namings: readonly Naming[] = [
    { has: {}, refers: () => ({ $ref: '#/$defs/one~1%25' }) },
    { has: {}, refers: (base) => ({ $ref: `${base}#/$defs/one~1%25` }) },
    { has: { $anchor: 'one' }, refers: () => ({ $ref: '#one' }) },
    { has: { $anchor: 'one' }, refers: (base) => ({ $ref: `${base}#one` }) },
    { has: { $anchor: 'one' }, refers: () => ({ $dynamicRef: '#one' }) },
    { has: { $id: '#one' }, refers: (base) => ({ $ref: `${base}#one` }) },
    { has: { $dynamicAnchor: 'one' }, refers: () => ({ $dynamicRef: '#one' }) },
    { has: { $dynamicAnchor: 'one' }, refers: () => ({ $ref: '#one' }) },
    byId('one'),
    byId('https://e.x/parts/one.json'),
    byId('urn:uuid:deadbeef-1234-0000-0000-4321feebdaed'),
  ]
  const bases = ['', 'https://e.x/tools/whole', 'urn:uuid:deadbeef-0000-0000-0000-4321feebdaed']

  test.each(
    bases.flatMap((base) => {
      return namings.map((naming) => [base, JSON.stringify(naming.has), naming] as const)
    }),
  )('within "%s", called %s', (base, name, { has, refers }) => {
    // A relative name means nothing below an address that has no path.
    if (base.startsWith('urn:') && name === '{"$id":"one"}') return
    const reference = refers(base)
    const schema = {
      ...(base !== '' && { $id: base }),
      properties: { a: reference, b: { type: 'array', items: { allOf: [reference] } } },
      $defs: { 'one/%': { ...has, type: 'integer' } },
    }
    const one = tool(schema)
    expect(faultOf(one, { a: 1, b: [2] })).toBeNull()
    expect(faultOf(one, { a: 'x' })).toBe('/a')
    expect(faultOf(one, { b: ['x'] })).toBe('/b/0')
  })

  test('a part that leads to the whole again is the whole', () => {
    const tree = (words: JsonObject): JsonObject => ({
      type: 'object',
      properties: { n: integer, below: { type: 'array', items: words } },
    })
    const whole = { ...tree({ $recursiveRef: '#' }), $recursiveAnchor: true }
    for (const schema of [tree({ $ref: '#' }), tree({ $recursiveRef: '#' }), whole]) {
      const one = tool(schema)
      expect(faultOf(one, { n: 1, below: [{ n: 2, below: [{}] }] })).toBeNull()
      expect(faultOf(one, { below: [{ below: [{ n: 'x' }] }] })).toBe('/below/0/below/0/n')
      expect(faultOf(one, { n: 1, other: 1 })).toBe('')
    }
  })

  test('identifiers of draft 4 are those of later drafts', () => {
    const $schema = 'http://json-schema.org/draft-04/schema#'
    const schema = (more: JsonObject) => ({
      ...more,
      id: 'http://e.x/a',
      properties: { a: { $ref: 'b' }, id: text },
      definitions: { b: { id: 'b', type: 'integer' } },
    })
    expect(faultOf(tool(schema({ $schema })), { a: 1, id: 'x' })).toBeNull()
    expect(faultOf(tool(schema({ $schema })), { a: 'x' })).toBe('/a')
    // Else it is a word like others.
    expect(tool(schema({})).refused).toContain('/properties/a/$ref')
  })

  test('one that may mean several parts is refused with its place', () => {
    const item = { $id: 'item', $dynamicAnchor: 'T', type: 'integer' }
    const list = {
      $id: 'list',
      items: { $dynamicRef: '#T' },
      $defs: { T: { $dynamicAnchor: 'T' } },
    }
    const { refused } = tool({ properties: { a: { $ref: 'list' } }, $defs: { list, item } })
    expect(refused).toContain('/$defs/list/items/$dynamicRef "#T" means one of several parts')
  })
})

test('references into what older drafts called another way still lead there', () => {
  const pair = {
    type: 'array',
    items: [integer, { ...part('items'), required: [] }],
    additionalItems: text,
  }
  const properties = {
    pair,
    // Names like those of keywords are names.
    items: { type: 'array', items: [text] },
    dependencies: integer,
    first: { $ref: '#/properties/pair/items/0' },
    named: { $ref: '#/properties/pair/items/1/properties/items' },
    rest: { $ref: '#/properties/pair/additionalItems' },
    same: { $ref: '#/properties/items/items/0' },
    count: { $ref: '#/properties/dependencies' },
    third: { $ref: '#/dependencies/first' },
  }
  const one = tool({ properties, dependencies: { first: { properties: { third: {} } } } })
  const wrong: JsonObject = { first: 'x', named: 1, rest: 1, same: 1, count: 'x' }
  const right: JsonObject = { first: 1, named: 'x', rest: 'x', same: 'x', count: 1, third: 7 }
  expect(faultOf(one, right)).toBeNull()
  for (const name of Object.keys(wrong)) {
    expect(faultOf(one, { ...right, [name]: wrong[name] ?? null })).toBe(`/${name}`)
  }
})

describe('what has no effect', () => {
  test.each<[JsonObject, string]>([
    [words(['then', { required: ['z'] }]), '`then` without `if`'],
    [{ else: { required: ['z'] } }, '`else` without `if`'],
    [{ if: { required: ['z'] } }, ''],
    [{ minContains: 2 }, '`minContains` without `contains`'],
    [{ maxContains: 0 }, '`maxContains` without `contains`'],
    [{ contains: integer, minContains: 0 }, '`contains` with `minContains` 0'],
  ])('is passed over: %j', (words, remark) => {
    const one = tool({ properties: { a: words } })
    for (const a of [{}, { z: 1 }, [], ['x'], [1, 1, 1], 'x']) {
      expect(faultOf(one, { a })).toBeNull()
    }
    expect(shown(one)).toContain(remark)
  })

  test('is never what has', () => {
    const both = tool({ properties: { a: { contains: integer, minContains: 0, maxContains: 1 } } })
    expect(faultOf(both, { a: [1, 1] })).toBe('/a')
    const must = tool({
      properties: { a: words(['if', { minProperties: 1 }], ['then', { required: ['z'] }]) },
    })
    expect(faultOf(must, { a: { y: 1 } })).toBe('/a')
    // What such a part names counts here, and the judge would lose it.
    const named = { if: { properties: { z: text } }, unevaluatedProperties: false }
    expect(tool({ properties: { a: named } }).refused).toContain('"if" without "then" and "else"')
  })
})

test('a pattern that counts far takes the same texts as the engine that it was written for', () => {
  const singles = ['.', 'a', '[ab]', '[^b]', String.raw`\w`, String.raw`[\s\S]`, '(?:a|b)']
  const single = fc.constantFrom(...singles, String.raw`(.|\n)`, String.raw`\.`, 'é')
  const beside = fc.array(fc.constantFrom(...singles, String.raw`\/`), { maxLength: 2 })
  const counts = fc
    .tuple(fc.constantFrom(0, 1, 2, 1_001), fc.constantFrom(1_001, 1_003, 4_096, Infinity))
    .filter(([least, most]) => least > 1_000 || most < Infinity)
  const body = fc.tuple(
    fc.constantFrom('a', 'b', 'a\n', '😀', '.', 'é'),
    fc.constantFrom(0, 1, 2, 3, 999, 1_000, 1_001, 1_002, 1_003, 1_004, 1_005),
  )
  fc.assert(
    fc.property(
      single,
      beside,
      beside,
      counts,
      body,
      (one, before, after, [from, to], [unit, n]) => {
        const most = to === Infinity ? '' : String(to)
        const pattern = `^${before.join('')}${one}{${from},${most}}${after.join('')}$`
        const imported = tool({ properties: { a: { pattern, maxLength: 9_000 } } })
        const value = unit.repeat(n)
        const isMatch = new RegExp(pattern, 'u').test(value)
        expect([pattern, faultOf(imported, { a: value })]).toEqual([pattern, isMatch ? null : '/a'])
      },
    ),
    { numRuns },
  )
})

test('names that are described by themselves and by a pattern meet both', () => {
  const bound = fc.constantFrom<JsonObject>({ minimum: 2 }, { maximum: 4 }, {})
  const described = fc.dictionary(fc.constantFrom('fo', 'foo', 'bar'), bound, { minKeys: 1 })
  const patterns = fc.dictionary(fc.constantFrom('^f', 'o$', 'a'), bound, { minKeys: 1 })
  const rest = fc.option(fc.oneof(fc.boolean(), bound), { nil: undefined })
  const values = fc.dictionary(fc.constantFrom('fo', 'foo', 'bar', 'fx', 'z'), fc.nat(6))
  const meets = (value: number, { minimum = 0, maximum = 9 }: JsonObject): boolean =>
    value >= Number(minimum) && value <= Number(maximum)
  fc.assert(
    fc.property(
      described,
      patterns,
      rest,
      values,
      (properties, patternProperties, other, value) => {
        const whole = {
          properties,
          patternProperties,
          ...(other !== undefined && { additionalProperties: other }),
        }
        const one = tool({ properties: { a: whole } })
        const isMet = Object.entries(value).every(([name, each]) => {
          const own = Object.hasOwn(properties, name) ? [properties[name] ?? {}] : []
          const found = Object.entries(patternProperties).flatMap(([pattern, schema]) =>
            new RegExp(pattern).test(name) ? [schema] : [],
          )
          const all = [...own, ...found]
          if (all.length > 0) return all.every((schema) => meets(each, schema))
          return typeof other === 'object' ? meets(each, other) : (other ?? true)
        })
        expect(faultOf(one, { a: value }) === null).toBe(isMet)
      },
    ),
    { numRuns },
  )
})

describe('of OpenAPI', () => {
  const id = { type: 'integer', readOnly: true }
  const schemas = {
    Id: id,
    Pet: { type: 'object', properties: { id, name: text }, required: ['id', 'name'] },
    Named: { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' } } },
    Tree: {
      type: 'object',
      properties: { id, child: { $ref: '#/components/schemas/Tree' } },
      required: ['id'],
    },
  }
  const posted = (schema: JsonValue) => {
    const requestBody = { required: true, content: { 'application/json': { schema } } }
    return operation('/a', { requestBody }, { schemas })
  }
  const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

  test.each<[string, JsonObject, JsonValue]>([
    ['itself', to('Pet'), { name: 'x' }],
    ['in a list', { type: 'array', items: to('Pet') }, [{ name: 'x' }]],
    ['by a reference', { ...schemas.Named, required: ['id'] }, {}],
    ['by another part', { allOf: [to('Named'), { required: ['id'] }] }, {}],
    ['beside parts', { allOf: [to('Named')], required: ['id'] }, {}],
    ['deeper', { properties: { a: { allOf: [{ allOf: [to('Pet')] }] } } }, { a: { name: 'x' } }],
    ['in a circle', to('Tree'), { child: {} }],
  ])('what is read-only need not be given: %s', (_, schema, body) => {
    const one = posted(schema)
    expect(faultOf(one, { body })).toBeNull()
    expect(shown(one)).toContain('`required` of what is `readOnly`')
  })

  test('what is not is demanded still', () => {
    expect(faultOf(posted(to('Pet')), { body: { id: 1 } })).toBe('/body')
    expect(faultOf(posted(to('Pet')), { body: { id: 'x', name: 'x' } })).toBe('/body/id')
    const other = { properties: { id: text, inner: to('Pet') }, required: ['id'] }
    expect(faultOf(posted(other), { body: {} })).toBe('/body')
  })

  test('an operation that is in another file is refused, and one of the document is followed', () => {
    const get = { operationId: 'g', parameters: [{ name: 'q', in: 'query', schema: integer }] }
    const paths = { '/a': { get: { $ref: 'parts/a.yml' }, put: { $ref: '#/x-operations/g' } } }
    const [lost, found = expect.fail()] = operations(paths, { 'x-operations': { g: get } })
    expect(lost?.refused).toContain('get: `$ref` "parts/a.yml" leads to nothing in the document')
    expect(lost?.refused).toContain('bundle its files into one')
    expect(found.capability.id).toBe('g')
    expect([faultOf(found, { q: 1 }), faultOf(found, { q: 'x' })]).toEqual([null, '/q'])
  })
})
