// Both halves of the platform give the same answer, whatever is asked: sound signatures, and those
// in which a key, a text or a signature was changed, at random and where it hurts.
import { ed25519 } from '@noble/curves/ed25519.js'
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawOfDer } from '#record/crypto/der'
import * as browser from '#record/platform/crypto-browser'
import * as node from '#record/platform/crypto-node'
import type { PublicKey } from '#record/platform/public-key'
import { count } from '../../support/vitest/counts.ts'
import { verifyOnBoth } from './halves.ts'

const from64 = (text: string | undefined): Uint8Array =>
  new Uint8Array(Buffer.from(text ?? '', 'base64url'))

function keyOf(object: KeyObject): PublicKey {
  const { kty, x, y, n, e } = object.export({ format: 'jwk' })
  if (kty === 'OKP') return { algorithm: -8, x: from64(x) }
  if (kty === 'EC') return { algorithm: -7, x: from64(x), y: from64(y) }
  return { algorithm: -257, n: from64(n), e: from64(e) }
}

const makers = {
  ed25519: () => generateKeyPairSync('ed25519'),
  es256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rs256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

/** As many keys of that kind as there is time for. */
function signersOf(kind: keyof typeof makers) {
  return Array.from({ length: kind === 'rs256' ? 1 : 8 }, () => {
    const { publicKey, privateKey } = makers[kind]()
    const digest = kind === 'ed25519' ? null : 'sha256'
    return { key: keyOf(publicKey), sign: (data: Uint8Array) => sign(digest, data, privateKey) }
  })
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.map((byte, index) =>
    index === Math.floor(bit / 8) % bytes.length ? byte ^ (1 << (bit % 8)) : byte,
  )
}

const changes = {
  none: (bytes: Uint8Array) => bytes,
  flip: flipped,
  cut: (bytes: Uint8Array, by: number) => bytes.subarray(0, bytes.length - 1 - (by % 3)),
  grow: (bytes: Uint8Array, by: number) => Uint8Array.of(...bytes, by & 0xff),
  zeros: (bytes: Uint8Array) => bytes.map(() => 0),
  ones: (bytes: Uint8Array) => bytes.map(() => 0xff),
  shift: (bytes: Uint8Array) => Uint8Array.of(0, ...bytes),
}
const change = fc.record({
  how: fc.constantFrom<keyof typeof changes>(
    'none',
    'flip',
    'flip',
    'cut',
    'grow',
    'zeros',
    'ones',
  ),
  at: fc.nat(4_096),
})

const changed = (bytes: Uint8Array, { how, at }: { how: keyof typeof changes; at: number }) =>
  new Uint8Array(changes[how](bytes, at))

function changedKey(key: PublicKey, by: Parameters<typeof changed>[1]): PublicKey {
  if (key.algorithm === -257) return { ...key, n: changed(key.n, by) }
  return { ...key, x: changed(key.x, by) }
}

test.each(['ed25519', 'es256', 'rs256'] as const)(
  'both halves agree on %s, and take just what was signed',
  (kind) => {
    const signers = signersOf(kind)
    const asked = fc.record({
      signer: fc.constantFrom(...signers),
      data: fc.uint8Array({ maxLength: 200 }),
      ofKey: change,
      ofData: change,
      ofSignature: change,
    })
    fc.assert(
      fc.property(asked, ({ signer, data, ofKey, ofData, ofSignature }) => {
        const signature = new Uint8Array(signer.sign(data))
        expect(verifyOnBoth({ publicKey: signer.key, data, signature })).toBe(true)
        const otherKey = changedKey(signer.key, ofKey)
        const other = {
          publicKey: otherKey,
          data: changed(data, ofData),
          signature: changed(signature, ofSignature),
        }
        const isSame =
          Buffer.compare(other.data, data) === 0 &&
          Buffer.compare(other.signature, signature) === 0 &&
          JSON.stringify(otherKey) === JSON.stringify(signer.key)
        expect(verifyOnBoth(other)).toBe(isSame)
      }),
      { numRuns: count(600, 60) },
    )
  },
)

test('both halves agree on points with a part of small order, and on sums with the order', () => {
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  const torsion = Point.fromBytes(
    new Uint8Array(
      Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
    ),
  )
  const [signer] = signersOf('ed25519')
  expect(torsion.isSmallOrder()).toBe(true)
  const asked = fc.record({
    data: fc.uint8Array({ maxLength: 20 }),
    ofKey: fc.nat(7),
    ofCommitment: fc.nat(7),
    sums: fc.nat(1),
  })
  const mixed = (point: Uint8Array, times: number): Uint8Array =>
    Point.fromBytes(point)
      .add(torsion.multiplyUnsafe(BigInt(times)))
      .toBytes()
  fc.assert(
    fc.property(asked, ({ data, ofKey, ofCommitment, sums }) => {
      if (signer?.key.algorithm !== -8) return
      const signature = new Uint8Array(signer.sign(data))
      const s = BigInt(`0x${Buffer.from(signature.subarray(32).toReversed()).toString('hex')}`)
      const digits = (s + BigInt(sums) * order).toString(16).padStart(64, '0')
      const publicKey = { algorithm: -8, x: mixed(signer.key.x, ofKey) } as const
      const commitment = mixed(signature.subarray(0, 32), ofCommitment)
      const other = Uint8Array.of(...commitment, ...Buffer.from(digits, 'hex').toReversed())
      const is = verifyOnBoth({ publicKey, data, signature: other })
      if (ofKey === 0) expect(is).toBe(ofCommitment === 0 && sums === 0)
      if (sums === 1) expect(is).toBe(false)
    }),
    { numRuns: count(800, 80) },
  )
})

test('r and s are found where the library of Node finds them', () => {
  const { publicKey, privateKey } = makers.es256()
  const key = keyOf(publicKey)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), change, (data, by) => {
      const der = changed(new Uint8Array(sign('sha256', data, privateKey)), by)
      const raw = rawOfDer(der)
      if (by.how === 'none') expect(raw).not.toBeNull()
      if (raw !== null)
        expect(verifyOnBoth({ publicKey: key, data, signature: der })).toBe(by.how === 'none')
      // Without the frame it is no signature.
      if (raw !== null) expect(verifyOnBoth({ publicKey: key, data, signature: raw })).toBe(false)
    }),
    { numRuns: count(400, 60) },
  )
})

test('both halves digest alike, bytes and texts', () => {
  const odd = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'é', ''))
  const longer = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(fc.oneof(odd, longer), (data) => {
      const digest = Buffer.from(node.sha256(data)).toString('hex')
      expect(Buffer.from(browser.sha256(data)).toString('hex')).toBe(digest)
      expect(browser.sha256Hex(data)).toBe(digest)
      expect(node.sha256Hex(data)).toBe(digest)
    }),
    { numRuns: count(2_000, 200) },
  )
})

test('what comes in parts is digested as the whole, and goes on after it was asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 5 }), (parts) => {
      const running = [node.newSha256(), browser.newSha256()]
      let whole = new Uint8Array(0)
      for (const part of parts) {
        whole = Uint8Array.of(...whole, ...part)
        for (const one of running) one.add(part)
        expect(running.map((one) => one.hex())).toEqual(running.map(() => node.sha256Hex(whole)))
      }
    }),
    { numRuns: count(300, 40) },
  )
})

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('the vectors of FIPS 180 hold on both halves', (text, digest) => {
  expect(node.sha256Hex(text)).toBe(digest)
  expect(browser.sha256Hex(text)).toBe(digest)
})
