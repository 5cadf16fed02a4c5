// Signatures of what cannot be derived: decisions, change sets, and messages of senders that have a
// key. A signature always covers the name and the log too, so that it can be moved neither to
// another fact nor into another log.
import { LRUCache } from 'lru-cache'
import { base64urlOf, bytesOfBase64 } from '#platform/bytes'
import { KeySignature, type Signature } from '#schemas/values'
import type { Ed25519Key } from './platform/public-key.ts'
import { canonicalBytes, type Json } from './canonical.ts'
import { sha256, verify, verifyInThread, type Verifying } from './crypto/crypto.ts'

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

/** Signs for a person, with whatever that person signs with. */
export type Sign = (of: SignedFor, data: Json) => Signature

const publicKeyPattern = /^ed25519:([A-Za-z0-9_-]{43})$/

/** A short name of a public key: base64url of the first 12 bytes of its SHA-256. */
export function keyIdOf(publicKey: string): string {
  return base64urlOf(sha256(publicKey).subarray(0, 12))
}

/** Whether one of the public keys signed exactly this data for exactly this name of this log. */
export function isSignedBy(
  publicKeys: readonly string[],
  of: SignedFor,
  data: Json,
  signature: Signature,
): boolean {
  const claim = claimOf(publicKeys, of, data, signature)
  return claim !== null && verify(claim)
}

/** The same, verified in a thread of the crypto library's own. */
export async function isSignedInThread(
  publicKeys: readonly string[],
  of: SignedFor,
  data: Json,
  signature: Signature,
): Promise<boolean> {
  const claim = claimOf(publicKeys, of, data, signature)
  return claim !== null && (await verifyInThread(claim))
}

/** Whether that public key, in the catalog's spelling, signed these bytes as they are. */
export function isSignedWithKey(
  publicKey: string,
  signed: Pick<Verifying, 'data' | 'signature'>,
): boolean {
  const { key } = verifyingKey(publicKey)
  return key !== null && verify({ publicKey: key, ...signed })
}

/** What is to be verified; null where none of the keys can have signed it. */
function claimOf(
  publicKeys: readonly string[],
  of: SignedFor,
  data: Json,
  signature: Signature,
): Verifying | null {
  // One signature has one spelling only.
  if (signature.format !== 'ed25519' || !KeySignature.safeParse(signature).success) return null
  const key = publicKeys.map(verifyingKey).find(({ id }) => id === signature.key)?.key ?? null
  const bytes = key === null ? null : bytesOf(of, data)
  if (key === null || bytes === null) return null
  return { publicKey: key, data: bytes, signature: bytesOfBase64(signature.value) }
}

// No one signs what JSON cannot say.
function bytesOf(of: SignedFor, data: Json): Uint8Array | null {
  try {
    return signedBytes(of, data)
  } catch {
    return null
  }
}

interface VerifyingKey {
  /** Null for what is no key. */
  readonly key: Ed25519Key | null
  readonly id: string
}

// The same few keys sign nearly all there is to check.
const verifyingKeys = new LRUCache<string, VerifyingKey>({ max: 1_024 })

function verifyingKey(publicKey: string): VerifyingKey {
  const known = verifyingKeys.get(publicKey)
  if (known !== undefined) return known
  const key = { key: keyIn(publicKey), id: keyIdOf(publicKey) }
  verifyingKeys.set(publicKey, key)
  return key
}

function keyIn(publicKey: string): Ed25519Key | null {
  const x = publicKeyPattern.exec(publicKey)?.[1]
  return x === undefined ? null : { algorithm: -8, x: bytesOfBase64(x) }
}

/** What a signature covers: the content, the log and the name, in their one spelling. */
export function signedBytes({ log, name }: SignedFor, data: Json): Uint8Array {
  return canonicalBytes({ data, log, name })
}
