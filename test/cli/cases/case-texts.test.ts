// Files of test cases as editors and systems save them: what is not UTF-8 is refused with its line,
// never read as something else, and a byte order mark or another end of lines changes nothing.
import { expect, test } from 'vitest'
import { casesOf } from '#cases/case-texts'

const line = (text: string): string => {
  return JSON.stringify({ name: text, request: { tool: 't', args: { text } }, expect: 'allow' })
}
const files = [
  ['cases.ndjson', line] as const,
  ['cases.yaml', (text: string) => `- ${line(text)}`] as const,
]

const namesIn = (file: string, bytes: Uint8Array) => casesOf(file, bytes).map(({ of }) => of.name)

test.each(files)('%s is read in any form of UTF-8', (file, written) => {
  for (const text of ['é', 'e\u0301', '\u2028', '\u{1f600}', '\u202e', 'İ']) {
    for (const end of ['\n', '\r\n', '']) {
      for (const mark of ['', '\ufeff']) {
        const bytes = Buffer.from(`${mark}${written(text)}${end}`)
        expect(namesIn(file, bytes)).toEqual([text])
      }
    }
  }
})

test.each(files)('%s is refused in any other form, with the line', (file, written) => {
  const first = written('a')
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const bytes = Buffer.concat([Buffer.from(`${first}\n`), Buffer.from(written('é'), encoding)])
    expect(() => casesOf(file, bytes)).toThrow(/line 2: it is not UTF-8/)
  }
})

test('of a line that is no JSON the column and the cause are named', () => {
  const broken = line('a').replace('}}', '},}')
  const message = `it is not JSON: line 2, column ${broken.indexOf(',}') + 2}: `
  expect(() => casesOf('cases.ndjson', Buffer.from(`\n${broken}`))).toThrow(message)
})
