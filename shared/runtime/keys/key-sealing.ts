// A private key under a passphrase, as PKCS #8 says it (PBES2 with scrypt and AES-256-CBC), which
// OpenSSL reads. Node writes such files too, but only with a derivation that is cheap to try.
import { createCipheriv, createPrivateKey, randomBytes, scryptSync } from 'node:crypto'
import { Fault } from '#record/fault'

/** Some 16 MiB and a quarter of a second for each guess. */
const cost = { N: 16_384, r: 8, p: 5 }
const keyBytes = 32
const blockBytes = 16
const columns = 64

const oids = {
  pbes2: '06092a864886f70d01050d',
  scrypt: '06092b06010401da47040b',
  aes256: '060960864801650304012a',
}

/** The PEM of a private key, sealed with the passphrase. */
export function sealedPem(pem: string, passphrase: string): string {
  const plain = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  const salt = randomBytes(blockBytes)
  const start = randomBytes(blockBytes)
  const key = scryptSync(passphrase, salt, keyBytes, cost)
  const cipher = createCipheriv('aes-256-cbc', key, start)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  const derivation = sequence(
    oid(oids.scrypt),
    sequence(octets(salt), integer(cost.N), integer(cost.r), integer(cost.p)),
  )
  const parameters = sequence(derivation, sequence(oid(oids.aes256), octets(start)))
  const der = sequence(sequence(oid(oids.pbes2), parameters), octets(sealed))
  const lines = der.toString('base64').match(new RegExp(`.{1,${columns}}`, 'g')) ?? []
  const label = 'ENCRYPTED PRIVATE KEY'
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

export function isSealed(text: string): boolean {
  return text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')
}

/** The PEM of the private key in it. Throws a Fault `passphrase_wrong` for another passphrase. */
export function unsealedPem(text: string, passphrase: string): string {
  try {
    const key = createPrivateKey({ key: text, format: 'pem', passphrase })
    return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch {
    // What OpenSSL says of it helps no one, and must never repeat what was typed.
    throw new Fault('passphrase_wrong', 'that is not the passphrase of this key')
  }
}

function oid(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function octets(bytes: Buffer): Buffer {
  return tagged(0x04, bytes)
}

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const isNegative = (bytes[0] ?? 0) >= 0x80
  return tagged(0x02, isNegative ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

function tagged(tag: number, body: Buffer): Buffer {
  const { length } = body
  const lengthBytes = length < 0x80 ? [length] : longLength(length)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), body])
}

function longLength(length: number): readonly number[] {
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}
