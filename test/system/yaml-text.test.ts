// Numbers of YAML: none becomes another without a word, however it is written.
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
  ['.inf', Infinity],
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
