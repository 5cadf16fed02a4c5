// Canonical JSON: ours against the `canonicalize` package, which its author wrote beside the RFC.
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, canonicalBytes, jsonOf, type Json } from '#record/canonical'
import { parseJson } from '#record/json'

// Keys that engines order by number, keys that differ in one unit, keys beyond the first plane.
const key = fc.oneof(
  fc.constantFrom('0', '1', '9', '10', '00', '4294967294', '4294967295', '-1', '1.5', ''),
  fc.constantFrom('a', 'A', 'aa', '\u0000', '"', '\\', '\u00e9', 'e\u0301', '\u20ac', '\ufb33'),
  fc.constantFrom('\u{1f600}', '\u{10ffff}', '\uffff', '\u2028', 'constructor', 'toString'),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, -0, 1e21, 1e-7, 5e-324, 2 ** 53, 0.1 + 0.2),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(key, tie('json'), { maxKeys: 6 }),
  ),
}))

/** The same value with its keys added in the other order. */
function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => reversed(jsonOf(item)))
  const members = Object.entries(value).map(([name, member]) => [name, reversed(jsonOf(member))])
  return jsonOf(Object.fromEntries(members.toReversed()))
}

describe('the canonical text', () => {
  test('is that of the reference', () => {
    const property = fc.property(json, (value) => {
      expect(canonical(value)).toBe(canonicalize(value))
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  test('has the value, and only once', () => {
    const property = fc.property(json, (value) => {
      const text = canonical(value)
      const read = jsonOf(parseJson(text))
      expect(canonical(read)).toBe(text)
      expect(canonical(reversed(value))).toBe(text)
    })
    fc.assert(property, { numRuns: 1_000 })
  })

  test('orders keys by code unit, not by code point and not by number', () => {
    expect(canonical({ '\ufb33': 1, '\u{1f600}': 2, b: 3, '10': 4, '9': 5 })).toBe(
      '{"10":4,"9":5,"b":3,"\u{1f600}":2,"\ufb33":1}',
    )
  })

  test('leaves out what is undefined, also where it is undefined everywhere', () => {
    expect(canonical({ b: undefined, a: 1 })).toBe('{"a":1}')
    expect(canonical({ a: { '1': undefined } })).toBe('{"a":{}}')
  })

  test('of many sizes is the same, after each other and one within another', () => {
    const sizes = [0, 1, 63, 64, 65, 5_000, 40_000, 1_200_000, 3]
    for (const [index, size] of sizes.entries()) {
      const one = { b: 'x'.repeat(size), a: ['é', index, '"'.repeat(size % 100)] }
      const other = {
        ...one,
        get c() {
          return canonical(one)
        },
      }
      expect(canonical(one)).toBe(canonicalize(one))
      expect(canonical(other)).toBe(canonicalize({ ...one, c: canonicalize(one) }))
    }
    expect(() => canonical({ a: 'x'.repeat(2_000_000), b: '\ud800' })).toThrow(RangeError)
    expect(canonical({ a: 1 })).toBe('{"a":1}')
  })

  test('in bytes is UTF-8', () => {
    expect(Buffer.from(canonicalBytes({ é: '€' })).toString('hex')).toBe(
      Buffer.from('{"é":"€"}', 'utf8').toString('hex'),
    )
  })
})

describe('what JSON cannot hold', () => {
  const halves = ['\ud800', '\udc00', 'a\ud800', '\udc00\ud800', '\ud83d ']

  test.each(halves)('is refused: half a surrogate pair in a text: %j', (half) => {
    expect(() => canonical(half)).toThrow(RangeError)
    expect(() => canonical([{ a: half }])).toThrow(RangeError)
  })

  test.each(halves)('is refused: half a surrogate pair in a key: %j', (half) => {
    expect(() => canonical({ [half]: 1 })).toThrow(RangeError)
    expect(() => canonical({ b: 1, a: { [half]: 1 } })).toThrow(RangeError)
  })

  test('is refused wherever it stands', () => {
    const withHalf = fc.tuple(json, fc.constantFrom(...halves), fc.boolean())
    const property = fc.property(withHalf, ([value, half, first]) => {
      const all = first ? { a: half, z: value } : { a: value, z: half }
      expect(() => canonical(all)).toThrow(RangeError)
    })
    fc.assert(property, { numRuns: 300 })
  })

  test('is that of the reference for more keys than are ever copied', () => {
    const held: readonly Json[] = [null, [], {}, -0, 'x', [{ b: 1, a: [] }], { 10: 1, 9: 2 }]
    const many = (count: number): Json => {
      const keys = Array.from({ length: count }, (_, n) => [`k${n}`, held[n % held.length]])
      return jsonOf(Object.fromEntries(keys))
    }
    for (const count of [64, 65, 2_000]) {
      const value = { z: many(count), list: [many(count)], a: 1 }
      expect(canonical(value)).toBe(canonicalize(value))
    }
  })

  test.each([Number.NaN, Infinity, -Infinity])('is refused: %d', (number) => {
    expect(() => canonical(number)).toThrow(RangeError)
    expect(() => canonical({ b: [number], a: 1 })).toThrow(RangeError)
  })

  test('is no part of a value that came out of JSON', () => {
    expect(() => jsonOf(() => 1)).toThrow(TypeError)
    expect(() => jsonOf({ a: 1n })).toThrow(TypeError)
    expect(jsonOf({ a: undefined, b: [1, null] })).toEqual({ b: [1, null] })
  })
})
