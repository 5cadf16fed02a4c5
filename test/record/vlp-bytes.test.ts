import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkBytes, checkMessage, messageLimits } from '#messages/check'
import { entryBytesMax } from '#ports/log'
import { codes, places, sample } from '../support/samples/vlp-sample.ts'

const known = { knownConstraints: [] }
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (text: string) => checkBytes(utf8(text), known)
const faultOf = (bytes: Uint8Array) => checkBytes(bytes, known).issues[0]?.params.fault

/** The text of a sound message with this member in it, spelled as it stands. */
const withMember = (member: string): string => JSON.stringify(sample()).replace('{', `{${member},`)

const refused: readonly (readonly [string, Uint8Array])[] = [
  ['no bytes', utf8('')],
  ['white space', utf8(' \n')],
  ['words', utf8('hello')],
  ['half a message', utf8(JSON.stringify(sample()).slice(0, -1))],
  ['two messages', utf8(`${JSON.stringify(sample())}${JSON.stringify(sample())}`)],
  ['NaN', utf8(withMember('"x":NaN'))],
  ['Infinity', utf8(withMember('"x":Infinity'))],
  ['a comment', utf8(`${JSON.stringify(sample())}// hello`)],
  ['single quotes', utf8(withMember("'x':1"))],
  ['a trailing comma', utf8(withMember('"x":[1,]'))],
  ['a control character in a string', utf8(withMember('"x":"\u0001"'))],
  ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8(JSON.stringify(sample())))],
  ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ['an overlong encoding', Uint8Array.of(0x22, 0xc0, 0x80, 0x22)],
  ['UTF-16', new Uint8Array(Buffer.from(JSON.stringify(sample()), 'utf16le'))],
  ['a list', utf8(`[${JSON.stringify(sample())}]`)],
  ['null', utf8('null')],
  ['a string', utf8('"VLP/1.1"')],
]

test.each(refused)('%s fails the schema as a whole', (_, bytes) => {
  expect(places(checkBytes(bytes, known))).toEqual(['schema_invalid '])
  expect(checkBytes(bytes, known).message).toBeNull()
})

test('what reads well is checked as its value is', () => {
  const message = sample({ confidence: 0.95, content: 'naïve 😀 \u2028', extra: { a: [1, {}] } })
  expect(checkBytes(utf8(JSON.stringify(message)), known)).toEqual(checkMessage(message, known))
})

describe('depth', () => {
  // The message itself is the first of the objects.
  const nested = (depth: number): string =>
    withMember(`"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`)

  test('the deepest message is taken, and one level more is not', () => {
    expect(messageLimits.depthMax).toBe(64)
    expect(read(nested(messageLimits.depthMax)).outcome).toBe('pass')
    expect(read(nested(messageLimits.depthMax + 1)).outcome).toBe('fail')
    const deepest: unknown = JSON.parse(nested(messageLimits.depthMax))
    const deeper: unknown = JSON.parse(nested(messageLimits.depthMax + 1))
    expect(checkMessage(deepest, known).outcome).toBe('pass')
    expect(places(checkMessage(deeper, known))).toEqual(['schema_invalid '])
  })

  test('a hundred thousand levels are refused without a stack to match', () => {
    expect(faultOf(utf8('['.repeat(100_000)))).toBe('too_deep')
    expect(faultOf(utf8('{"a":'.repeat(50_000)))).toBe('too_deep')
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(checkMessage(deep, known).issues[0]?.params.fault).toBe('too_deep')
  })

  test('brackets in strings are no depth', () => {
    expect(read(withMember(`"x":"${'[{\\"'.repeat(1000)}"`)).outcome).toBe('pass')
  })

  test('as many lists side by side as there is room for are no depth', () => {
    expect(read(withMember(`"x":[${'[],'.repeat(1000)}[]]`)).outcome).toBe('pass')
  })
})

describe('size', () => {
  const sized = (bytes: number): Uint8Array => {
    const empty = withMember('"x":""')
    return utf8(empty.replace('"x":""', `"x":"${'a'.repeat(bytes - empty.length)}"`))
  }

  test('a message of the largest size is taken, and one byte more is not', () => {
    expect(checkBytes(sized(messageLimits.bytesMax), known).outcome).toBe('pass')
    expect(faultOf(sized(messageLimits.bytesMax + 1))).toBe('too_large')
  })

  test('ten megabytes are refused unread', () => {
    expect(faultOf(new Uint8Array(10_000_000))).toBe('too_large')
  })

  test('a message is as large as what the log takes as one fact', () => {
    expect(messageLimits.bytesMax).toBe(entryBytesMax)
  })
})

describe('values', () => {
  const most = messageLimits.valuesMax
  const own = 1 + Object.keys(JSON.parse(withMember('"x":0'))).length
  const ways: readonly (readonly [string, (values: number) => string])[] = [
    ['in a list', (values) => `[${Array.from({ length: values - 1 }, () => ' { } ').join()}]`],
    [
      'in an object',
      (values) => `{${Array.from({ length: values - 1 }, (_, n) => `"${n}":0`).join()}}`,
    ],
    ['inside lists', (values) => `[${'[1],'.repeat((values - 2) / 2)}${values % 2 ? '1,1' : '1'}]`],
  ]

  test.each(ways)('as many as a message may hold are taken %s, and one more is not', (_, of) => {
    const taken = withMember(`"x":${of(most - own + 1)}`)
    const refused = withMember(`"x":[${of(most - own + 1)}]`)
    expect(checkBytes(utf8(taken), known).outcome).toBe('pass')
    expect(faultOf(utf8(refused))).toBe('too_many_values')
    expect(checkMessage(JSON.parse(taken), known).outcome).toBe('pass')
    const { issues } = checkMessage(JSON.parse(refused), known)
    expect(issues[0]?.params.fault).toBe('too_many_values')
  })

  test('commas and brackets within a text are not read', () => {
    expect(read(withMember(`"x":"${',[{:'.repeat(most)}"`)).outcome).toBe('pass')
  })

  test('a message of too many is still the message of its intent', () => {
    const bytes = utf8(withMember(`"x":[${'[],'.repeat(most)}[]]`))
    expect(checkBytes(bytes, known)).toMatchObject({ isObject: true, message: null })
  })
})

describe('one text, one value', () => {
  test.each([
    ['at the top', withMember('"confidence":1')],
    ['spelled with escapes', withMember('"\\u0069d":"other"')],
    ['further down', withMember('"payload":{"intent":{"a":1,"b":{},"a":2}}')],
    ['inside a list', withMember('"x":[{"a":1},{"a":1,"a":1}]')],
    ['with the same value', withMember('"protocol":"VLP/1.1"')],
  ])('a key twice %s is refused', (_, text) => {
    expect(faultOf(utf8(text))).toBe('duplicate_key')
  })

  test.each([
    ['one key in two objects', withMember('"x":[{"a":1},{"a":{"a":1}}]')],
    ['colons in strings', withMember('"x:":"a\\":\\":b\\\\"')],
    ['keys that differ in case', withMember('"ID":1')],
    ['keys that look like numbers', withMember('"1":1,"01":1,"-1":{"0":0}')],
  ])('%s is fine', (_, text) => {
    expect(codes(read(text))).toEqual([])
  })

  test('a key that readers drop or obey is refused, at any depth', () => {
    expect(faultOf(utf8(withMember('"__proto__":{}')))).toBe('unsafe_key')
    expect(faultOf(utf8(withMember('"x":[{"\\u005f_proto__":1}]')))).toBe('unsafe_key')
    expect(read(withMember('"constructor":{"prototype":1}')).outcome).toBe('pass')
  })

  test('half a surrogate pair is refused in values and keys', () => {
    expect(faultOf(utf8(withMember('"x":"\\ud800"')))).toBe('lone_surrogate')
    expect(faultOf(utf8(withMember('"\\udc00":1')))).toBe('lone_surrogate')
    expect(read(withMember('"x":"\\ud83d\\ude00"')).outcome).toBe('pass')
  })

  test('a number that a double cannot hold is refused', () => {
    expect(faultOf(utf8(withMember('"x":1e400')))).toBe('number_out_of_range')
    expect(read(withMember('"x":1e308')).outcome).toBe('pass')
  })
})

test.each([
  ['undefined', undefined],
  ['a function', sample({ content: () => 1 })],
  ['a bigint', sample({ seq: 1n })],
  ['NaN', sample({ confidence: Number.NaN })],
  ['an undefined property', sample({ topic: undefined })],
  ['a date', sample({ payload: { at: new Date(0) } })],
  ['a map', sample({ payload: new Map() })],
  ['a hole', sample({ keywords: Array(1) })],
])('a value with %s is no JSON and no message', (_, value) => {
  expect(places(checkMessage(value, known))).toEqual(['schema_invalid '])
})

test('a value that contains itself ends the check', () => {
  const ring: Record<string, unknown> = sample()
  ring['payload'] = { ring }
  expect(codes(checkMessage(ring, known))).toEqual(['schema_invalid'])
  let wide: unknown = []
  for (let level = 0; level < 40; level += 1) wide = [wide, wide]
  expect(codes(checkMessage(sample({ payload: { wide } }), known))).toEqual(['schema_invalid'])
})

test('no bytes make the check throw', () => {
  const text = JSON.stringify(sample({ payload: { a: ['x', 1, null, true] } }))
  const cut = fc.record({ at: fc.nat(text.length), bytes: fc.uint8Array({ maxLength: 8 }) })
  const spoiled = cut.map(({ at, bytes }) => {
    const [start, end] = [utf8(text.slice(0, at)), utf8(text.slice(at + 1))]
    return Uint8Array.of(...start, ...bytes, ...end)
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), spoiled), (bytes) => {
      const found = checkBytes(bytes, known)
      expect(found.message === null).toBe(codes(found).includes('schema_invalid'))
    }),
    { numRuns: 2000 },
  )
})

test('bytes of any JSON object are found to be what their value is', () => {
  const changes = fc.dictionary(fc.string(), fc.jsonValue())
  fc.assert(
    fc.property(changes, (given) => {
      const value: unknown = JSON.parse(JSON.stringify(sample(given)))
      expect(checkBytes(utf8(JSON.stringify(value)), known)).toEqual(checkMessage(value, known))
    }),
  )
})
