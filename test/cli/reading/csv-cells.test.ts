// Cells that a spreadsheet would take for a formula, written so that it cannot.
import { expect, test } from 'vitest'
import { csvLine } from '#cli/terminal/csv'

test.each([
  '=1+1',
  '+1',
  '-1',
  '@x',
  ' =1+1',
  '\u00a0=1+1',
  '\u200b=1+1',
  '\ufeff\u2060 =1+1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20x',
  '\u22121',
  '=HYPERLINK("http://x")',
])('%j is text', (cell) => {
  const text = csvLine([cell]).trimEnd().replace(/^"/, '')
  expect(text.startsWith("'")).toBe(true)
})

test.each(['a;=1+1', 'a\t=1+1', 'a,=1+1', 'a\n=1+1', ' a', 'a '])('%j is one cell', (cell) => {
  expect(csvLine([cell])).toBe(`"${cell}"\r\n`)
})

test('what is no formula is left as it is', () => {
  const cells = ['send_email', 'a=b', '1-2', 'x@y.org', -1, true, null]
  expect(csvLine(cells)).toBe('send_email,a=b,1-2,x@y.org,-1,true,\r\n')
})
