// Text that a browser keeps for this process and can neither read nor change. So who begins to sign
// in costs the server no memory, however many do.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Sealing {
  seal(text: string): string
  /** Null for what this process did not seal. */
  open(sealed: string): string | null
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export function sealing(): Sealing {
  const key = randomBytes(32)
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return null
      const iv = bytes.subarray(0, ivBytes)
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      try {
        const body = decipher.update(bytes.subarray(ivBytes + tagBytes))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
