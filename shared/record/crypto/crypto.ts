// All the cryptography that reads: digests, and whether a key signed. What is taken is decided
// here, once, and the arithmetic is done by the half that the platform has, so that Node and a
// browser take exactly the same. What signs is in `private-key.ts`, which no browser gets.
import * as platform from '#platform/crypto'
import type { CryptoHalf, PublicKey } from '../platform/public-key.ts'
import { rawOfDer } from './der.ts'
import { isOfSmallOrder, isSoundKey } from './sound-key.ts'

export { sha256, sha256Hex } from '#platform/crypto'

export interface Verifying {
  readonly publicKey: PublicKey
  readonly data: Uint8Array
  /** Of ES256 in DER, as WebAuthn gives it; of the others the bytes themselves. */
  readonly signature: Uint8Array
}

/** Whether that key signed exactly these bytes. Whatever is wrong with any of them, it is false. */
export function verify(of: Verifying): boolean {
  return verifyOn(platform, of)
}

/** The same, Ed25519 in a thread where there are threads. */
export async function verifyInThread(of: Verifying): Promise<boolean> {
  const { publicKey, data, signature } = of
  if (publicKey.algorithm !== -8) return verify(of)
  return (
    isSoundKey(publicKey) &&
    isSoundEd25519(signature) &&
    (await platform.isEd25519InThread(publicKey, data, signature))
  )
}

/** The same by one half of the platform. */
export function verifyOn(half: CryptoHalf, { publicKey, data, signature }: Verifying): boolean {
  if (!isSoundKey(publicKey)) return false
  switch (publicKey.algorithm) {
    case -8:
      return isSoundEd25519(signature) && half.isEd25519(publicKey, data, signature)
    case -7: {
      const raw = rawOfDer(signature)
      return raw !== null && half.isEs256(publicKey, data, raw)
    }
    case -257:
      return signature.length === publicKey.n.length && half.isRs256(publicKey, data, signature)
  }
}

// R of small order is refused by the library of Node 24 and taken by those before it. No one who
// signs by the rules ever makes one.
function isSoundEd25519(signature: Uint8Array): boolean {
  return signature.length === 64 && !isOfSmallOrder(signature.subarray(0, 32))
}
