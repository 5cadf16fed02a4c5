// Whether a connection to NATS is encrypted, and by which files. What cannot work is refused before
// anything is sent: a server that does not like a certificate only closes the connection.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Fault } from '#record/fault'
import { secretText } from '#system/secret-file'
import type { NatsAccess } from './access.ts'

export interface TlsFiles {
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** The addresses of the servers, each with its scheme or without one. */
export function addressesIn({ servers }: NatsAccess): readonly string[] {
  return servers.split(',').map((address) => address.trim())
}

const portDefault = 4_222

/** Where it listens, as the URL of an address says it. */
export function listenerIn(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(address.includes('://') ? address : `nats://${address}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? portDefault : Number(port) }
}

/** With which files TLS is demanded; null where it is not, and taken where it is offered. */
export async function encryptionOf(access: NatsAccess, now: number): Promise<TlsFiles | null> {
  const { caFile, certFile, keyFile } = access
  const files = Object.fromEntries(
    Object.entries({ caFile, certFile, keyFile }).filter(([, file]) => file !== undefined),
  )
  const addresses = addressesIn(access)
  const encrypted = addresses.filter((address) => address.startsWith('tls://'))
  if (encrypted.length > 0 && encrypted.length < addresses.length) {
    const message = `\`${access.servers}\` is \`tls://\` in part: write it before each address`
    throw new Fault('log_unsupported', message)
  }
  if (caFile !== undefined) await textIn(caFile)
  await demandOwnCertificate({ certFile, keyFile }, now)
  return encrypted.length === 0 && Object.keys(files).length === 0 ? null : files
}

async function demandOwnCertificate(
  { certFile, keyFile }: Pick<NatsAccess, 'certFile' | 'keyFile'>,
  now: number,
): Promise<void> {
  if (certFile === undefined && keyFile === undefined) return
  if (certFile === undefined || keyFile === undefined) {
    throw unusable('WARRANT_NATS_CERT_FILE and WARRANT_NATS_KEY_FILE go together')
  }
  const certificate = certificateIn(certFile, await textIn(certFile))
  const { validFrom, validTo } = certificate
  if (now > Date.parse(validTo)) {
    throw unusable(`the certificate \`${certFile}\` expired at ${validTo}: have it renewed`)
  }
  if (now < Date.parse(validFrom)) {
    const fix = 'is the clock of this machine right'
    throw unusable(`the certificate \`${certFile}\` is valid from ${validFrom} only: ${fix}`)
  }
  if (!belongsTo(certificate, await secretText(keyFile, 'the private key'))) {
    throw unusable(`\`${keyFile}\` does not hold the private key of \`${certFile}\``)
  }
}

function certificateIn(file: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw unusable(`\`${file}\` holds no certificate in PEM`, cause)
  }
}

function belongsTo(certificate: X509Certificate, pem: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem))
  } catch {
    // What the library says of a key it cannot read may repeat some of it.
    return false
  }
}

async function textIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw unusable(`\`${file}\` cannot be read`, cause)
  }
}

function unusable(message: string, cause?: unknown): Fault {
  return new Fault('credentials_invalid', message, { cause })
}
