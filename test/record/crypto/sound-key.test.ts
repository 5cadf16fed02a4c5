// Which keys are taken at all, and in which spelling.
import { ed25519 } from '@noble/curves/ed25519.js'
import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { readCoseKey } from '#record/crypto/cose-key'
import { verify, verifyInThread } from '#record/crypto/crypto'
import { isSoundKey } from '#record/crypto/sound-key'
import { bytesOf, verifyOnBoth } from './halves.ts'

const { Point } = ed25519
const small = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
const prime = 2n ** 255n - 19n

const isSound = (x: Uint8Array): boolean => isSoundKey({ algorithm: -8, x })

test('none of the eight points of small order is a key, with either sign', () => {
  const torsion = Point.fromBytes(bytesOf(small))
  for (let times = 0n; times < 8n; times += 1n) {
    const point = torsion.multiplyUnsafe(times).toBytes()
    const other = point.map((byte, index) => (index === 31 ? byte ^ 0x80 : byte))
    expect([isSound(point), isSound(other)]).toEqual([false, false])
  }
  expect(isSound(Point.BASE.toBytes())).toBe(true)
})

function littleEnd(value: bigint): Uint8Array {
  return bytesOf(value.toString(16).padStart(64, '0')).toReversed()
}

test('a coordinate is below the prime: the last one that is, and the first that is not', () => {
  expect(isSound(littleEnd(prime - 2n))).toBe(true)
  for (const y of [prime, prime + 1n, prime + 18n]) {
    expect(isSound(littleEnd(y))).toBe(false)
    expect(isSound(littleEnd(y + 2n ** 255n))).toBe(false)
  }
  expect(isSound(new Uint8Array(31))).toBe(false)
  expect(isSound(Uint8Array.of(...Point.BASE.toBytes(), 0))).toBe(false)
})

test('a point of small order signs whatever anyone wants, and is refused for it', () => {
  const publicKey = { algorithm: -8, x: bytesOf(`01${'00'.repeat(31)}`) } as const
  const commitment = Point.BASE.toBytes()
  const signature = Uint8Array.of(...commitment, 1, ...new Uint8Array(31))
  expect(verifyOnBoth({ publicKey, data: bytesOf('00'), signature })).toBe(false)
})

const jwkOfRsa = (bits: number, exponent = 65_537) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicExponent: exponent,
  })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const key = { algorithm: -257, n: bytes(n), e: bytes(e) } as const
  const data = bytesOf('abcd')
  return { key, data, signature: new Uint8Array(sign('sha256', data, privateKey)) }
}

test('an RSA key has 2 048 bits or more, and an exponent of 65 537 or more', () => {
  const sound = jwkOfRsa(2_048)
  const { key, data, signature } = sound
  expect(verifyOnBoth({ publicKey: key, data, signature })).toBe(true)
  for (const weak of [
    jwkOfRsa(2_040),
    jwkOfRsa(1_024),
    jwkOfRsa(2_048, 3),
    jwkOfRsa(2_048, 65_535),
  ]) {
    expect(verifyOnBoth({ publicKey: weak.key, data: weak.data, signature: weak.signature })).toBe(
      false,
    )
  }
  const zero = Uint8Array.of(0, ...key.n)
  expect(isSoundKey({ ...key, n: zero })).toBe(false)
  expect(isSoundKey({ ...key, e: Uint8Array.of(0, ...key.e) })).toBe(false)
  expect(isSoundKey({ ...key, e: Uint8Array.of(1, 0, 0, 0, 1) })).toBe(false)
  expect(isSoundKey({ ...key, e: Uint8Array.of(1, 0, 2) })).toBe(false)
  expect(isSoundKey({ ...key, n: new Uint8Array(512).fill(0xff) })).toBe(true)
  expect(isSoundKey({ ...key, n: new Uint8Array(513).fill(0xff).fill(1, 0, 1) })).toBe(false)
})

test('a point that is not on its curve signed nothing', () => {
  const data = bytesOf('00')
  for (let x = 0; x < 20; x += 1) {
    const at = new Uint8Array(32).fill(x)
    expect(verifyOnBoth({ publicKey: { algorithm: -7, x: at, y: at }, data, signature: der })).toBe(
      false,
    )
    const signature = new Uint8Array(64)
    expect(verifyOnBoth({ publicKey: { algorithm: -8, x: at }, data, signature })).toBe(false)
  }
})

const der = bytesOf('3006020101020101')

test('asked in a thread the answer is the same', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const data = bytesOf('abcd')
  const signature = new Uint8Array(sign(null, data, privateKey))
  const key = { algorithm: -8, x } as const
  for (const of of [
    { publicKey: key, data, signature },
    { publicKey: key, data: signature, signature },
    { publicKey: key, data, signature: data },
    { publicKey: { algorithm: -8, x: bytesOf(small) } as const, data, signature },
    jwkOfRsa(2_048),
  ]) {
    const asked = 'key' in of ? { ...of, publicKey: of.key } : of
    expect(await verifyInThread(asked)).toBe(verify(asked))
  }
})

const point = '11'.repeat(32)
const ed = `a4010103272006215820${point}`
const ec = `a5010203262001215820${point}225820${point}`
const rsa = `a401030339010020590100${'11'.repeat(256)}2143010001`

test.each([
  ['Ed25519', ed, -8],
  ['ES256', ec, -7],
  ['RS256', rsa, -257],
  ['one byte more', `${ed}00`, null],
  ['one byte less', ed.slice(0, -2), null],
  ['a length in two bytes', ed.replace('215820', '21590020'), null],
  ['another curve', ed.replace('2006', '2001'), null],
  ['another order of members', `a4032701012006215820${point}`, null],
  ['a member more', `a5010103272006215820${point}0400`, null],
  ['ES256 with a compressed point', `a5010203262001215820${point}22f5`, null],
  ['ES384', ec.replace('0326', '033822'), null],
  ['RS1', rsa.replace('390100', '39fffe'), null],
  ['a modulus that is cut', rsa.slice(0, 200), null],
  ['nothing', '', null],
])('a key of COSE is read in one spelling: %s', (_, hex, algorithm) => {
  expect(readCoseKey(bytesOf(hex))?.algorithm ?? null).toBe(algorithm)
})
