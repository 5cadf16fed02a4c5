// The socket that requests come in at, the same for every server of the project: limits on what one
// may send and how long that may take, TLS from files, and an end in which what was begun is
// answered.
import { createAdaptorServer } from '@hono/node-server'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { fileProblem } from '#system/file-problem'
import { assert, Fault } from '#record/fault'
import { problemOf, problemType, requestInvalid } from './problem.ts'

export interface Listen {
  readonly host: string
  readonly port: number
}

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

export interface ListeningOf {
  readonly listen: Listen
  readonly tls: CertificateFiles | null
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly limits?: Partial<ListeningLimits>
}

export interface ListeningLimits {
  /** More connections than these are closed as they come. */
  readonly connectionsMax: number
  /** How long a request may take to arrive whole. */
  readonly requestMsMax: number
}

export interface ListeningServer {
  /** Where it listens; with port 0 given, whichever was free. */
  readonly url: string
  /** Takes no more connections, and resolves when all requests were answered. */
  drained(): Promise<void>
  /** Ends what is left. */
  cut(): void
}

/** A warrant with links is long; Node takes no more than this of all headers together. */
const headerBytesMax = 65_536
const headersMax = 64
const limitsDefault: ListeningLimits = { connectionsMax: 1_024, requestMsMax: 10_000 }
const keepAliveMs = 5_000

interface Raw {
  readonly incoming: { readonly url?: string | undefined }
}

const targets = new WeakMap<Request, string>()

/** What a request asks for as it came: of its URL, parts such as `..` are resolved already. */
export function targetOf(request: Request): string {
  return targets.get(request) ?? ''
}

/** Throws a Fault `listen_failed` where it cannot. */
export async function listening({
  listen,
  tls,
  fetch: answer,
  limits: given,
}: ListeningOf): Promise<ListeningServer> {
  const { connectionsMax, requestMsMax } = { ...limitsDefault, ...given }
  // Of a request that names none, as HTTP/1.0 and some probes have it.
  const hostname = listen.host
  const limits = {
    maxHeaderSize: headerBytesMax,
    requestTimeout: requestMsMax,
    headersTimeout: requestMsMax,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1_000,
  }
  const fetch = (request: Request, env: Raw) => {
    targets.set(request, env.incoming.url ?? '')
    return answer(request)
  }
  const server = serverOf(
    tls === null
      ? createAdaptorServer({ fetch, hostname, serverOptions: limits })
      : createAdaptorServer({
          fetch,
          hostname,
          createServer: createTlsServer,
          serverOptions: { ...limits, ...(await keyPairOf(tls)), minVersion: 'TLSv1.2' },
        }),
  )
  server.maxConnections = connectionsMax
  server.maxHeadersCount = headersMax
  server.on('clientError', refuseUnread)
  server.prependListener('request', carryDefaults)
  const underWay = requestsOf(server)
  await opened(server, listen)
  return {
    url: urlOf(server, listen.host, tls !== null),
    async drained() {
      const closed = once(server, 'close')
      server.close()
      await underWay.none()
      // A connection would otherwise be kept for its next request.
      server.closeAllConnections()
      await closed
    },
    cut: () => server.closeAllConnections(),
  }
}

/** What each answer carries that does not say otherwise. */
const defaults = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
] as const

// Set on the socket's own answer: to add them to one that is made already would make it again.
function carryDefaults(_request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of defaults) response.setHeader(name, value)
}

function serverOf(server: ReturnType<typeof createAdaptorServer>): Server {
  assert('maxHeadersCount' in server, 'it speaks HTTP/1.1')
  return server
}

/** The requests that are being answered. */
function requestsOf(server: Server): { none(): Promise<void> } {
  const open = new Set<ServerResponse>()
  let onNone = (): void => undefined
  server.on('request', (_request, response: ServerResponse) => {
    open.add(response)
    response.once('close', () => {
      open.delete(response)
      if (open.size === 0) onNone()
    })
  })
  return {
    none: () =>
      new Promise((resolve) => {
        onNone = resolve
        if (open.size === 0) resolve()
      }),
  }
}

async function keyPairOf({ certFile, keyFile }: CertificateFiles) {
  const read = async (file: string): Promise<Buffer> => {
    try {
      return await readFile(file)
    } catch (cause) {
      const why = fileProblem(cause, 'cannot be read')
      throw new Fault('input_unreadable', `\`${file}\`: ${why}`, { cause })
    }
  }
  return { cert: await read(certFile), key: await read(keyFile) }
}

async function opened(server: Server, { host, port }: Listen): Promise<void> {
  const listens = once(server, 'listening')
  server.listen(port, host)
  try {
    await listens
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    const why = isTaken ? 'another program listens there; choose another with --listen' : ''
    const what = why === '' && cause instanceof Error ? cause.message : why
    throw new Fault('listen_failed', `cannot listen at ${host}, port ${port}: ${what}`, { cause })
  }
}

function urlOf(server: Server, host: string, isTls: boolean): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const name = host.includes(':') ? `[${host}]` : host
  return `${isTls ? 'https' : 'http'}://${name}:${port}`
}

// What cannot be read as a request has no one else to answer it.
function refuseUnread(error: Error, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const code: unknown = 'code' in error ? error.code : null
  const [status, phrase] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large'] as const)
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout'] as const)
        : ([400, 'Bad Request'] as const)
  const body = JSON.stringify(problemOf(requestInvalid(status, phrase.toLowerCase())))
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    `content-type: ${problemType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
