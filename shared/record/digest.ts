// SHA-256 of bytes and of canonical JSON, in the one spelling that facts use.
import { canonicalBytes, type Json } from './canonical.ts'
import { sha256Hex } from './crypto/crypto.ts'

/** `sha256:` and 64 hexadecimal digits. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${sha256Hex(bytes)}`
}

/** The digest of a value's canonical text. */
export function digestOfJson(value: Json): string {
  return digestOf(canonicalBytes(value))
}
