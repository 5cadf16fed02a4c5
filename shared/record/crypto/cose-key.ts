// A public key as an authenticator gives it: a COSE_Key (RFC 9052) in the canonical CBOR of CTAP 2,
// with the members that its algorithm needs and no other. So one key has one spelling, and there is
// nothing to skip. A form is what stands there, with the lengths of the parts that are the key.
import type { PublicKey } from '../platform/public-key.ts'

interface Part {
  /** What stands before it. */
  readonly head: readonly number[]
  /** Bytes of its length, or the length itself. */
  readonly length: { readonly written: 1 | 2 } | number
}

// kty, alg and crv, then x and y; or kty and alg, then n and e.
const ed25519: readonly Part[] = [
  { head: [0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20], length: 32 },
]
const es256: readonly Part[] = [
  { head: [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20], length: 32 },
  { head: [0x22, 0x58, 0x20], length: 32 },
]
const rs256: readonly Part[] = [
  { head: [0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59], length: { written: 2 } },
  { head: [0x21], length: { written: 1 } },
]

/** The key; null for what is not one, is of another algorithm, or is written in another way. */
export function readCoseKey(bytes: Uint8Array): PublicKey | null {
  const [x = null] = partsIn(bytes, ed25519) ?? []
  if (x !== null) return { algorithm: -8, x }
  const [px = null, py = null] = partsIn(bytes, es256) ?? []
  if (px !== null && py !== null) return { algorithm: -7, x: px, y: py }
  const [n = null, e = null] = partsIn(bytes, rs256) ?? []
  return n === null || e === null ? null : { algorithm: -257, n, e }
}

/** Null where the bytes are not of that form, or more than that. */
function partsIn(bytes: Uint8Array, form: readonly Part[]): readonly Uint8Array[] | null {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { head, length } of form) {
    if (head.some((byte, index) => bytes[at + index] !== byte)) return null
    at += head.length
    const size = typeof length === 'number' ? length : writtenLength(bytes, at, length.written)
    if (typeof length !== 'number') at += length.written
    if (size === null || at + size > bytes.length) return null
    parts.push(bytes.slice(at, at + size))
    at += size
  }
  return at === bytes.length ? parts : null
}

// In one byte a length of at most 23, with the mark of a byte string; in two one above 255.
function writtenLength(bytes: Uint8Array, at: number, written: 1 | 2): number | null {
  const [first = 0, second = 0] = bytes.subarray(at, at + written)
  if (written === 1) return first >= 0x40 && first <= 0x57 ? first - 0x40 : null
  return first === 0 ? null : first * 256 + second
}
