import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covering, covers, isPattern, literalPrefix } from '#record/pattern'

test('a pattern has up to eight tokens, a star is a whole one, and only the last may be >', () => {
  for (const text of [
    '>',
    '*',
    'a',
    'a.*.b',
    '*.*.>',
    'a-b._c.9',
    'a.b.c.d.e.f.g.h',
    'a.b.c.d.e.f.g.>',
  ]) {
    expect(isPattern(text), text).toBe(true)
  }
  const long = 't'.repeat(65)
  for (const text of ['', '.', 'a.', '.a', 'a..b', '>.a', 'a*', '**', 'a>', 'a b', 'ü', long]) {
    expect(isPattern(text), text).toBe(false)
  }
  expect(isPattern('a.b.c.d.e.f.g.h.i')).toBe(false)
  expect(isPattern('a.b\n')).toBe(false)
})

test('a star covers exactly one token, and > one or more', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['a.b.c', 'a.b.c', true],
    ['a.b.c', 'a.b.cd', false],
    ['a.b.cd', 'a.b.c', false],
    ['a.*.c', 'a.b.c', true],
    ['a.*.c', 'a.b.b.c', false],
    ['a.*', 'a.b.c', false],
    ['*.*.*', 'a.b.c', true],
    ['*.*.*.*', 'a.b.c', false],
    ['a.>', 'a.b.c', true],
    ['a.b.>', 'a.b.c', true],
    ['a.b.c.>', 'a.b.c', false],
    ['a.b.>', 'a.bc.c', false],
    ['>', 'a.b.c', true],
    ['*.b.>', 'a.b.c.d', true],
    ['a.b.*', 'a.b.c', true],
  ]
  for (const [pattern, name, covered] of cases) {
    expect(covers(pattern, name), `${pattern} ${name}`).toBe(covered)
  }
})

test('an empty list covers nothing', () => {
  expect(covering([])('a.b.c')).toBe(false)
})

test('any pattern covers what its tokens cover one by one, and begins with its prefix', () => {
  const word = fc.constantFrom('a', 'b', 'ab')
  const name = fc.array(word, { minLength: 3, maxLength: 5 })
  const head = fc.array(fc.oneof(word, fc.constant('*')), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(name, head, fc.boolean(), (tokens, wild, open) => {
      const pattern = [...wild, ...(open ? ['>'] : [])].join('.')
      const counted = open ? tokens.length > wild.length : tokens.length === wild.length
      const expected = counted && wild.every((w, i) => w === '*' || w === tokens[i])
      expect(isPattern(pattern)).toBe(true)
      expect(covers(pattern, tokens.join('.'))).toBe(expected)
      if (expected) expect(tokens.join('.').startsWith(literalPrefix(pattern))).toBe(true)
    }),
  )
})
