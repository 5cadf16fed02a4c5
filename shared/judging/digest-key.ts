// The key of the digests of what may hold a secret: short texts could be guessed from a plain one.
// It is this machine's own, so that the same call is known again by the next process.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '#schemas/settings/settings'
import { missedCallsFile } from '#health/missed-calls'

const keyBytes = 32

/** Beside the user's keys, which are in no project. */
export function hookKeyFile(settings: Settings): string {
  return join(dirname(missedCallsFile(settings)), 'hook-digests.key')
}

/**
 * Made at the first use. Where it can be neither read nor made it is of this process alone: then
 * what was agreed to under another is asked about again.
 */
export function hookKey(file: string): Uint8Array {
  return readKey(file) ?? madeKey(file)
}

function readKey(file: string): Uint8Array | null {
  try {
    const key = readFileSync(file)
    return key.length === keyBytes ? key : null
  } catch {
    return null
  }
}

function madeKey(file: string): Uint8Array {
  const key = randomBytes(keyBytes)
  const half = `${file}.${process.pid}.half`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(half, key, { mode: 0o600, flag: 'wx', flush: true })
    try {
      // Whole or not at all, and never over that of another process.
      linkSync(half, file)
    } finally {
      rmSync(half, { force: true })
    }
    return key
  } catch {
    return readKey(file) ?? key
  }
}
