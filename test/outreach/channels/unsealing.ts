// Reads what a push service is given, as a browser does (RFC 8291), by the platform's own functions
// and not by the library that sealed it.
import { createDecipheriv, createECDH, hkdfSync, type ECDH } from 'node:crypto'

export interface Browser {
  readonly ecdh: ECDH
  readonly auth: Buffer
}

const label = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1')

/** The text, and how long it was with its filling. */
export function unsealed(
  { ecdh, auth }: Browser,
  body: Buffer,
): { readonly text: string; readonly bytes: number } {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const shared = ecdh.computeSecret(sender)
  const info = Buffer.concat([label('WebPush: info'), ecdh.getPublicKey(), sender])
  const ikm = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const key = hkdfSync('sha256', ikm, salt, label('Content-Encoding: aes128gcm'), 16)
  const nonce = hkdfSync('sha256', ikm, salt, label('Content-Encoding: nonce'), 12)
  const sealedText = body.subarray(21 + keyLength)
  const decipher = createDecipheriv('aes-128-gcm', Buffer.from(key), Buffer.from(nonce))
  decipher.setAuthTag(sealedText.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealedText.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  return { text: padded.subarray(0, end).toString(), bytes: body.length }
}

export function newBrowser(): Browser & {
  readonly keys: { readonly p256dh: string; readonly auth: string }
} {
  const ecdh = createECDH('prime256v1')
  const p256dh = ecdh.generateKeys('base64url')
  const auth = Buffer.alloc(16, 7)
  return { ecdh, auth, keys: { p256dh, auth: auth.toString('base64url') } }
}
