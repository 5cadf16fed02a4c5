// Ed25519 signatures of what cannot be derived: decisions, change sets, and messages of senders
// that have a key. A signature always covers the name and the log too, so that it can be moved
// neither to another fact nor into another log.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Signature } from '#schemas/values'
import { canonicalBytes, type Json } from './canonical.ts'

/** What a signature is good for beside its content. */
export interface SignedFor {
  /** The log's identity: the digest of its first catalog change set, which itself signs null. */
  readonly log: string | null
  /** The fact's name. */
  readonly name: string
}

/** Which keys are to have signed a fact. */
export interface Signing extends SignedFor {
  readonly keys: readonly string[]
}

export function isSameSigning(one: Signing, { keys, log, name }: Signing): boolean {
  return one.keys === keys && one.name === name && one.log === log
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

/** Signs `data` as the content of that fact of that log. `privateKey` is PEM (PKCS #8). */
export function signData(of: SignedFor, data: Json, privateKey: string): Signature {
  const { key, id } = signingKey(privateKey)
  const value = sign(null, signedBytes(of, data), key).toString('base64url')
  return { format: 'ed25519', key: id, value }
}

/** The public half in the catalog's spelling, `ed25519:` and base64url of 32 bytes. */
export function publicKeyOf(privateKey: string): string {
  return signingKey(privateKey).publicKey
}

/** Whether one of the public keys signed exactly this data for exactly this name of this log. */
export function isSignedBy(
  publicKeys: readonly string[],
  of: SignedFor,
  data: Json,
  signature: Signature,
): boolean {
  try {
    const claim = claimOf(publicKeys, of, data, signature)
    return claim !== null && verify(null, claim.bytes, claim.key, claim.value)
  } catch {
    // A key that is no point of the curve signed nothing, and no one signs what JSON cannot say.
    return false
  }
}

/** The same, verified in a thread of the crypto library's own. */
export function isSignedInThread(
  publicKeys: readonly string[],
  of: SignedFor,
  data: Json,
  signature: Signature,
): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const claim = claimOf(publicKeys, of, data, signature)
      if (claim === null) resolve(false)
      else verify(null, claim.bytes, claim.key, claim.value, (_, is) => resolve(is === true))
    } catch {
      resolve(false)
    }
  })
}

interface Claim {
  readonly bytes: Uint8Array
  readonly key: KeyObject
  readonly value: Uint8Array
}

/** What is to be verified; null where none of the keys can have signed it. */
function claimOf(
  publicKeys: readonly string[],
  of: SignedFor,
  data: Json,
  signature: Signature,
): Claim | null {
  // One signature has one spelling only.
  if (!Signature.safeParse(signature).success) return null
  const key = publicKeys.map(verifyingKey).find(({ id }) => id === signature.key)?.key ?? null
  if (key === null) return null
  return { bytes: signedBytes(of, data), key, value: Buffer.from(signature.value, 'base64url') }
}

interface VerifyingKey {
  /** Null for what is no key. */
  readonly key: KeyObject | null
  readonly id: string
}

// The same few keys sign nearly all there is to check.
const verifyingKeys = new LRUCache<string, VerifyingKey>({ max: 1_024 })

function verifyingKey(publicKey: string): VerifyingKey {
  const known = verifyingKeys.get(publicKey)
  if (known !== undefined) return known
  const key = { key: keyObjectOf(publicKey), id: keyIdOf(publicKey) }
  verifyingKeys.set(publicKey, key)
  return key
}

function keyObjectOf(publicKey: string): KeyObject | null {
  const x = publicKeyPattern.exec(publicKey)?.[1]
  if (x === undefined) return null
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  } catch {
    // Another key of the same principal may be sound.
    return null
  }
}

/** The public key, ready to verify with; null for what is no key. */
export function publicKeyObject(publicKey: string): KeyObject | null {
  return verifyingKey(publicKey).key
}

/** The private key, ready to sign with. `privateKey` is PEM (PKCS #8). */
export function privateKeyObject(privateKey: string): KeyObject {
  return signingKey(privateKey).key
}

interface SigningKey {
  readonly key: KeyObject
  readonly publicKey: string
  readonly id: string
}

// Reading a PEM costs more than signing with it, and anyone who signs does so often.
const signingKeys = new LRUCache<string, SigningKey>({ max: 64 })

function signingKey(privateKey: string): SigningKey {
  const known = signingKeys.get(privateKey)
  if (known !== undefined) return known
  const key = createPrivateKey(privateKey)
  const publicKey = `ed25519:${createPublicKey(key).export({ format: 'jwk' }).x ?? ''}`
  const made = { key, publicKey, id: keyIdOf(publicKey) }
  signingKeys.set(privateKey, made)
  return made
}

function signedBytes({ log, name }: SignedFor, data: Json): Uint8Array {
  return canonicalBytes({ data, log, name })
}
