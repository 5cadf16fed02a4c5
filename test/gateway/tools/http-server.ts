// A real HTTP server as a tool, which keeps what it was sent.
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Handler = (received: Received, response: ServerResponse) => void

export interface ToolServerAtWork {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  readonly host: string
  readonly port: number
  readonly received: Received[]
  /** How many connections were opened. */
  readonly connections: () => number
}

export async function httpServer(
  handler: Handler,
  tls: https.ServerOptions | null = null,
): Promise<ToolServerAtWork> {
  const received: Received[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      handler(one, response)
    })
  }
  const server = tls === null ? http.createServer(listener) : https.createServer(tls, listener)
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host = `127.0.0.1:${port}`
  const origin = `${tls === null ? 'http' : 'https'}://${host}`
  return { origin, host, port, received, connections: () => connections }
}

export function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
