// Which public keys are taken at all. A key has one spelling, and is such that only who has its
// private half can sign with it. Anything else signed nothing, whatever a signature says.
import type { Ed25519Key, PublicKey, Rs256Key } from '../platform/public-key.ts'

/** Bits of a modulus: fewer can be taken apart, more take too long. */
const modulusBitsMin = 2_048
const modulusBitsMax = 4_096

// The same few keys sign nearly everything.
const judged = new WeakMap<PublicKey, boolean>()

/** Whether a signature of that key may count. Whether it is a point of its curve shows later. */
export function isSoundKey(key: PublicKey): boolean {
  const known = judged.get(key)
  if (known !== undefined) return known
  const sound = judge(key)
  judged.set(key, sound)
  return sound
}

function judge(key: PublicKey): boolean {
  switch (key.algorithm) {
    case -8:
      return key.x.length === 32 && isCanonical(key) && !isOfSmallOrder(key.x)
    case -7:
      return key.x.length === 32 && key.y.length === 32
    case -257:
      return isSoundRsa(key)
  }
}

// The coordinate y is below 2²⁵⁵ − 19, little end first; the highest bit is the sign of x.
function isCanonical({ x }: Ed25519Key): boolean {
  const isAllOnes = withoutSign(x).every((byte, index) => {
    return index === 0 || byte === (index === 31 ? 0x7f : 0xff)
  })
  return !isAllOnes || (x[0] ?? 0) < 0xed
}

function withoutSign(point: Uint8Array): Uint8Array {
  return point.map((byte, index) => (index === 31 ? byte & 0x7f : byte))
}

// The y of all eight points whose order divides the cofactor. With one of them as a key, anyone
// writes signatures of nearly any message.
const smallOrders: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

export function isOfSmallOrder(point: Uint8Array): boolean {
  const y = withoutSign(point)
  return smallOrders.some((hex) =>
    y.every((byte, index) => byte === Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16)),
  )
}

// An exponent of 65 537 or more, as FIPS 186-5 asks, and of four bytes at most, so that verifying
// takes no time to speak of. Neither number is even: Montgomery's arithmetic could not take them.
function isSoundRsa({ n, e }: Rs256Key): boolean {
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24
  if (n[0] === 0 || e[0] === 0 || bits < modulusBitsMin || bits > modulusBitsMax) return false
  const exponent = e.reduce((value, byte) => value * 256 + byte, 0)
  return e.length <= 4 && exponent >= 65_537 && exponent % 2 === 1 && ((n.at(-1) ?? 0) & 1) === 1
}
