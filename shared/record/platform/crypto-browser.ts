// SHA-256 and signatures in plain JavaScript, since the crypto of a browser answers with promises
// and a fold does not wait. The one file that knows those packages. Its twin is `crypto-node.ts`.
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { bytesToNumberBE, bytesToNumberLE, concatBytes } from '@noble/curves/utils.js'
import { sha256 as digest, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Ed25519Key, Es256Key, Rs256Key, RunningSha256 } from './public-key.ts'

const encoder = new TextEncoder()

export function sha256(data: Uint8Array | string): Uint8Array {
  return digest(typeof data === 'string' ? encoder.encode(data) : data)
}

export function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(sha256(data))
}

export function newSha256(): RunningSha256 {
  const running = digest.create()
  return {
    add: (bytes) => void running.update(bytes),
    hex: () => bytesToHex(running.clone().digest()),
  }
}

// The package verifies with the cofactor, which takes more than the library of Node does.
export function isEd25519({ x }: Ed25519Key, data: Uint8Array, signature: Uint8Array): boolean {
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  try {
    const commitment = signature.subarray(0, 32)
    const s = bytesToNumberLE(signature.subarray(32))
    if (signature.length !== 64 || s >= order) return false
    const h = bytesToNumberLE(sha512(concatBytes(commitment, x, data))) % order
    const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(x).multiplyUnsafe(h))
    return isEqual(expected.toBytes(), commitment)
  } catch {
    // What is no point of the curve signed nothing.
    return false
  }
}

export function isEd25519InThread(
  key: Ed25519Key,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  return Promise.resolve(isEd25519(key, data, signature))
}

// Authenticators give either of the two values of s that hold.
const es256 = { lowS: false, format: 'compact' } as const

export function isEs256({ x, y }: Es256Key, data: Uint8Array, signature: Uint8Array): boolean {
  try {
    const uncompressed = concatBytes(Uint8Array.of(4), x, y)
    return p256.verify(signature, data, uncompressed, es256)
  } catch {
    return false
  }
}

/** What stands before the digest: that it is one of SHA-256, as RFC 8017 (9.2) has it. */
const digestInfo = [
  0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
  0x00, 0x04, 0x20,
]

// Nothing of a signature is taken apart: the whole of what it must be is written and compared, so
// there is no padding to be lax about.
export function isRs256({ n, e }: Rs256Key, data: Uint8Array, signature: Uint8Array): boolean {
  const modulus = bytesToNumberBE(n)
  const signed = bytesToNumberBE(signature)
  if (signature.length !== n.length || signed >= modulus) return false
  const padding = new Uint8Array(n.length - 3 - digestInfo.length - 32).fill(0xff)
  const wanted = concatBytes(
    Uint8Array.of(0, 1),
    padding,
    Uint8Array.of(0),
    Uint8Array.from(digestInfo),
    digest(data),
  )
  return power(signed, bytesToNumberBE(e), modulus) === bytesToNumberBE(wanted)
}

// All of it is public, so it may take the time that it takes.
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
