// E-mail by SMTP: plain text to one address, over TLS, with the library's own writing of headers.
// The server's name is resolved once, its addresses are judged, and one of those is dialled.
import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { judgedAddresses, systemResolve, type Resolve } from '#system/egress/exchange'
import { orAbort } from '#system/egress/aborting'
import { ChannelFailure, type Channel, type ChannelMessage, type LoadSecret } from '#ports/channels'
import { short } from '#record/quote'
import { channelFailureOf, secretOf } from './failures.ts'

export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; without it the server must offer it, or be on this machine. */
  readonly isTls: boolean
}

export interface MailOptions {
  readonly server: MailServer
  /** One address, such as `warrant@example.org`. */
  readonly from: string
  /** Absent where the server asks for none. */
  readonly user?: string
  /** The name of the secret with the password. */
  readonly password: string
  readonly secret: LoadSecret
  readonly resolve?: Resolve
  readonly privateHosts?: readonly string[]
  readonly ca?: readonly string[]
}

/** Each step may take so long; the deadline of the message ends all of them. */
const stepMsMax = 20_000
const subjectCharactersMax = 180

export function mailChannel(options: MailOptions): Channel {
  const closing = new AbortController()
  return {
    kind: 'mail',
    async deliver({ target, message, signal }) {
      if (target.channel !== 'mail') throw new ChannelFailure('target_invalid', false)
      if (closing.signal.aborted) throw new ChannelFailure('unavailable', true)
      if (signal.aborted) throw new ChannelFailure('timed_out', true)
      await mailed(options, target.address, message, AbortSignal.any([signal, closing.signal]))
    },
    async close() {
      closing.abort()
    },
  }
}

async function mailed(
  options: MailOptions,
  address: string,
  message: ChannelMessage,
  signal: AbortSignal,
): Promise<void> {
  const { server, user } = options
  const pass = user === undefined ? null : await secretOf(options.secret, options.password)
  const socket = await dialled(options, signal)
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isTls,
    requireTLS: !server.isTls && !isThisMachine(socket),
    getSocket: (_options, use) => use(null, { connection: socket }),
    greetingTimeout: stepMsMax,
    socketTimeout: stepMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: 'TLSv1.2', ...(options.ca !== undefined && { ca: [...options.ca] }) },
    ...(user !== undefined && pass !== null && { auth: { user, pass } }),
  })
  try {
    await orAbort(transport.sendMail(mailOf(options, address, message)), signal, () => 'unknown')
  } catch (error) {
    throw mailFailureOf(error)
  } finally {
    transport.close()
    socket.destroy()
  }
}

function mailOf({ from }: MailOptions, address: string, message: ChannelMessage) {
  const { id, subject, lines, link, at } = message
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    from: { name: 'Warrant', address: from },
    to: { name: '', address },
    subject: short(subject, subjectCharactersMax),
    text: [...lines, ...(link === null ? [] : ['', link])].join('\n'),
    date: new Date(at),
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}

/** A connection to an address that was judged. */
async function dialled(options: MailOptions, signal: AbortSignal): Promise<Socket> {
  const { server, resolve = systemResolve, privateHosts = [] } = options
  // The rules know hosts of the web; a port is up to the operator, who names the server.
  const url = `https://${server.host.includes(':') ? `[${server.host}]` : server.host}/`
  const judging = { url, privateHosts, signal }
  let addresses: readonly string[]
  try {
    addresses = await judgedAddresses(judging, resolve)
  } catch (error) {
    throw channelFailureOf(error)
  }
  const [address] = addresses
  if (address === undefined) throw new ChannelFailure('unresolved', true)
  const socket = connect({ host: address, port: server.port })
  const opened = new Promise<void>((done, fail) => {
    socket.once('connect', done)
    socket.once('error', () => fail(new ChannelFailure('unreachable', true)))
  })
  try {
    await orAbort(opened, signal, () => 'no')
  } catch (error) {
    socket.destroy()
    throw channelFailureOf(error)
  }
  // From here on the library listens; an error that comes between is not to end the process.
  socket.on('error', () => undefined)
  return socket
}

function isThisMachine({ remoteAddress = '' }: Socket): boolean {
  return remoteAddress === '::1' || remoteAddress.replace('::ffff:', '').startsWith('127.')
}

/** What no mailbox has, or has not any more. */
const goneReplies: ReadonlySet<number> = new Set([550, 551, 553])

function mailFailureOf(error: unknown): ChannelFailure {
  if (!(error instanceof Error)) return new ChannelFailure('protocol_error', true)
  const code: unknown = Reflect.get(error, 'code')
  const reply: unknown = Reflect.get(error, 'responseCode')
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return new ChannelFailure('unauthorized', false)
    case 'ETLS':
    case 'EREQUIRETLS':
      return new ChannelFailure('tls_failed', false)
    case 'EENVELOPE':
    case 'EMESSAGE':
      return replyFailure(reply, code === 'EENVELOPE')
    case 'ETIMEDOUT':
      return new ChannelFailure('timed_out', true)
    case 'ESOCKET':
      return new ChannelFailure(isOfCertificate(error) ? 'tls_failed' : 'connection_lost', true)
    case 'ECONNECTION':
      return new ChannelFailure('connection_lost', true)
    default:
      return channelFailureOf(error)
  }
}

function replyFailure(reply: unknown, isOfAddress: boolean): ChannelFailure {
  if (typeof reply !== 'number') return new ChannelFailure('protocol_error', true)
  if (reply < 500) return new ChannelFailure('unavailable', true)
  const isGone = isOfAddress && goneReplies.has(reply)
  return new ChannelFailure(isGone ? 'gone' : 'refused', false)
}

function isOfCertificate(error: Error): boolean {
  const reason: unknown = Reflect.get(error, 'cause') ?? error
  const code: unknown = reason instanceof Error ? Reflect.get(reason, 'code') : null
  return /certificate|self-signed|altname/i.test(`${String(code)} ${error.message}`)
}
