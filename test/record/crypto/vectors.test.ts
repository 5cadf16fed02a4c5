// Public vectors, on both halves of the platform: RFC 8032, RFC 6979, the cases of the study of
// edge cases of Ed25519 (Chalkias, Garillot, Nikolaenko, 2020), and those of Wycheproof.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readCoseKey } from '#record/crypto/cose-key'
import type { PublicKey } from '#record/platform/public-key'
import { bytesOf, verifyOnBoth } from './halves.ts'

const Line = z.union([
  z.strictObject({ key: z.string() }),
  z.strictObject({
    from: z.string(),
    flags: z.array(z.string()),
    data: z.string(),
    signature: z.string(),
    result: z.enum(['valid', 'acceptable', 'invalid']),
  }),
])
type Case = Exclude<z.infer<typeof Line>, { key: string }>

function vectors(file: string): readonly (readonly [PublicKey, Case])[] {
  const text = readFileSync(join(import.meta.dirname, 'vectors', `${file}.ndjson`), 'utf8')
  const found: (readonly [PublicKey, Case])[] = []
  let key: PublicKey | null = null
  for (const line of text.trim().split('\n')) {
    const read = Line.parse(JSON.parse(line))
    if ('key' in read) {
      key = readCoseKey(bytesOf(read.key))
      expect(key).not.toBeNull()
    } else if (key !== null) found.push([key, read])
  }
  return found
}

function said(publicKey: PublicKey, { data, signature }: Case): boolean {
  return verifyOnBoth({ publicKey, data: bytesOf(data), signature: bytesOf(signature) })
}

/**
 * What these vectors take, and we do not: a small exponent, a digest without its NULL, and R of
 * small order, which Node takes up to version 22 and refuses from 24.
 */
const isRefusedHere = (key: PublicKey, { result, flags }: Case): boolean =>
  result === 'acceptable' ||
  flags.includes('SmallOrderR') ||
  (flags.includes('SmallPublicKey') && key.algorithm === -257)

describe.each([
  ['ed25519', 164, 92],
  ['es256', 486, 176],
  ['rs256', 259, 7],
])('the vectors of %s', (file, cases, valid) => {
  const all = vectors(file)

  test('say on both halves what they are to say', () => {
    const wrong = all.filter(([key, one]) => {
      const wanted = one.result === 'valid' && !isRefusedHere(key, one)
      return said(key, one) !== wanted
    })
    expect(wrong.map(([, { from, flags }]) => [from, flags])).toEqual([])
  })

  test('are all there, and some of them hold', () => {
    expect(all.length).toBe(cases)
    const held = all.filter(([key, one]) => one.result === 'valid' && !isRefusedHere(key, one))
    expect(held.length).toBe(valid)
  })
})
