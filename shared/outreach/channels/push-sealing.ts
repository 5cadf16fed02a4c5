// Seals what a push service passes on, so that only the browser reads it (RFC 8291), and signs who
// sends it (RFC 8292). The one file that knows the package for it.
import { createECDH, createPrivateKey, sign, type ECDH, type KeyObject } from 'node:crypto'
import { createRequire } from 'node:module'
import { assert } from '#record/fault'

/** Who sends, as push services know it. */
export interface PushSender {
  /** 65 bytes as base64url: what a page subscribes with. */
  readonly publicKey: string
  readonly key: KeyObject
}

interface Ece {
  readonly encrypt: (text: Buffer, options: object) => Buffer
}

const require = createRequire(import.meta.url)
let loaded: Ece | undefined

function library(): Ece {
  if (loaded === undefined) {
    const found: unknown = require('http_ece')
    assert(isEce(found), '`http_ece` encrypts')
    loaded = found
  }
  return loaded
}

function isEce(value: unknown): value is Ece {
  if (typeof value !== 'object' || value === null) return false
  return typeof Object.getOwnPropertyDescriptor(value, 'encrypt')?.value === 'function'
}

/** What every message is filled up to, so that its length shows nothing of it. */
const sealedBytes = 2_048
/** An octet after the text says where the filling begins. */
const paddingMin = 1
/** What is before the text: salt, size of a record, and a public key; and the tag behind it. */
const aroundBytes = 16 + 4 + 1 + 65 + 16
export const plainBytesMax = sealedBytes - aroundBytes - paddingMin

export interface PushKeys {
  readonly p256dh: string
  readonly auth: string
}

/** Null where the keys of the subscription cannot be used. */
export function sealedPush(
  text: Uint8Array,
  { p256dh, auth }: PushKeys,
  own: { readonly ecdh: ECDH; readonly salt: Uint8Array },
): Uint8Array | null {
  assert(text.length <= plainBytesMax, 'it fits')
  try {
    return library().encrypt(Buffer.from(text), {
      version: 'aes128gcm',
      dh: p256dh,
      authSecret: auth,
      privateKey: own.ecdh,
      salt: Buffer.from(own.salt),
      pad: plainBytesMax - text.length,
    })
  } catch {
    return null
  }
}

/** The sender whose private key these 32 bytes as base64url are; null for anything else. */
export function pushSender(secret: string): PushSender | null {
  const bytes = Buffer.from(secret, 'base64url')
  if (bytes.length !== 32 || !/^[A-Za-z0-9_-]{43}$/.test(secret)) return null
  try {
    const ecdh = createECDH('prime256v1')
    ecdh.setPrivateKey(bytes)
    const point = ecdh.getPublicKey()
    const half = (from: number): string => point.subarray(from, from + 32).toString('base64url')
    const jwk = { kty: 'EC', crv: 'P-256', d: secret, x: half(1), y: half(33) }
    return {
      publicKey: point.toString('base64url'),
      key: createPrivateKey({ key: jwk, format: 'jwk' }),
    }
  } catch {
    return null
  }
}

const tokenSeconds = 12 * 3_600

/** Says to that service who sends, for half a day. */
export function senderHeader(
  { publicKey, key }: PushSender,
  { url, contact, now }: { readonly url: string; readonly contact: string; readonly now: number },
): string {
  const claims = {
    aud: new URL(url).origin,
    exp: Math.floor(now / 1_000) + tokenSeconds,
    sub: contact,
  }
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}
