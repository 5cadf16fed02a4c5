// Bytes and texts by the buffers of Node, which are faster than what all platforms have. Its twin
// is `bytes-browser.ts`; a condition of the import says which of them `./bytes-node.ts` is.

/** UTF-8; half a surrogate pair becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

/** So many bytes, whatever is in them. */
export function newBytes(count: number): Uint8Array {
  return Buffer.allocUnsafeSlow(count)
}

/** Writes the text as UTF-8 there, where there is room for it; how many bytes that takes. */
export function writeUtf8(text: string, into: Uint8Array, at: number): number {
  return bufferOf(into).write(text, at, 'utf8')
}

/** Those of the bytes, in memory of their own. */
export function copiedBytes(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const copy = Buffer.allocUnsafe(to - from)
  copy.set(bytes.subarray(from, to))
  return copy
}

/** How many bytes of UTF-8 the text takes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** The text of UTF-8, with its byte order mark; what is not UTF-8 becomes U+FFFD. */
export function textOfUtf8(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return bufferOf(bytes).toString('utf8', from, to)
}

/** A character for each byte. */
export function latin1Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return bufferOf(bytes).toString('latin1', from, to)
}

/** Base64url without padding. */
export function base64urlOf(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('base64url')
}

/**
 * What base64 stands for, in either alphabet. Of other characters only white space may stand in it,
 * and padding at its end.
 */
export function bytesOfBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}

/** What an even number of hexadecimal digits stands for. */
export function bytesOfHex(digits: string): Uint8Array {
  return Buffer.from(digits, 'hex')
}

/** Below zero where the first comes before the other, as bytes are compared. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  return Buffer.compare(one, other)
}

/** Whether a text of ASCII stands in the bytes. */
export function includesText(bytes: Uint8Array, text: string): boolean {
  return bufferOf(bytes).includes(text)
}

/** The same memory, seen as what is read fastest here: for bytes of which several parts are. */
export function readable(bytes: Uint8Array): Uint8Array {
  return bufferOf(bytes)
}

function bufferOf(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
