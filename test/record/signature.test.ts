import { expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { isSignedBy, isSignedInThread, keyIdOf } from '#record/signature'
import { Signature } from '#schemas/values'
import { newKey } from '../support/runtime.ts'

const privateKey = newKey()
const publicKey = publicKeyOf(privateKey)
const data = { answers: [true], note: 'yes', nested: { b: 1, a: 2 } }
const name = 'main.1.decision.bot.-.u1.olga'
const log = digestOf('the first catalog')
const of = { log, name }
const signature = signData(of, data, privateKey)

/** Asked both ways, which say the same. */
async function isSigned(...asked: Parameters<typeof isSignedBy>): Promise<boolean> {
  const is = isSignedBy(...asked)
  expect(await isSignedInThread(...asked)).toBe(is)
  return is
}

test('a signature moved to another name is invalid', async () => {
  expect(
    await isSigned([publicKey], { log, name: 'main.1.decision.bot.-.u2.olga' }, data, signature),
  ).toBe(false)
})

test('a signature moved into another log, or into one without a catalog, is invalid', async () => {
  for (const other of [digestOf('another first catalog'), null]) {
    expect(await isSigned([publicKey], { log: other, name }, data, signature)).toBe(false)
    const theirs = signData({ log: other, name }, data, privateKey)
    expect(await isSigned([publicKey], of, data, theirs)).toBe(false)
  }
})

test.each([
  ['with padding', `${signature.value}==`],
  ['with white space', ` ${signature.value}`],
  ['in base64', signature.value.replaceAll('-', '+').replaceAll('_', '/').concat('==')],
  ['with bits left over', signature.value.slice(0, -1).concat(nextTo(signature.value.at(-1)))],
])('the same signature written %s is invalid', async (_, value) => {
  expect(Buffer.from(value, 'base64url')).toEqual(Buffer.from(signature.value, 'base64url'))
  expect(await isSigned([publicKey], of, data, { ...signature, value })).toBe(false)
})

function nextTo(character = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(character) + 1] ?? ''
}

test('a signature of a format that is not known is invalid', () => {
  for (const format of ['webauthn', '', null]) {
    expect(Signature.safeParse({ ...signature, format }).success).toBe(false)
  }
  const { format: _, ...unsaid } = signature
  expect(Signature.safeParse(unsaid).success).toBe(false)
})

test('a signature of other content is invalid', async () => {
  for (const other of [{ ...data, answers: [false] }, { ...data, more: 1 }, {}, null, [data]]) {
    expect(await isSigned([publicKey], of, other, signature)).toBe(false)
  }
})

test('a signature of a key that is not among the keys is invalid', async () => {
  const foreign = newKey()
  expect(await isSigned([publicKey], of, data, signData(of, data, foreign))).toBe(false)
  expect(await isSigned([], of, data, signature)).toBe(false)
})

test('a signature that calls itself another key is invalid', async () => {
  const foreign = newKey()
  const claimed = { ...signData(of, data, foreign), key: keyIdOf(publicKey) }
  expect(await isSigned([publicKey], of, data, claimed)).toBe(false)
  const keys = [publicKey, publicKeyOf(foreign)]
  expect(await isSigned(keys, of, data, { ...signature, key: keyIdOf(publicKeyOf(foreign)) })).toBe(
    false,
  )
})

test.each([
  ['nothing', ''],
  ['63 bytes', signature.value.slice(0, -3)],
  ['65 bytes', `${signature.value}AA`],
  ['zeros', 'A'.repeat(86)],
  ['no base64url', '!'.repeat(86)],
])('%s in place of the signature is invalid', async (_, value) => {
  expect(await isSigned([publicKey], of, data, { ...signature, value })).toBe(false)
})

test('a key that is no point of the curve signed nothing', async () => {
  const broken = `ed25519:${'_'.repeat(42)}8`
  const claimed = { ...signature, key: keyIdOf(broken) }
  expect(await isSigned([broken], of, data, claimed)).toBe(false)
  expect(
    await isSigned(['ed25519:', 'rsa:x', ''], of, data, { ...signature, key: keyIdOf('') }),
  ).toBe(false)
})

test('content that JSON cannot hold was signed by no one', async () => {
  expect(await isSigned([publicKey], of, { note: '\ud800' }, signature)).toBe(false)
  expect(await isSigned([publicKey], of, Number.NaN, signature)).toBe(false)
})

test('the order in which the content was written does not matter', async () => {
  const other = { nested: { a: 2, b: 1 }, note: 'yes', answers: [true] }
  expect(await isSigned([publicKey], of, other, signature)).toBe(true)
})

test('of several keys the one that signed is found, and it signs alike each time', async () => {
  const keys = [publicKeyOf(newKey()), publicKey, publicKeyOf(newKey())]
  expect(await isSigned(keys, of, data, signature)).toBe(true)
  expect(signData(of, data, privateKey)).toEqual(signature)
  expect(publicKey).toMatch(/^ed25519:[A-Za-z0-9_-]{43}$/)
  expect(keyIdOf(publicKey)).toMatch(/^[A-Za-z0-9_-]{16}$/)
})
