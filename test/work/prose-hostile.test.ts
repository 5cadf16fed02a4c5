// Texts that were written to keep a check busy: each is answered, whatever it holds. What an answer
// costs is counted in `test/system/growth`.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkProse, textLengthMax } from '#work/prose/check-prose'
import { documentOf } from '#work/prose/document'
import { groundingChecks, structuralChecks } from '#work/prose/profiles'
import { count } from '../support/vitest/counts.ts'

const asked = [...structuralChecks, ...groundingChecks]
const now = Date.UTC(2026, 0, 1)

function answered(text: string): void {
  const { passed, failures } = checkProse({
    text,
    asked,
    minWords: 1,
    requiredSections: ['a', 'a b'],
    now,
  })
  expect(passed).toBe(failures.length === 0)
}

describe('very many characters of', () => {
  test.each(
    ['[', '![', '[](', '[[a]', '[^', '> ', '- ', '> - ', '1. a\n', '#\n', '# a\n', 'a\n-\n'].concat(
      [
        '*a **b_c',
        '`a``b',
        '<a ',
        '<!--',
        'a <b> ',
        '|a|b|\n|-|-|\n',
        '-|-\n',
        '[a]: b\n',
        '(Smith ',
        '(2024) ',
        '[1,',
        '1,000,',
        '5 ms, 5% ',
        '2009-01-01 ',
        'see section a. ',
        'refer to "',
        '\u200b',
        '\t- ',
        '\r',
        '\0',
      ],
    ),
  )('%j are checked', (piece) => {
    answered(piece.repeat(count(100_000, 10_000) / piece.length))
  })
})

test('a megabyte of one character, and ten thousand links', () => {
  answered('a'.repeat(textLengthMax))
  answered(' '.repeat(textLengthMax))
  const links = '- [a](https://a.example/b) and https://b.example/c\n'.repeat(5_000)
  answered(links)
  expect(documentOf(links).links.length).toBe(5_000)
})

test('a table of many columns and rows stays as long as it is written', () => {
  const columns = 2_000
  answered(`|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|\n'.repeat(columns)}`)
})

test('whatever a text holds, its headings are in it, in order, and every check answers', () => {
  const piece = fc.constantFrom(
    '# a',
    '## b c',
    'a\n=',
    '---',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '\t',
    '> ',
    '- ',
    '1. ',
    '```',
    '`',
    '<!--',
    '-->',
    '<p>',
    '[1]',
    '[a](b)',
    '[a]: https://a.example',
    '|a|\n|-|\n',
    'see section b c.',
    '**',
    '\\',
    '\u200b',
    '\r\n',
    '\u{1f600}',
    'text of some length',
  )
  const property = fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
    const text = pieces.join('')
    const { headings, shown, blocks } = documentOf(text)
    const lines = text.split(/\r\n|\r|\n/)
    expect(shown.length).toBe(lines.length)
    let before = -1
    for (const { line, end, level } of headings) {
      expect(line).toBeGreaterThan(before)
      expect(end).toBeGreaterThan(line)
      expect(end).toBeLessThanOrEqual(lines.length)
      expect(level >= 1 && level <= 6).toBe(true)
      before = line
    }
    for (const { text: all, prose } of blocks) expect(prose.length).toBe(all.length)
    const { passed, failures } = checkProse({ text, asked, requiredSections: ['b c'], now })
    expect(passed).toBe(failures.length === 0)
  })
  fc.assert(property, { numRuns: 1_000 })
})
