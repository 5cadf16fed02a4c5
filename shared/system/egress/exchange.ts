// One HTTP request to an address that was judged. The name is resolved once, all its addresses are
// judged, and one of those is dialled; it must never let the system resolve the name again, follow
// a redirect, or take a proxy from the environment.
import { lookup } from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { judgeUrl } from '#firewall/url-rules'
import { abortFailure, orAbort } from './aborting.ts'

/** All addresses of a host, as the system knows them. */
export type Resolve = (host: string) => Promise<readonly string[]>

export interface HttpOutgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  readonly privateHosts: readonly string[]
  readonly signal: AbortSignal
  /** Whether a connection that served another request will do, and may serve further ones. */
  readonly mayShare: boolean
}

export interface Exchanges {
  /** The head of the answer, and its body unread. Throws a `ToolFailure`. */
  send(outgoing: HttpOutgoing): Promise<IncomingMessage>
  close(): void
}

/** More addresses than these are not tried. */
const attemptsMax = 3
const headBytesMax = 64 * 1024
/** Less than the five seconds after which many servers close an idle connection. */
const idleMs = 4_000

export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

interface Connections {
  readonly http: http.Agent
  readonly https: https.Agent
}

/** `ca`: certificates of authorities beside those of the system. */
export function exchanges(resolve: Resolve, ca?: readonly string[]): Exchanges {
  const trust = ca === undefined ? {} : { ca: [...ca] }
  const connections = (options: http.AgentOptions): Connections => {
    return { http: new http.Agent(options), https: new https.Agent({ ...options, ...trust }) }
  }
  const kept = connections({ keepAlive: true, maxFreeSockets: 16, timeout: idleMs })
  const fresh = connections({ keepAlive: false })
  return {
    async send(outgoing) {
      const addresses = await judgedAddresses(outgoing, resolve)
      const agents = outgoing.mayShare ? kept : fresh
      let failure = new ToolFailure('unresolved', 'no')
      for (const address of addresses.slice(0, attemptsMax)) {
        const answer = await answerFrom(address, outgoing, agents)
        if (!(answer instanceof ToolFailure)) return answer
        // Where surely nothing was sent, the next address is no second attempt.
        if (answer.code !== 'unreachable') throw answer
        failure = answer
      }
      throw failure
    },
    close() {
      for (const agent of [kept.http, kept.https, fresh.http, fresh.https]) agent.destroy()
    },
  }
}

/** The addresses of its host, all of which pass. Throws a `ToolFailure`. */
export async function judgedAddresses(
  { url, privateHosts, signal }: Pick<HttpOutgoing, 'url' | 'privateHosts' | 'signal'>,
  resolve: Resolve,
): Promise<readonly string[]> {
  const first = judgeUrl(url, undefined, privateHosts)
  const host = hostOf(url, first.reason)
  if (first.verdict === 'block')
    throw new ToolFailure('url_blocked', 'no', { reason: first.reason })
  if (first.verdict === 'allow') return [host]
  const found = resolve(host).catch(() => {
    throw new ToolFailure('unresolved', 'no')
  })
  const addresses = await orAbort(found, signal, () => 'no')
  const { verdict, reason } = judgeUrl(url, addresses, privateHosts)
  if (verdict !== 'allow') throw new ToolFailure('url_blocked', 'no', { reason })
  return addresses
}

function hostOf(url: string, reason: string): string {
  if (!URL.canParse(url)) throw new ToolFailure('url_blocked', 'no', { reason })
  return new URL(url).hostname.replaceAll(/[[\]]/g, '')
}

/** The answer, or the failure; it settles once. */
async function answerFrom(
  address: string,
  outgoing: HttpOutgoing,
  agents: Connections,
): Promise<IncomingMessage | ToolFailure> {
  const { method, headers, body, signal } = outgoing
  const url = new URL(outgoing.url)
  const isSecure = url.protocol === 'https:'
  // A name in the certificate is asked for; an address is compared as it is.
  const isName = /[a-z]/i.test(url.hostname) && !url.hostname.startsWith('[')
  const request = (isSecure ? https : http).request({
    agent: isSecure ? agents.https : agents.http,
    host: address,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...lengthOf(body, method), host: url.host },
    setHost: false,
    servername: isName ? url.hostname : '',
    maxHeaderSize: headBytesMax,
  })
  let wasSent = false
  request.once('socket', (socket) => {
    const sent = (): void => {
      wasSent = true
    }
    if (!socket.connecting) sent()
    else socket.once(isSecure ? 'secureConnect' : 'connect', sent)
  })
  const abort = (): void => void request.destroy()
  signal.addEventListener('abort', abort)
  try {
    return await new Promise((resolve) => {
      const failed = (error?: Error): void => {
        resolve(failureOf({ error, signal, wasSent }))
      }
      request.once('response', resolve)
      request.once('upgrade', (_, socket) => {
        socket.destroy()
        resolve(new ToolFailure('protocol_error', 'unknown'))
      })
      // It stays: an error after the answer began is the body's, and ends nothing here.
      request.on('error', failed)
      request.once('close', () => failed())
      if (signal.aborted) abort()
      request.end(body ?? undefined)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function lengthOf(body: HttpOutgoing['body'], method: string): Readonly<Record<string, string>> {
  if (body !== null) return { 'content-length': String(Buffer.byteLength(body)) }
  return ['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { 'content-length': '0' }
}

interface Failing {
  readonly error: Error | undefined
  readonly signal: AbortSignal
  readonly wasSent: boolean
}

function failureOf({ error, signal, wasSent }: Failing): ToolFailure {
  const happened = wasSent ? 'unknown' : 'no'
  if (signal.aborted) return abortFailure(signal, happened)
  const code: unknown = error === undefined ? null : Reflect.get(error, 'code')
  const detail = typeof code === 'string' ? { error: code } : {}
  if (!wasSent) return new ToolFailure('unreachable', 'no', detail)
  const isGarbled = typeof code === 'string' && code.startsWith('HPE_')
  return new ToolFailure(isGarbled ? 'protocol_error' : 'connection_lost', 'unknown', detail)
}
