// Numbers that are recorded as they were written, and those that a double cannot hold.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExactNumber } from '#record/reading/exact-number'
import { parseExactJson, readJson } from '#record/json'
import { checkBytes } from '#messages/check'

const utf8 = (text: string) => new TextEncoder().encode(text)
const limits = { bytesMax: 100_000, depthMax: 20 }

test.each(
  [
    '0 -0 0.0 -0.0e5 0.1 1.0 1.50 100 1e3 1E+3 1000e-3 1e23 9007199254740991',
    '9007199254740992 9007199254740994 1e308 5e-324 1e21 123456789012345680000',
    '0.30000000000000004 1.7976931348623157e308 1e400 -1e400',
  ].flatMap((some) => some.split(' ')),
)('%s is the number that is recorded', (written) => {
  expect(isExactNumber(written)).toBe(true)
})

test.each(
  [
    '9007199254740993 -9007199254740993 12345678901234567890 1152921504606846976',
    '3.141592653589793238 0.1000000000000000055511151231257827 1e-400',
    '1915883588174806058 9007199254740993.0 90071992547409930e-1 9.007199254740993e15',
    '123456789012345678e3',
  ].flatMap((some) => some.split(' ')),
)('%s is not', (written) => {
  expect(isExactNumber(written)).toBe(false)
  const text = `{"a":[{"b/c~":${written}}]}`
  const at = '/a/0/b~1c~0'
  expect(readJson(utf8(text), limits)).toEqual({ ok: false, code: 'number_inexact', at })
  expect(() => parseExactJson(text)).toThrow(at)
  const [empty, kept] = (['null', 'text'] as const).map((inexact) => {
    return readJson(utf8(text), { ...limits, inexact })
  })
  expect(empty).toMatchObject({ ok: true, value: { a: [{ 'b/c~': null }] }, inexact: at })
  expect(kept).toMatchObject({ ok: true, value: { a: [{ 'b/c~': written }] }, inexact: at })
})

test('what a double is written as is always exact, and one more digit never', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const written = JSON.stringify(value)
      expect(isExactNumber(written)).toBe(true)
      expect(readJson(utf8(`[${written}]`), limits)).toMatchObject({ ok: true })
    }),
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (value) => {
      expect(isExactNumber(String(value))).toBe(
        BigInt(Number(value)) === value && String(Number(value)) === String(value),
      )
    }),
  )
})

test('digits in texts and what is not a number are left alone', () => {
  const text = String.raw`{"9007199254740993":"9007199254740993 \" 9007199254740993"}`
  expect(readJson(utf8(text), limits)).toMatchObject({ ok: true })
  for (const wrong of [
    '{"a":12345678901234567890x}',
    '[00000000000000000001]',
    '[1234567890123456.e5]',
  ]) {
    for (const inexact of ['refuse', 'null', 'text'] as const) {
      expect(readJson(utf8(wrong), { ...limits, inexact })).toEqual({ ok: false, code: 'not_json' })
    }
  }
})

test('under rules 7 such a number of a message is null and named, and else it is changed', () => {
  const message = {
    type: 'query',
    sender: 'bot',
    content: 'pay',
    confidence: 0.5,
    payload: { amount: 1 },
  }
  const bytes = utf8(JSON.stringify(message).replace('"amount":1', '"amount":9007199254740993'))
  const by = { knownConstraints: [] }
  expect(checkBytes(bytes, { ...by, rules: 7 }).inexact).toBe('/payload/amount')
  expect(checkBytes(bytes, { ...by, rules: 6 }).inexact).toBeUndefined()
  expect(checkBytes(bytes, by).inexact).toBeUndefined()
  expect(checkBytes(bytes, { ...by, rules: 7, exact: false }).inexact).toBeUndefined()
})
