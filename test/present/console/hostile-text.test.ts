// Text of others in pieces: what hides is marked, what looks alike is pointed out, all else stays.
import { expect, test } from 'vitest'
import { hostileText, sentencePieces } from '#present/console/hostile-text'

const kindsOf = (text: string): readonly string[] =>
  hostileText(text, 1_000).pieces.map(({ kind, text: piece }) => `${kind} ${piece}`)

test.each([
  ['plain', 'Dear Zoë, 3 × 4 = 12\n\tyours', ['plain Dear Zoë, 3 × 4 = 12\n\tyours']],
  ['reversed', 'a\u202Eb', ['plain a', 'hidden \\u{202e}', 'plain b']],
  ['of no width', 'pay\u200Bpal', ['plain pay', 'hidden \\u{200b}', 'plain pal']],
  ['a filler', 'a\u3164', ['plain a', 'hidden \\u{3164}']],
  ['a control', 'a\u0000b\u001B', ['plain a', 'hidden \\u{0}', 'plain b', 'hidden \\u{1b}']],
  ['half a pair', 'a\uD800', ['plain a', 'hidden \\u{d800}']],
  ['of two alphabets', 'to pаypal', ['plain to ', 'mixed pаypal']],
  ['of another alphabet', 'Привет ann', ['plain Привет ann']],
  ['markup', '<b>&amp;</b>', ['plain <b>&amp;</b>']],
])('%s', (_, text, pieces) => {
  expect(kindsOf(text)).toEqual(pieces)
})

test('is cut where no pair is halved, and says what is left', () => {
  const { pieces, characters, drawn } = hostileText('abc\u{1F600}', 4)
  expect(pieces).toEqual([{ kind: 'plain', text: 'abc' }])
  expect([characters, drawn]).toEqual([5, 3])
  expect(hostileText('abc', 3)).toMatchObject({ characters: 3, drawn: 3 })
})

test('says the same whatever is between, so that nothing is lost', () => {
  const text = 'x\u200Dy z\u2028'
  const joined = hostileText(text, 100).pieces.map(({ text: piece }) => piece)
  expect(joined.join('')).toBe('x\\u{200d}y z\\u{2028}')
})

test('in a sentence of ours names and moments stand apart, and all else is as it was', () => {
  expect(sentencePieces('`olga` agrees until 2026-01-01 00:15:00 UTC (15 min)')).toEqual([
    { kind: 'named', text: 'olga' },
    { kind: 'plain', text: ' agrees until ' },
    { kind: 'moment', text: '2026-01-01T00:15:00Z' },
    { kind: 'plain', text: ' (15 min)' },
  ])
  expect(sentencePieces('until 2026-11-26T23:55:50.607Z')[1]).toEqual({
    kind: 'moment',
    text: '2026-11-26T23:55:50.607Z',
  })
  for (const text of ['2026-99-01 00:15:00 UTC', '``', '2026-01-01 00:15', '']) {
    expect(sentencePieces(text)).toEqual(text === '' ? [] : [{ kind: 'plain', text }])
  }
})
