import { expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { addressInRealm, addressOf, eraOf, isName, isToken, nameOf } from '#record/names'
import { partsInRealm, partsOf, patternOf, token } from '#record/names'
import { allKinds, kinds } from '#schemas/kinds'

const place = { realm: 'main', era: 1 }

test.each([
  ['the empty text', ''],
  ['65 characters', 'a'.repeat(65)],
  ['a space', 'a b'],
  ['a dot', 'a.b'],
  ['an e-mail address', 'olga@example.org'],
  ['an underscore at the beginning', '_a'],
  ['a letter that is not of ASCII', 'ölga'],
  ['a wildcard', '*'],
  ['another wildcard', '>'],
  ['a line break at the end', 'a\n'],
])('%s is no token and becomes the digest of itself', (_, identifier) => {
  expect(isToken(identifier)).toBe(false)
  const digest = createHash('sha256').update(identifier, 'utf8').digest()
  const spelled = token(identifier)
  expect(spelled).toBe(`_${digest.subarray(0, 16).toString('base64url')}`)
  expect(isName(`main.1.vlp.${spelled}.-.u`)).toBe(true)
})

test.each(['a', 'A-1', '-', '-a', '0', 'a'.repeat(64), 'constructor', 'a_b'])(
  '`%s` is a token as it stands',
  (identifier) => {
    expect(isToken(identifier)).toBe(true)
    expect(token(identifier)).toBe(identifier)
  },
)

test('no identifier can spell the digest of another one', () => {
  const spelled = token('olga@example.org')
  expect(token(spelled)).not.toBe(spelled)
})

test('a name has three to nine tokens of letters, digits, `_` and `-`', () => {
  expect(isName('main.1')).toBe(false)
  expect(isName('main.1.x')).toBe(true)
  expect(isName('a.b.c.d.e.f.g.h.i')).toBe(true)
  expect(isName('a.b.c.d.e.f.g.h.i.j')).toBe(false)
  for (const text of [
    '',
    'a..b',
    '.a.b',
    'a.b.',
    'a.b.*',
    'a.b.>',
    'a.b.c d',
    'a.b.ö',
    'a.b.c\n',
  ]) {
    expect(isName(text)).toBe(false)
  }
  expect(isName(`a.b.${'c'.repeat(64)}`)).toBe(true)
  expect(isName(`a.b.${'c'.repeat(65)}`)).toBe(false)
})

test('an address has agent, session and id, and `-` where there is no session', () => {
  expect(addressOf('bot', null, 'u1')).toBe('bot.-.u1')
  expect(addressOf('bot', 'S-1', 'u1')).toBe('bot.S-1.u1')
  expect(addressOf('a b', 'c d', 'u1')).toBe(`${token('a b')}.${token('c d')}.u1`)
})

test('a session that is called `-` is not the same as none', () => {
  expect(addressOf('bot', '-', 'u1')).not.toBe(addressOf('bot', null, 'u1'))
  expect(isName(`main.1.vlp.${addressOf('bot', '-', 'u1')}`)).toBe(true)
})

test('a name of another realm, another era or another shape has no parts', () => {
  for (const name of [
    'other.1.vlp.bot.-.u1',
    'main.2.vlp.bot.-.u1',
    'main.01.vlp.bot.-.u1',
    'main.1.vlp.bot.-',
    'main.1.vlp.bot.-.u1.x',
    'main.1.verdict.x',
    'main.1.unknown.bot.-.u1',
    'main.1.constructor.a',
    'main.1.__proto__.a',
    'main.1',
  ]) {
    expect(partsOf(name, place)).toBe(null)
  }
})

test('what is about an intent carries its address, and nothing else does', () => {
  expect(partsOf('main.1.vlp.bot.S.u1', place)?.address).toBe('bot.S.u1')
  expect(partsOf('main.1.decision.bot.S.u1.1.olga', place)?.address).toBe('bot.S.u1')
  expect(partsOf('main.1.rate.bot.look.7', place)?.address).toBe(null)
  expect(partsOf('main.1.graph.7', place)).toEqual({
    place,
    kind: 'graph',
    tokens: ['7'],
    address: null,
  })
})

test('the longest name of each kind is still a name', () => {
  for (const kind of allKinds) {
    const name = `main.1.${kind}.${kinds[kind].tokens.map(() => 'x'.repeat(64)).join('.')}`
    expect(isName(name)).toBe(true)
    expect(partsOf(name, place)?.kind).toBe(kind)
  }
})

test('names and patterns are spelled alike', () => {
  expect(nameOf(place, 'verdict', 'bot.S.u1')).toBe('main.1.verdict.bot.S.u1')
  expect(nameOf(place, 'graph', 7)).toBe('main.1.graph.7')
  expect(patternOf(place, 'vlp', 'bot', 'S', '*')).toBe('main.1.vlp.bot.S.*')
  expect(patternOf(place, 'vlp')).toBe('main.1.vlp.>')
})

test('the address of a name is what its parts have, whatever the name', () => {
  const realm = fc.constantFrom('main', 'mai', 'main-c3', 'main-c03')
  const era = fc.constantFrom('1', '2', '10', '0', '01', 'x', '')
  const kind = fc.constantFrom(...allKinds, 'nothing', '')
  const tokens = fc.array(fc.constantFrom('a', '-', '7', ''), { maxLength: 7 })
  const name = fc.tuple(realm, era, kind, tokens).map(([first, second, third, rest]) => {
    return [first, second, third, ...rest].join('.')
  })
  const cut = fc.tuple(name, fc.nat(30)).map(([whole, end]) => whole.slice(0, end))
  fc.assert(
    fc.property(fc.oneof(name, cut), realm, (one, seenFrom) => {
      expect(addressInRealm(one, seenFrom)).toBe(partsInRealm(one, seenFrom)?.address ?? null)
    }),
    { numRuns: 5_000 },
  )
})

test('the era of a name is a whole number from 1 of at most nine digits, and of all else there is none', () => {
  const numbers = fc.nat({ max: 10_000_000_000 }).map(String)
  const eras = fc.constantFrom('', '0', '01', '1x', 'x', '-1', '1e3', '٣', ' 1', '999999999')
  const second = fc.oneof(numbers, eras)
  const rest = fc.constantFrom('', '.', '.vlp.a.-.u', '.1.2')
  fc.assert(
    fc.property(fc.constantFrom('main', 'main-c3', ''), second, rest, (realm, era, after) => {
      const isEra = after !== '' && /^[1-9][0-9]{0,8}$/.test(era)
      expect(eraOf(`${realm}.${era}${after}`)).toBe(isEra ? Number(era) : null)
    }),
  )
})
