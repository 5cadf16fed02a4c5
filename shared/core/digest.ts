// SHA-256 of bytes and of canonical JSON, in the one spelling that facts use.
import { createHash } from 'node:crypto'
import { canonical, type Json } from './canonical.ts'

/** `sha256:` and 64 hexadecimal digits. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The digest of a value's canonical text. */
export function digestOfJson(value: Json): string {
  return digestOf(canonical(value))
}
