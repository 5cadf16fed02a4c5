// Signing with private keys, which are files of Node's: no browser gets this. What is signed here
// is verified by `../signature.ts`.
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { base64urlOf } from '#platform/bytes'
import type { KeySignature } from '#schemas/values'
import type { Json } from '../canonical.ts'
import { keyIdOf, signedBytes, type Sign, type SignedFor } from '../signature.ts'

/** Signs `data` as the content of that fact of that log. `privateKey` is PEM (PKCS #8). */
export function signData(of: SignedFor, data: Json, privateKey: string): KeySignature {
  const { id } = signingKey(privateKey)
  const value = base64urlOf(signBytes(signedBytes(of, data), privateKey))
  return { format: 'ed25519', key: id, value }
}

/** What a person signs with: the PEM of an Ed25519 private key, or anything else that can sign. */
export type SignsWith =
  | { readonly privateKey: string; readonly sign?: never }
  | { readonly sign: Sign; readonly privateKey?: never }

export function signerOf({ privateKey, sign: elsewhere }: SignsWith): Sign {
  return elsewhere ?? ((of, data) => signData(of, data, privateKey))
}

/** What that key makes of those bytes; it has no randomness. */
export function signBytes(bytes: Uint8Array, privateKey: string): Uint8Array {
  return sign(null, bytes, signingKey(privateKey).key)
}

/** The public half in the catalog's spelling, `ed25519:` and base64url of 32 bytes. */
export function publicKeyOf(privateKey: string): string {
  return signingKey(privateKey).publicKey
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
