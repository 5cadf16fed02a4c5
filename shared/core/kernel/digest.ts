// SHA-256 of bytes and of canonical JSON, in the one spelling that facts use.
import { hash } from 'node:crypto'
import { canonical, type Json } from './canonical.ts'

/** `sha256:` and 64 hexadecimal digits. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${hash('sha256', bytes)}`
}

/** The digest of a value's canonical text. */
export function digestOfJson(value: Json): string {
  return digestOf(canonical(value))
}
