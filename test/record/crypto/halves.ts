// Both halves of the platform, asked the same.
import { expect } from 'vitest'
import { verifyOn, type Verifying } from '#record/crypto/crypto'
import * as browser from '#record/platform/crypto-browser'
import * as node from '#record/platform/crypto-node'

/** What both say; they must say the same. */
export function verifyOnBoth(of: Verifying): boolean {
  const is = verifyOn(node, of)
  expect(verifyOn(browser, of)).toBe(is)
  return is
}

export function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}
