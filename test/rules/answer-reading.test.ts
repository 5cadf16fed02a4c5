// Answers of tools as values: JSON, rows, parts or text, never more values than there may be, and
// never with a secret.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readToolAnswer, scrubbed, type ToolAnswerForm } from '#rules/drivers/answer-reading'
import { surveyOf } from '#record/json'

const valuesMax = 1_000

function read(text: string, form: ToolAnswerForm = 'rows', more: object = {}) {
  return readToolAnswer({ bytes: Buffer.from(text), form, valuesMax, secrets: null, ...more })
}

const wide = `[${'{},'.repeat(valuesMax)}{}]`

test.each<[ToolAnswerForm, string]>([
  ['json', wide],
  ['text', ` ${wide}\n`],
  ['rows', wide],
  ['rows', `{"a":${wide}}\n{"a":1}`],
  ['rows', '{"a":1}\n'.repeat(valuesMax)],
  ['lines', 'a\n'.repeat(valuesMax)],
  ['lines', `${wide}\n`],
  ['events', 'data: 1\n\n'.repeat(valuesMax)],
  ['texts', JSON.stringify(['a', wide])],
  ['rows', `{${Array.from({ length: valuesMax }, (_, at) => `"k${at}":1`).join(',')}}`],
])('too many values are refused as %s', (form, text) => {
  expect(read(text, form)).toEqual({ ok: false, code: 'too_many_values' })
})

test.each([
  'a, b, c\n'.repeat(valuesMax),
  `[12:00] ${'a, '.repeat(valuesMax)}`,
  `{ ${'a: b, '.repeat(valuesMax)}`,
])('commas of a text are no values', (text) => {
  expect(read(text)).toEqual({ ok: true, value: text })
})

test('rows are found behind white space, and one line alone is a text', () => {
  expect(read(' {"a":1}\r\n\n{"a":2}')).toEqual({ ok: true, value: [{ a: 1 }, { a: 2 }] })
  expect(read('{"a":1}\nb')).toEqual({ ok: true, value: '{"a":1}\nb' })
  expect(read('{"a":')).toEqual({ ok: true, value: '{"a":' })
})

test('digits that no double holds are kept as a text, beside the other members', () => {
  const value = { id: '9007199254740993', n: 1 }
  expect(read('{"id":9007199254740993,"n":1}')).toEqual({ ok: true, value })
})

test('what is no text is no answer, but a part of a stream is shown as far as it goes', () => {
  const bytes = Buffer.from([0xff, 0x0a])
  expect(read('', 'rows', { bytes })).toEqual({ ok: false, code: 'result_invalid' })
  expect(read('', 'lines', { bytes })).toEqual({ ok: true, value: ['\u{FFFD}\n'] })
})

// No answer has that member: what a check of its values does not walk into, it does not count.
const json = fc
  .jsonValue({ maxDepth: 5 })
  .filter((value) => !JSON.stringify(value).includes('"__proto__":'))

test('whatever was written as JSON is read as it was, with exactly so many values', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      const { values } = surveyOf(JSON.parse(text), { bytesMax: 1e9, depthMax: 64 })
      const expected = { ok: true, value: JSON.parse(text) }
      expect(read(text, 'json', { valuesMax: values })).toEqual(expected)
      if (values === 1) return
      const less = read(text, 'json', { valuesMax: values - 1 })
      expect(less).toEqual({ ok: false, code: 'too_many_values' })
    }),
  )
})

test('lines are the same however they are cut, and no secret is left in them', () => {
  const line = fc.constantFrom('{"a":"my secret"}', 'my secret', '"my secret!"', '', 'b\r')
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const answer = read(lines.join('\n'), 'lines', { secrets: 'my secret' })
      expect(JSON.stringify(answer)).not.toContain('my secret')
      const shown = lines.filter((one) => one !== '')
      expect(answer.ok && Array.isArray(answer.value) && answer.value.length).toBe(shown.length)
      if (shown.some((one) => one.includes('secret'))) {
        expect(JSON.stringify(answer)).toContain(scrubbed)
      }
    }),
  )
})
