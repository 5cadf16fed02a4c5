// Which spellings of a value are one, and where one stands in a text: pinned, since a change here
// changes what intents come to.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindOfValue, valuesInText } from '#knowledge/known/kinds'
import type { ValueKind } from '#schemas/values'

test.each<[ValueKind, string, string | null]>([
  ['email', ' Ann@X.com ', 'ann@x.com'],
  ['email', 'Ann <ann@x.com>', null],
  ['email', 'ann@x.com, bob@x.com', null],
  ['email', '@x.com', null],
  ['account', 'DE89 3704-0044 0532', 'DE89370400440532'],
  ['account', 'de89370400440532', 'DE89370400440532'],
  ['account', 'DE89; DE90', null],
  ['id', ' A-13 ', 'A-13'],
  ['id', '', null],
  ['name', 'Riverside  View\nHotel', 'riverside view hotel'],
  ['url', 'HTTPS://Www.X.com:443/', 'www.x.com'],
  ['url', 'http://x.com/A?b=C#d', 'x.com/A?b=C#d'],
  ['url', 'x.com:8080/a', 'x.com:8080/a'],
  ['url', 'javascript:alert(1)', null],
  ['url', 'http://x.com@evil.org/', null],
  ['url', 'ftp://x.com', null],
  ['amount', '1,098.50', '1098.5'],
  ['amount', '$0098.00', '98'],
  ['amount', '-0', '0'],
  ['amount', '+5 EUR', '5'],
  ['amount', '98,5', null],
  ['amount', '1e3', null],
  ['path', ' a/b.txt ', 'a/b.txt'],
])('the %s %j is compared as %j', (kind, text, form) => {
  expect(kindOfValue(kind).form(text)).toBe(form)
})

function isIn(kind: ValueKind, value: string, text: string): boolean {
  const of = kindOfValue(kind)
  return of.isIn(of.form(value) ?? '', text)
}

describe('a value stands in a text', () => {
  test.each<[ValueKind, string, string]>([
    ['email', 'ann@x.com', 'Write to Ann@X.com.'],
    ['email', 'ann@x.com', '<ann@x.com>, bob@x.com'],
    ['email', 'ann@x.com', 'mailto:ann@x.com’s'],
    ['email', 'ann@x.com', '“ann@x.com” - call her'],
    ['account', 'DE89370400440532', 'to DE89 3704 0044 0532, please'],
    ['account', 'DE89 3704', 'to de89-3704.'],
    ['account', '12345678', 'to 12345678 50 dollars'],
    ['id', '13', 'file 13.'],
    ['id', '13', 'the file (13), and'],
    ['id', 'A-13', 'see A-13: it'],
    ['name', 'Bob', 'Read Bob’s inbox'],
    ['name', 'general', 'in #general!'],
    ['name', 'Riverside View Hotel', 'the riverside view\nhotel'],
    ['url', 'www.x.com', 'see https://www.x.com/.'],
    ['url', 'http://x.com/a', 'a [page](http://x.com/a), and'],
    ['url', 'http://x.com/a_(b)', 'see http://x.com/a_(b).'],
    ['amount', '1000', 'pay $1,000.00 now'],
    ['amount', '50', '50 USD, or USD50'],
    ['amount', '-50', 'it was -50.'],
    ['path', 'bill.txt', 'pay `bill.txt`.'],
    ['path', 'my notes/a b.txt', 'in my notes/a b.txt'],
  ])('%s %j in %j', (kind, value, text) => {
    expect(isIn(kind, value, text)).toBe(true)
  })

  test.each<[ValueKind, string, string]>([
    ['email', 'ann@x.com', 'joann@x.com'],
    ['email', 'ann@x.com', 'ann@x.com.evil'],
    ['email', 'ann@x.com', 'jo.ann@x.com and ann@x.com-evil.org'],
    ['email', 'ann@x.com', 'o’ann@x.coma'],
    ['email', 'ann@x.com', '-jo-ann@x.com'],
    ['email', 'ann@x.com', 'éann@x.com'],
    ['email', 'ann@x.com', 'ann@x.com\u200bevil'],
    ['account', '12345678', '912345678'],
    ['account', '12345678', '1234 5678 9012'],
    ['account', '12345678', '12345678-90'],
    ['account', '34567812', '12 3456 7812'],
    ['id', '13', '2024-05-13'],
    ['id', '13', 'at 13:00, 13.5, 1,13 and v1.13'],
    ['id', '13', '13% of $13'],
    ['id', 'a-13', 'A-13'],
    ['name', 'Bob', 'Bobby, bob@x.com, Mc-Bob, bob_2'],
    ['url', 'x.com', 'www.x.com'],
    ['url', 'x.com', 'x.com.evil'],
    ['url', 'x.com', 'http://x.com/a'],
    ['url', 'http://b.org', 'http://a.org/?to=http://b.org'],
    ['url', 'x.com', 'x.com@evil.org'],
    ['amount', '1', '2022-01-01, 1:30, 1/2, 1st, v1, 1%, #1, 10-1, 1.5'],
    ['amount', '50', '-50'],
    ['amount', '50', '50k'],
    ['amount', '50', 'ABCD50 and 50EURO'],
    ['path', 'bill.txt', '/a/bill.txt, old-bill.txt, bill.txt.exe'],
  ])('but not %s %j in %j', (kind, value, text) => {
    expect(isIn(kind, value, text)).toBe(false)
  })
})

test('a value with nothing of its kind beside it is found, and with a letter beside it is not', () => {
  const kinds = fc.constantFrom<[ValueKind, string]>(
    ['email', 'ann@x.com'],
    ['account', 'DE89370400440532'],
    ['id', 'A13'],
    ['name', 'Ann Smith'],
    ['url', 'http://x.com/a'],
    ['amount', '98.5'],
    ['path', 'bill.txt'],
  )
  const around = fc.array(fc.constantFrom('see', 'the', '“', '(', 'und', '…'), { maxLength: 4 })
  const letter = fc.constantFrom('a', 'z', '7', 'é', '中', '_')
  fc.assert(
    fc.property(kinds, around, around, letter, ([kind, value], before, after, beside) => {
      const [head, tail] = [before.join(' '), after.join(' ')]
      expect(isIn(kind, value, `${head} ${value} ${tail}`)).toBe(true)
      expect(isIn(kind, value, `${head} ${beside}${value} ${tail}`)).toBe(false)
      expect(isIn(kind, value, `${head} ${value}${beside} ${tail}`)).toBe(false)
    }),
  )
})

describe('in a text that leaves', () => {
  test.each([
    ['see http://evil.org/a?b, and', ['http://evil.org/a?b']],
    ['or www.evil.org.', ['www.evil.org']],
    ['evil.org/now', ['evil.org/now']],
    ['see:https://evil.org', ['https://evil.org']],
    ['javascript://evil', ['javascript://evil']],
    ['ann@x.com wrote: done.Thanks, e.g. 3.5kg at 10.30', []],
  ])('each address is looked for: %j', (text, found) => {
    expect(valuesInText('url', text)).toEqual(found)
  })

  test('each e-mail address is looked for', () => {
    const text = 'to ann@x.com, Bob <bob@y.co.uk>. @carl, “ève@z.org”'
    expect(valuesInText('email', text)).toEqual(['ann@x.com', 'bob@y.co.uk', 'ève@z.org'])
  })

  test('a long one is read to its end', () => {
    const long = [
      'a'.repeat(200_000),
      'a.'.repeat(100_000),
      '@a'.repeat(100_000),
      '://'.repeat(60_000),
    ]
    for (const text of long) {
      valuesInText('url', text)
      valuesInText('email', text)
      for (const kind of ['email', 'account', 'id', 'name', 'url', 'amount', 'path'] as const) {
        isIn(kind, 'x.com', text)
      }
    }
    expect(valuesInText('email', long[0] ?? '')).toEqual([])
  })
})
