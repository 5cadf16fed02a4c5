// What makes two names one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { caseFold } from '#record/case-fold'
import { count } from '../../support/vitest/counts.ts'

test.each([
  ['FILE', 'file'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['caf\u00e9', 'CAFE\u0301'],
  ['\u212b', '\u00e5'],
  ['\u212a', 'k'],
  ['ﬀ', 'FF'],
  ['ŉ', 'ʼN'],
  ['İ', 'i\u0307'],
  ['ͅ', 'ι'],
])('%s and %s are one', (one, other) => {
  expect(caseFold(one)).toBe(caseFold(other))
})

test.each([
  ['ı', 'i'],
  ['ı', 'I'],
  ['İ', 'i'],
  ['e', 'é'],
  ['ﬁle ', 'file'],
  ['file', 'filé'],
  ['½', '1/2'],
  ['²', '2'],
])('%s and %s are two', (one, other) => {
  expect(caseFold(one)).not.toBe(caseFold(other))
})

test('a key is its own key, and so is what upper or lower case make of a text', () => {
  const text = fc.string({ unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), hard) })
  fc.assert(
    fc.property(text, (each) => {
      const key = caseFold(each)
      expect(caseFold(key)).toBe(key)
      expect(caseFold(each.normalize('NFD'))).toBe(key)
      expect(caseFold(each.toLowerCase())).toBe(key)
    }),
    { numRuns: count(5_000, 1_000) },
  )
})

const hard = fc.constantFrom(
  'ß',
  'ẞ',
  'ς',
  'Σ',
  'σ',
  'ı',
  'I',
  'İ',
  'ΐ',
  'ᾳ',
  'ͅ',
  'ŉ',
  'ǰ',
  'Ꭰ',
  'ꭰ',
  'e\u0301',
)
