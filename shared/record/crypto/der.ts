// An ECDSA signature over P-256 in DER (RFC 3279, 2.2.3), taken apart. One signature has one
// spelling: lengths in their short form, whole numbers without spare zeros, nothing behind them.

const sequence = 0x30
const integer = 0x02
const bytesMax = 32

/** r and s, 32 bytes each; null for what is written in any other way. */
export function rawOfDer(der: Uint8Array): Uint8Array | null {
  if (der[0] !== sequence || der[1] !== der.length - 2 || der.length > 0x7f) return null
  const raw = new Uint8Array(2 * bytesMax)
  const middle = integerAt(der, 2, raw.subarray(0, bytesMax))
  if (middle === null) return null
  const end = integerAt(der, middle, raw.subarray(bytesMax))
  return end === der.length ? raw : null
}

/** Where the next begins; null where none that can be meant stands there. */
function integerAt(der: Uint8Array, at: number, into: Uint8Array): number | null {
  const length = der[at + 1] ?? 0
  const [first, second = 0] = der.subarray(at + 2, at + 2 + length)
  const end = at + 2 + length
  if (der[at] !== integer || length === 0 || end > der.length || first === undefined) return null
  // Below zero, or with a zero that is not needed to stay above it.
  if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80)) return null
  const digits = der.subarray(first === 0 ? at + 3 : at + 2, end)
  if (digits.length > bytesMax) return null
  into.set(digits, bytesMax - digits.length)
  return end
}
