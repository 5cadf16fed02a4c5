// What both halves of the platform agree on: the public keys that signatures are verified with, and
// what each half can do. Node and a browser have different means for it and give the same answers.

/** EdDSA with Ed25519 and nothing else. */
export interface Ed25519Key {
  readonly algorithm: -8
  /** The point, 32 bytes. */
  readonly x: Uint8Array
}

/** ECDSA over P-256 with SHA-256: a point, 32 bytes for each coordinate. */
export interface Es256Key {
  readonly algorithm: -7
  readonly x: Uint8Array
  readonly y: Uint8Array
}

/** RSASSA-PKCS1-v1_5 with SHA-256: modulus and exponent, without leading zeros. */
export interface Rs256Key {
  readonly algorithm: -257
  readonly n: Uint8Array
  readonly e: Uint8Array
}

/** A public key, by the number of its algorithm in COSE (RFC 9053). */
export type PublicKey = Ed25519Key | Es256Key | Rs256Key

/** SHA-256 of bytes that come one after the other. */
export interface RunningSha256 {
  add(bytes: Uint8Array): void
  /** Of all that was added so far; more may follow. */
  hex(): string
}

/**
 * The arithmetic alone. Which keys and which spellings are taken is decided before, once for both
 * halves (`../crypto/crypto.ts`); nothing that is asked here throws.
 */
export interface CryptoHalf {
  sha256(data: Uint8Array | string): Uint8Array
  /** The same as 64 hexadecimal digits. */
  sha256Hex(data: Uint8Array | string): string
  /** Whether S·B = R + h·A holds without the cofactor, with R in its one spelling. */
  isEd25519(key: Ed25519Key, data: Uint8Array, signature: Uint8Array): boolean
  /** The same, in a thread where there are threads. */
  isEd25519InThread(key: Ed25519Key, data: Uint8Array, signature: Uint8Array): Promise<boolean>
  /** `signature` is r and s, 32 bytes each. */
  isEs256(key: Es256Key, data: Uint8Array, signature: Uint8Array): boolean
  isRs256(key: Rs256Key, data: Uint8Array, signature: Uint8Array): boolean
}
