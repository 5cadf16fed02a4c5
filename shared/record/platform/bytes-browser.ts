// Bytes and texts by what every platform has. It gives the same as its twin `bytes-node.ts`, which
// is tried with both (`test/record/platform/bytes.test.ts`).

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

export function newBytes(count: number): Uint8Array {
  return new Uint8Array(count)
}

export function writeUtf8(text: string, into: Uint8Array, at: number): number {
  return encoder.encodeInto(text, into.subarray(at)).written
}

export function copiedBytes(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return bytes.slice(from, to)
}

export function utf8Length(text: string): number {
  return encoder.encode(text).length
}

export function textOfUtf8(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return decoder.decode(bytes.subarray(from, to))
}

export function latin1Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = ''
  for (const byte of bytes.subarray(from, to)) text += String.fromCharCode(byte)
  return text
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const valueOf = new Map(alphabet.split('').map((character, value) => [character, value]))
valueOf.set('+', 62).set('/', 63)

export function base64urlOf(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = bytes.subarray(index, index + 3)
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63)
    if (b !== undefined) text += alphabet.charAt((bits >> 6) & 63)
    if (c !== undefined) text += alphabet.charAt(bits & 63)
  }
  return text
}

export function bytesOfBase64(text: string): Uint8Array {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const character of text) {
    const value = valueOf.get(character)
    if (value === undefined) continue
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 0xff)
  }
  return Uint8Array.from(bytes)
}

export function bytesOfHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2)
  return bytes.map((_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16))
}

export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const shared = Math.min(one.length, other.length)
  for (let index = 0; index < shared; index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(one.length - other.length)
}

export function includesText(bytes: Uint8Array, text: string): boolean {
  return decoder.decode(bytes).includes(text)
}

export function readable(bytes: Uint8Array): Uint8Array {
  return bytes
}
