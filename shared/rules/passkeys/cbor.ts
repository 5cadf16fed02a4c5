// CBOR (RFC 8949) as authenticators write it: whole items of known length, as short as can be. All
// that is asked here is where an item ends.

/** Items may stand so deep inside each other. */
const depthMax = 8

interface Head {
  readonly major: number
  readonly count: number
  /** Where the content begins. */
  readonly at: number
}

/** Where the item that begins there ends; null where there is no such. */
export function itemEnd(bytes: Uint8Array, at: number, depth = 0): number | null {
  const head = depth > depthMax ? null : headAt(bytes, at)
  if (head === null) return null
  const { major, count } = head
  switch (major) {
    case 0:
    case 1:
      return head.at
    case 2:
    case 3:
      return head.at + count <= bytes.length ? head.at + count : null
    case 4:
      return itemsEnd(bytes, head.at, count, depth)
    case 5:
      return itemsEnd(bytes, head.at, count * 2, depth)
    case 7:
      // False, true and null.
      return count >= 20 && count <= 22 ? head.at : null
    default:
      return null
  }
}

function itemsEnd(bytes: Uint8Array, at: number, count: number, depth: number): number | null {
  let end: number | null = at
  // Each item takes a byte at least, so more than are left are not even tried.
  if (count > bytes.length - at) return null
  for (let item = 0; item < count && end !== null; item += 1) end = itemEnd(bytes, end, depth + 1)
  return end
}

/** What stands before the content, written as short as can be; null where it does not. */
function headAt(bytes: Uint8Array, at: number): Head | null {
  const first = bytes[at]
  if (first === undefined) return null
  const major = first >> 5
  const short = first & 0x1f
  if (short < 24) return { major, count: short, at: at + 1 }
  // No length here takes more than four bytes, and none is left open.
  if (short > 26 || major === 7) return null
  const size = 1 << (short - 24)
  if (at + 1 + size > bytes.length) return null
  let count = 0
  for (let byte = 0; byte < size; byte += 1) count = count * 256 + (bytes[at + 1 + byte] ?? 0)
  const least = size === 1 ? 24 : 256 ** (size / 2)
  return count < least ? null : { major, count, at: at + 1 + size }
}
