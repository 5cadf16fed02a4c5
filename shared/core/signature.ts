// Ed25519 signatures of what cannot be derived: decisions, change sets, and messages of senders
// that have a key. A signature always covers the name too, so that it cannot be moved to another
// fact.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { canonicalBytes, type Json } from './canonical.ts'

export interface Signature {
  /** The key's identifier: `keyIdOf` its public half. */
  readonly key: string
  /** base64url of the 64 bytes. */
  readonly value: string
}

const publicKeyPattern = /^ed25519:([A-Za-z0-9_-]{43})$/

/** A short name of a public key: base64url of the first 12 bytes of its SHA-256. */
export function keyIdOf(publicKey: string): string {
  return createHash('sha256')
    .update(publicKey, 'utf8')
    .digest()
    .subarray(0, 12)
    .toString('base64url')
}

/** Signs `data` as the content of the fact of that name. `privateKey` is PEM (PKCS #8). */
export function signData(name: string, data: Json, privateKey: string): Signature {
  const { key, id } = signingKey(privateKey)
  return { key: id, value: sign(null, signedBytes(name, data), key).toString('base64url') }
}

/** The public half in the catalog's spelling, `ed25519:` and base64url of 32 bytes. */
export function publicKeyOf(privateKey: string): string {
  const exported = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' })
  return `ed25519:${exported.x ?? ''}`
}

/** Whether one of the public keys signed exactly this data under exactly this name. */
export function isSignedBy(
  publicKeys: readonly string[],
  name: string,
  data: Json,
  signature: Signature,
): boolean {
  const publicKey = publicKeys.find((candidate) => keyIdOf(candidate) === signature.key)
  const x = publicKey === undefined ? undefined : publicKeyPattern.exec(publicKey)?.[1]
  const value = Buffer.from(signature.value, 'base64url')
  if (x === undefined || value.length !== 64) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, signedBytes(name, data), key, value)
  } catch {
    // A key that is no point of the curve signed nothing.
    return false
  }
}

interface SigningKey {
  readonly key: KeyObject
  readonly id: string
}

// Reading a PEM costs more than signing with it, and whoever signs does so often.
const signingKeys = new LRUCache<string, SigningKey>({ max: 64 })

function signingKey(privateKey: string): SigningKey {
  const known = signingKeys.get(privateKey)
  if (known !== undefined) return known
  const key = { key: createPrivateKey(privateKey), id: keyIdOf(publicKeyOf(privateKey)) }
  signingKeys.set(privateKey, key)
  return key
}

function signedBytes(name: string, data: Json): Uint8Array {
  return canonicalBytes({ data, name })
}
