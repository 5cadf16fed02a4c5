// A text that stops being JSON names the line and column, for every way to break one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parserFault } from '#record/json-fault'

const said = (text: string): string => parserFault(Buffer.from(text))

test.each([
  ['{"a":1,}', 'line 1, column 8'],
  ['{\n  "a": tru\n}', 'line 2, column 11'],
  ['[1,\n2', 'line 2, column 2'],
  ['{"a" 1}', 'line 1, column 6'],
  ['{\n\n a:1}', 'line 3, column 2'],
  ['{"a": ?}', 'line 1, column 7'],
  ['\ufeff{"a": 1}', 'line 1, column 1: a byte order mark'],
])('%j stops at %s', (text, at) => {
  expect(`${said(text)} `).toMatch(new RegExp(`^${at}[: ,]`))
})

test('a mark that no JSON has is found where it was put, between any two values', () => {
  const lists = fc.array(fc.json(), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lists, fc.nat(), (values, where) => {
      const parts = values.toSpliced(where % (values.length + 1), 0, '?')
      const text = `[${parts.join('\n,')}]`
      const before = text.slice(0, text.indexOf('?'))
      // A text in it may hold the same mark, or the line feed.
      fc.pre(!values.join('').includes('?'))
      const column = before.length - before.lastIndexOf('\n')
      const at = `line ${before.split('\n').length}, column ${column}: Unexpected token '?'`
      expect(said(text)).toBe(at)
    }),
  )
})
