// JSON Web Signatures in their compact form (RFC 7515), with Ed25519 and nothing else (RFC 8037).
// One signature has one spelling here, one text is one value, and nothing that is read makes it
// throw.
import { base64urlOf, bytesOfBase64, utf8 } from '#platform/bytes'
import { readJson } from '#record/json'
import { isSignedWithKey } from '#record/signature'

export interface Jws {
  readonly header: unknown
  readonly payload: unknown
  /** What the signature covers. */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

const headerLimits = { bytesMax: 2_048, depthMax: 4 }
const payloadDepthMax = 130
const base64url = /^[A-Za-z0-9_-]+$/

/** Null for what is no such text, or is one in another spelling. */
export function readJws(text: string, charactersMax: number): Jws | null {
  if (text.length > charactersMax) return null
  const [head, body, tail, ...rest] = text.split('.', 4)
  if (head === undefined || body === undefined || tail === undefined || rest.length > 0) return null
  const headerBytes = bytesIn(head)
  const payloadBytes = bytesIn(body)
  const signature = bytesIn(tail)
  if (headerBytes === null || payloadBytes === null || signature === null) return null
  if (signature.length !== 64) return null
  const header = readJson(headerBytes, headerLimits)
  if (!header.ok) return null
  const payload = readJson(payloadBytes, { bytesMax: charactersMax, depthMax: payloadDepthMax })
  if (!payload.ok) return null
  const signed = utf8(`${head}.${body}`)
  return { header: header.value, payload: payload.value, signed, signature }
}

// What has spare bits set or padding would be a second spelling.
function bytesIn(part: string): Uint8Array | null {
  if (!base64url.test(part)) return null
  const bytes = bytesOfBase64(part)
  return base64urlOf(bytes) === part ? bytes : null
}

/** Whether that public key, in the catalog’s spelling, signed it. */
export function isSignedWith({ signed, signature }: Jws, publicKey: string): boolean {
  return isSignedWithKey(publicKey, { data: signed, signature })
}
