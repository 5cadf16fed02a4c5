// Texts of YAML: what is read is what is written, however that is spelled, or it is refused with
// its place. No number becomes another without a word.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { yamlValue } from '#system/yaml-text'

test.each([
  ['9007199254740994', 9_007_199_254_740_994],
  ['+12', 12],
  ['007', 7],
  ['.5', 0.5],
  ['-.5e-3', -0.0005],
  ['1.', 1],
  ['1.000', 1],
  ['1e23', 1e23],
  ['0x20', 32],
  ['0o17', 15],
])('%s is what it says', (written, value) => {
  expect(yamlValue(`n: ${written}`)).toEqual({ n: value })
})

test.each([
  '9007199254740993',
  '+9007199254740993',
  '0x20000000000001',
  '0o400000000000000001',
  '3.141592653589793238',
  '.12345678901234567891',
  '1e-400',
])('%s is refused, with its place', (written) => {
  const message = 'a number has digits that a double cannot hold: write it as a text'
  expect(() => yamlValue(`a: 1\nn: [${written}]`)).toThrow(`${message} (line 2, column 5)`)
  expect(() => yamlValue(`? ${written}\n: 1`)).toThrow('line 1, column 3')
  expect(yamlValue(`n: "${written}"`)).toEqual({ n: written })
})

test('a whole number is refused exactly where its digits would change', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (number) => {
      const isKept = String(Number(number)) === `${number}`
      if (isKept) expect(yamlValue(`n: ${number}`)).toEqual({ n: Number(number) })
      else expect(() => yamlValue(`n: ${number}`)).toThrow('cannot hold')
    }),
  )
})

test.each<[string, string]>([
  ['a: .nan', 'is not a number of JSON (line 1, column 4)'],
  ['a: -.inf', 'too large for a double (line 1, column 4)'],
  ['a: 1e999', 'too large for a double (line 1, column 4)'],
  ['a:\n  - "\\ud800"', 'half a surrogate pair, which UTF-8 cannot encode (line 2, column 5)'],
  ['a: {__proto__: 1}', '`__proto__`, which readers drop or obey (line 1, column 5)'],
  ['{[1]: 2}', 'a key is a list, a map or an alias: write it as a text (line 1, column 2)'],
  ['? {a: 1}\n: 2', 'a key is a list, a map or an alias'],
  ['{&k x: 1, *k : 2}', 'a key is a list, a map or an alias'],
  ['~: 1', 'a key is empty: write it as a text (line 1, column 1)'],
  ['a: &a [*a]', '`*a` is a part of itself (line 1, column 8)'],
  ['a: *b', 'nothing is called `&b` before it (line 1, column 4)'],
  ['a: 1\n---\na: 2\n', 'it holds several documents'],
])('%j is refused, with why and where', (written, why) => {
  expect(() => yamlValue(written)).toThrow(why)
})

test('what is nested too deeply is refused', () => {
  expect(() => yamlValue(`a: ${'['.repeat(20_000)}`)).toThrow('nested deeper than allowed')
})

test.each([
  '!!binary aGk=',
  '!!set {a, b}',
  '!!omap [a: 1]',
  '!Ref x',
  '!!js/function "x"',
  '!e! x',
])('a tag that makes something else of a value is refused: %s', (value) => {
  for (const written of [`a: ${value}`, `a:\n  - ${value}`]) {
    expect(() => yamlValue(`%TAG !e! tag:e.x,2026:\n---\n${written}`)).toThrow(/line \d/)
  }
})

test('keys that become one key of an object are refused, in any two spellings', () => {
  const spellings = fc.constantFrom(
    ['1', '"1"', "'1'", '0x1', '1.0', '+1'],
    ['true', '"true"', 'True'],
    ['a', '"a"', "'a'", '"\\x61"'],
  )
  const two = spellings.chain((all) => fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all)))
  fc.assert(
    fc.property(two, fc.boolean(), ([one, other], isFlow) => {
      const written = isFlow ? `{${one} : 1, b: 2, ${other} : 3}` : `${one}: 1\nb: 2\n${other}: 3`
      expect(() => yamlValue(written)).toThrow('Map keys must be unique')
    }),
    { numRuns: 100 },
  )
})

test('whatever is JSON is read as JSON reads it', () => {
  const json = fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' })
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      fc.pre(!text.includes('__proto__') && !text.includes('"<<"') && text.isWellFormed())
      fc.pre(!/-0(?![.\d])|\\ud[89a-f]/i.test(text))
      expect(yamlValue(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
})
