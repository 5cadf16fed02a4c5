// SHA-256 and signatures by the crypto library of Node. Its twin is `crypto-browser.ts`; a
// condition of the import says which of them `./crypto-node.ts` is.
import { createHash, createPublicKey, hash, verify, type KeyObject } from 'node:crypto'
import type { Ed25519Key, Es256Key, PublicKey, Rs256Key, RunningSha256 } from './public-key.ts'

export function sha256(data: Uint8Array | string): Uint8Array {
  return hash('sha256', data, 'buffer')
}

export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data)
}

/** Of bytes that come one after the other. */
export function newSha256(): RunningSha256 {
  const running = createHash('sha256')
  return {
    add: (bytes) => void running.update(bytes),
    hex: () => running.copy().digest('hex'),
  }
}

export function isEd25519(key: Ed25519Key, data: Uint8Array, signature: Uint8Array): boolean {
  return holds(key, (object) => verify(null, data, object, signature))
}

export function isEd25519InThread(
  key: Ed25519Key,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  return new Promise((resolve) => {
    const object = keyObjectOf(key)
    if (object === null) resolve(false)
    else verify(null, data, object, signature, (_, is) => resolve(is === true))
  })
}

export function isEs256(key: Es256Key, data: Uint8Array, signature: Uint8Array): boolean {
  return holds(key, (object) =>
    verify('sha256', data, { key: object, dsaEncoding: 'ieee-p1363' }, signature),
  )
}

export function isRs256(key: Rs256Key, data: Uint8Array, signature: Uint8Array): boolean {
  return holds(key, (object) => verify('sha256', data, object, signature))
}

function holds(key: PublicKey, isSigned: (object: KeyObject) => boolean): boolean {
  const object = keyObjectOf(key)
  if (object === null) return false
  try {
    return isSigned(object)
  } catch {
    // What is no point of the curve signed nothing.
    return false
  }
}

// Reading a key costs as much as verifying with it, and the same few sign nearly everything.
const objects = new WeakMap<PublicKey, KeyObject | null>()

function keyObjectOf(key: PublicKey): KeyObject | null {
  const known = objects.get(key)
  if (known !== undefined) return known
  const object = made(jwkOf(key))
  objects.set(key, object)
  return object
}

function made(jwk: ReturnType<typeof jwkOf>): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

function jwkOf(key: PublicKey) {
  switch (key.algorithm) {
    case -8:
      return { kty: 'OKP', crv: 'Ed25519', x: text(key.x) }
    case -7:
      return { kty: 'EC', crv: 'P-256', x: text(key.x), y: text(key.y) }
    case -257:
      return { kty: 'RSA', n: text(key.n), e: text(key.e) }
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
