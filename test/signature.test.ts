import { expect, test } from 'vitest'
import { isSignedBy, keyIdOf, publicKeyOf, signData } from '#core/signature'
import { newKey } from './runtime.ts'

const privateKey = newKey()
const publicKey = publicKeyOf(privateKey)
const data = { answers: [true], note: 'yes', nested: { b: 1, a: 2 } }
const name = 'main.1.decision.bot.-.u1.olga'
const signature = signData(name, data, privateKey)

test('a signature moved to another name is none', () => {
  expect(isSignedBy([publicKey], 'main.1.decision.bot.-.u2.olga', data, signature)).toBe(false)
})

test('a signature of other content is none', () => {
  for (const other of [{ ...data, answers: [false] }, { ...data, more: 1 }, {}, null, [data]]) {
    expect(isSignedBy([publicKey], name, other, signature)).toBe(false)
  }
})

test('a signature of a key that is not among the keys is none', () => {
  const foreign = newKey()
  expect(isSignedBy([publicKey], name, data, signData(name, data, foreign))).toBe(false)
  expect(isSignedBy([], name, data, signature)).toBe(false)
})

test('a signature that calls itself another key is none', () => {
  const foreign = newKey()
  const claimed = { ...signData(name, data, foreign), key: keyIdOf(publicKey) }
  expect(isSignedBy([publicKey], name, data, claimed)).toBe(false)
  const keys = [publicKey, publicKeyOf(foreign)]
  expect(isSignedBy(keys, name, data, { ...signature, key: keyIdOf(publicKeyOf(foreign)) })).toBe(
    false,
  )
})

test.each([
  ['nothing', ''],
  ['63 bytes', signature.value.slice(0, -3)],
  ['65 bytes', `${signature.value}AA`],
  ['zeros', 'A'.repeat(86)],
  ['no base64url', '!'.repeat(86)],
])('%s in place of the signature is none', (_, value) => {
  expect(isSignedBy([publicKey], name, data, { key: signature.key, value })).toBe(false)
})

test('a key that is no point of the curve signed nothing', () => {
  const broken = `ed25519:${'_'.repeat(42)}8`
  const claimed = { ...signature, key: keyIdOf(broken) }
  expect(isSignedBy([broken], name, data, claimed)).toBe(false)
  expect(
    isSignedBy(['ed25519:', 'rsa:x', ''], name, data, { ...signature, key: keyIdOf('') }),
  ).toBe(false)
})

test('content that JSON cannot say was signed by nobody', () => {
  expect(isSignedBy([publicKey], name, { note: '\ud800' }, signature)).toBe(false)
  expect(isSignedBy([publicKey], name, Number.NaN, signature)).toBe(false)
})

test('the order in which the content was written does not matter', () => {
  const other = { nested: { a: 2, b: 1 }, note: 'yes', answers: [true] }
  expect(isSignedBy([publicKey], name, other, signature)).toBe(true)
})

test('of several keys the one that signed is found, and it signs alike each time', () => {
  const keys = [publicKeyOf(newKey()), publicKey, publicKeyOf(newKey())]
  expect(isSignedBy(keys, name, data, signature)).toBe(true)
  expect(signData(name, data, privateKey)).toEqual(signature)
  expect(publicKey).toMatch(/^ed25519:[A-Za-z0-9_-]{43}$/)
  expect(keyIdOf(publicKey)).toMatch(/^[A-Za-z0-9_-]{16}$/)
})
