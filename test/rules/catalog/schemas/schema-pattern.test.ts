// Patterns of schemas in RE2: they find what ECMAScript finds, in linear time, or are refused.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isSameInBoth,
  PatternUnsupported,
  schemaPattern,
} from '#rules/catalog/schemas/schema-pattern'
import { count } from '../../../support/vitest/counts.ts'

const characters = Array.from('abZ09_-./^] \t\n\r\v\b\0\u00a0\u2028\u3000\ufeff\u0085\u200béß語😀𐐀')
const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((all) => all.join(''))

const escapes =
  String.raw`\d \D \w \W \s \S \n \t \v \f \r \0 \cA \u0061 \u{1F600} \uD83D\uDE00 \x62`
    .concat(String.raw` \. \/ \^ \$ \] \\`)
    .split(' ')
const plain = ['a', 'b', 'Z', '0', '_', ' ', 'é', '語', '😀', '/', ',', '-', ':']
const range = fc.constantFrom('a-z', '0-9', 'A-Z', ' -~', '\\u0041-\\u005A', 'é-語', '\\x00-\\x1f')
const member = fc.oneof(fc.constantFrom(...escapes, 'a', 'b', '0', '.', '😀', '\\b', '\\-'), range)
const set = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(member, { maxLength: 3 }))
  .map(([open, members]) => `${open}${members.join('')}]`)
const leaf = fc.oneof(fc.constantFrom(...plain, ...escapes, '.'), set)
const times = fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{0,2}?', '{1,}')
// What repeats in what repeats would hold the engine up that is compared with.
const timesOfGroup = fc.constantFrom('', '?', '{2}')
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('piece'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((ways) => ways.map((pieces) => pieces.join('')).join('|')),
  piece: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.tuple(leaf, times).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(?:', '('), tie('pattern'), timesOfGroup)
      .map(([open, within, some]) => `${open}${within})${some}`),
  ),
}))
const anchored = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$', '\\b'))
  .map((parts) => parts.join(''))

/** Null where the pieces make no pattern, as of `\\0` before a digit. */
function inEngine(source: string): RegExp | null {
  try {
    return new RegExp(source, 'u')
  } catch {
    return null
  }
}

test('it finds what ECMAScript finds', () => {
  fc.assert(
    fc.property(anchored, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
      const theirs = inEngine(source)
      fc.pre(theirs !== null)
      const ours = schemaPattern(source)
      for (const one of texts) expect([one, ours.test(one)]).toEqual([one, theirs.test(one)])
    }),
    { numRuns: count(5_000, 400) },
  )
})

test.each([
  ['a(?=b)', '(?='],
  ['a(?!b)', '(?!'],
  ['(?<=a)b', '(?<='],
  ['(?<!a)b', '(?<!'],
  [String.raw`(a)\1`, String.raw`\1`],
  [String.raw`(?<x>a)\k<x>`, String.raw`\k`],
  [String.raw`\p{Emoji}`, String.raw`\p{Emoji}`],
  [String.raw`\Aa\z`, String.raw`\A`],
])('what RE2 lacks is refused: %s', (source, what) => {
  expect(() => schemaPattern(source)).toThrow(PatternUnsupported)
  expect(() => schemaPattern(source)).toThrow(what)
  expect(isSameInBoth(source)).toBe(false)
})

test.each(['a{2000}', '(a', '[a', 'a**', '*', '[z-a]'])(
  'what is no pattern is refused: %s',
  (one) => {
    expect(() => schemaPattern(one)).toThrow(PatternUnsupported)
  },
)

test.each([
  ['^(a+)+$', 'a'],
  [String.raw`^(\w+\s?)*$`, 'a'],
  ['^(a|aa)+$', 'a'],
  ['^([a-z0-9]+-?)+$', 'a'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  [String.raw`^(.*?,){11}P`, ','],
])('no text is searched for long: %s', (source, one) => {
  // A backtracking search would take longer than there is time.
  expect(schemaPattern(source).test(`${one.repeat(5_000)}!`)).toBe(false)
})

test('named groups, flags and identity escapes are taken', () => {
  expect(schemaPattern('^(?<year>[0-9]{4})$').test('2026')).toBe(true)
  expect(schemaPattern('(?i)^abc$').test('ABC')).toBe(true)
  expect(schemaPattern(String.raw`^[\w-.]+\_\@$`).test('a.b-c_@')).toBe(true)
  expect(schemaPattern('^[[:alpha:]]$').test('a]')).toBe(true)
  expect(schemaPattern(String.raw`^\p{Lu}\p{Script=Greek}$`).test('Aα')).toBe(true)
  expect(isSameInBoth(String.raw`\p{Lu}`)).toBe(false)
  expect(isSameInBoth(String.raw`a\B`)).toBe(false)
})
