// Both halves of the platform give the same bytes and texts, of anything.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as browser from '#record/platform/bytes-browser'
import * as node from '#record/platform/bytes-node'
import { count } from '../../support/vitest/counts.ts'

const runs = { numRuns: count(2_000, 200) }
const text = fc.string({ unit: 'binary', maxLength: 40 })
const halves = fc.constantFrom('\ud800', '\udc00', '\ufeff', 'é', '😀', '')
const odd = fc.tuple(text, halves, text).map((parts) => parts.join(''))
const bytes = fc.uint8Array({ maxLength: 60 })

const plain = (of: Uint8Array): readonly number[] => [...of]

test('a text is the same UTF-8, also where it has half a surrogate pair', () => {
  fc.assert(
    fc.property(odd, (one) => {
      expect(plain(browser.utf8(one))).toEqual(plain(node.utf8(one)))
      expect(browser.utf8Length(one)).toBe(node.utf8Length(one))
      expect(node.utf8Length(one)).toBe(node.utf8(one).length)
    }),
    runs,
  )
})

test('a text is written at its place, and copied from there', () => {
  fc.assert(
    fc.property(odd, fc.nat({ max: 9 }), (one, at) => {
      const written = [browser, node].map(({ newBytes, writeUtf8, copiedBytes }) => {
        const into = newBytes(200).fill(7)
        const to = at + writeUtf8(one, into, at)
        const copy = copiedBytes(into, at, to)
        into.fill(0, at, to)
        return [plain(copy), plain(into)]
      })
      expect(written[0]).toEqual(written[1])
      expect(written[0]?.[0]).toEqual(plain(node.utf8(one)))
    }),
    runs,
  )
})

test('bytes are the same text, also where they are no UTF-8', () => {
  fc.assert(
    fc.property(fc.oneof(bytes, odd.map(node.utf8)), (one) => {
      expect(browser.textOfUtf8(one)).toBe(node.textOfUtf8(one))
      expect(browser.base64urlOf(one)).toBe(node.base64urlOf(one))
      expect(browser.latin1Of(one)).toBe(node.latin1Of(one))
      expect(browser.latin1Of(one, 2, 9)).toBe(node.latin1Of(one, 2, 9))
      expect(browser.textOfUtf8(one, 3)).toBe(node.textOfUtf8(one, 3))
    }),
    runs,
  )
})

test('base64 stands for the same bytes, in either alphabet and with what may stand in it', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/'
  const written = fc.string({ unit: fc.constantFrom(...alphabet.split('')), maxLength: 40 })
  const wrapped = fc.tuple(written, fc.constantFrom('\n', '\r\n', ' ', ''), written)
  fc.assert(
    fc.property(wrapped, fc.constantFrom('', '=', '=='), (parts, padding) => {
      const one = `${parts.join('')}${padding}`
      expect(plain(browser.bytesOfBase64(one))).toEqual(plain(node.bytesOfBase64(one)))
    }),
    runs,
  )
  fc.assert(
    fc.property(bytes, (one) => {
      expect(plain(browser.bytesOfBase64(browser.base64urlOf(one)))).toEqual(plain(one))
    }),
    runs,
  )
})

test('digits stand for the same bytes', () => {
  fc.assert(
    fc.property(bytes, (one) => {
      const digits = Buffer.from(one).toString('hex')
      expect(plain(browser.bytesOfHex(digits))).toEqual(plain(one))
      expect(plain(node.bytesOfHex(digits))).toEqual(plain(one))
    }),
    runs,
  )
})

test('bytes come in the same order, also behind others in one buffer', () => {
  const part = fc.tuple(bytes, fc.nat(8)).map(([one, from]) => one.subarray(from))
  const pair = fc.oneof(
    fc.tuple(part, part),
    part.map((one) => [one, one.slice()] as const),
    fc.tuple(part, part).map(([one, more]) => [one, Uint8Array.of(...one, ...more)] as const),
  )
  fc.assert(
    fc.property(pair, ([one, other]) => {
      expect(browser.compareBytes(one, other)).toBe(node.compareBytes(one, other))
      expect(browser.compareBytes(other, one)).toBe(node.compareBytes(other, one))
    }),
    runs,
  )
})

test('a text is found in bytes, and only there', () => {
  const wanted = '"outcome":"failed"'
  const around = fc.tuple(bytes, fc.boolean(), bytes)
  fc.assert(
    fc.property(around, ([before, is, after]) => {
      const middle = node.utf8(is ? wanted : wanted.replace('f', 'F'))
      const whole = Uint8Array.of(...before, ...middle, ...after).subarray(
        before.length > 3 ? 2 : 0,
      )
      expect(node.includesText(whole, wanted)).toBe(is)
      expect(browser.includesText(whole, wanted)).toBe(is)
    }),
    runs,
  )
})
