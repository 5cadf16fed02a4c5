// JSON read as it is written, also where an engine takes one key for another.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasEscapedKey, parseJson, readJson } from '#record/json'

const limits = { bytesMax: 100_000, depthMax: 20 }
const marks = ['\\', '"', '\n', '\u0000', ':', ' ', '/', '{', '}']
const piece = fc.constantFrom(...marks, 'a', '\u00e9', '\u{1f600}')
const word = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.constantFrom<unknown>(null, true, false, 0, -1.5e-7, 1e21),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(word, tie('json'), { maxKeys: 6 }),
  ),
}))

/** The entries of all objects, in order: a matcher compares keys in any order. */
function entriesOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(entriesOf)
  return { entries: Object.entries(value).map(([key, member]) => [key, entriesOf(member)]) }
}

/** JSON for the value with spaces, and with every character of each string escaped if `all`. */
function written(value: unknown, all: boolean): string {
  if (typeof value === 'string') {
    if (!all) return JSON.stringify(value)
    const codes = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    return `"${codes.map((code) => `\\u${code}`).join('')}"`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[ ${value.map((item) => written(item, all)).join(' , ')} ]`
  const members = Object.entries(value)
  const texts = members.map(([key, member]) => `${written(key, all)}\n: ${written(member, all)}`)
  return `{ ${texts.join(',')} }`
}

test('a key is read as it is written, whatever keys were read before', () => {
  const property = fc.property(json, fc.boolean(), (value, all) => {
    const text = written(value, all)
    const reading = readJson(Buffer.from(text), limits)
    expect(entriesOf(parseJson(text))).toEqual(entriesOf(value))
    expect(reading.ok && entriesOf(reading.value)).toEqual(entriesOf(value))
  })
  fc.assert(property, { numRuns: 2_000 })
})

test.each([
  ['{"h":[],"\\\\":0}', '{"h":1,"\\"":2}', 'h,"'],
  ['{"\\\\":0}', '{"\\n":1}', '\n'],
  ['{"\\\\":0}', '{"\\u0000":1}', '\u0000'],
  ['{"a":0,"\\\\":1}', '{"a":0,"\\r":1,"\\\\":2}', 'a,\r,\\'],
])('after %s the keys of %s are its own', (before, text, keys) => {
  for (let count = 0; count < 3; count += 1) JSON.parse(before)
  const reading = readJson(Buffer.from(text), limits)
  expect(Object.keys(Object(parseJson(text))).join(',')).toBe(keys)
  expect(reading.ok && Object.keys(Object(reading.value)).join(',')).toBe(keys)
})

test.each([
  ['{"a":"b"}', false],
  ['{"a":"\\n"}', false],
  ['["\\":", "a"]', false],
  ['{"\\n":1}', true],
  ['{"a\\\\" \t\r\n: 1}', true],
  ['{"a":"\\\\","b":["\\"",{"\\u0061":1}]}', true],
])('whether a key of %s has an escape: %s', (text, expected) => {
  expect(hasEscapedKey(text)).toBe(expected)
})

test.each(['', '{', '{"\\n":}', '{"\\n":1', '{"\\x":1}', '"\\', '{"\\n" 1}'])(
  '%s is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
    expect(readJson(Buffer.from(text), limits)).toEqual({ ok: false, code: 'not_json' })
  },
)

test('of two keys that are written otherwise and mean the same, one is too many', () => {
  const text = '{"a":1,"\\u0061":2}'
  expect(readJson(Buffer.from(text), limits)).toEqual({ ok: false, code: 'duplicate_key' })
})
