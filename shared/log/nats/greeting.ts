// Why there is no connection to a server, as far as the server says it by itself: it greets in
// plain text before anything else, and later often only closes.
import { connect } from 'node:net'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import type { NatsAccess } from './access.ts'
import { addressesIn, listenerIn, type TlsFiles } from './encryption.ts'

const Greeting = z.looseObject({
  tls_required: z.boolean().default(false),
  tls_available: z.boolean().default(false),
  tls_verify: z.boolean().default(false),
})

type Greeting = z.infer<typeof Greeting>

const greetingMsMax = 1_000
const greetingCharactersMax = 65_536

/** The fault for what the driver could not connect to. */
export async function unreached(
  access: NatsAccess,
  tls: TlsFiles | null,
  cause: unknown,
): Promise<Fault> {
  for (const address of addressesIn(access)) {
    const greeting = await greetingOf(address)
    if (greeting === null) continue
    if (greeting === 'silent') return silentAt(address, cause)
    const fault = refusedBy(address, greeting, { tls, cause })
    if (fault !== null) return fault
  }
  const fix = 'does a nats-server listen there, and does it ask for TLS'
  const message = `no connection to \`${access.servers}\`: ${fix}`
  return new Fault('log_unreachable', message, { cause })
}

function silentAt(address: string, cause: unknown): Fault {
  const fix = 'is it stopped or overloaded, and is it a nats-server'
  const message = `\`${address}\` takes connections and does not answer: ${fix}`
  return new Fault('log_unreachable', message, { cause })
}

function refusedBy(
  address: string,
  { tls_required, tls_available, tls_verify }: Greeting,
  { tls, cause }: { readonly tls: TlsFiles | null; readonly cause: unknown },
): Fault | null {
  const offersTls = tls_required || tls_available
  if (tls !== null && !offersTls) {
    const fix = 'give the server a certificate, or find out who stands in between'
    const message = `\`${address}\` offers no TLS, and TLS is demanded: ${fix}`
    return new Fault('tls_missing', message, { cause })
  }
  if (!tls_verify) return null
  if (tls?.certFile === undefined) {
    const fix = 'name its files by WARRANT_NATS_CERT_FILE and WARRANT_NATS_KEY_FILE'
    const message = `\`${address}\` asks for a certificate of the client, and there is none: ${fix}`
    return new Fault('credentials_invalid', message, { cause })
  }
  const ours = `does an authority that it knows stand behind the certificate \`${tls.certFile}\``
  const known = tls.caFile === undefined ? 'WARRANT_NATS_CA_FILE' : `\`${tls.caFile}\``
  const its = `and is the one behind the server's own in ${known}`
  const message = `no connection to \`${address}\`: ${ours}, ${its}`
  return new Fault('log_unreachable', message, { cause })
}

/** What the server says first; `silent` where it takes the connection and sends nothing. */
async function greetingOf(address: string): Promise<Greeting | 'silent' | null> {
  try {
    const line = await firstLineOf(listenerIn(address))
    return line === 'silent' ? line : Greeting.parse(parseJson(line.replace(/^INFO /, '')))
  } catch {
    return null
  }
}

function firstLineOf(place: { readonly host: string; readonly port: number }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: greetingMsMax })
    let text = ''
    const end = (): void => {
      socket.destroy()
      resolve(text.split('\r\n', 1)[0] ?? '')
    }
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.includes('\r\n') || text.length > greetingCharactersMax) end()
    })
    socket.on('timeout', () => {
      if (text === '' && !socket.connecting) text = 'silent'
      end()
    })
    for (const event of ['error', 'close']) socket.on(event, end)
  })
}
