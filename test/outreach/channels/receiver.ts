// A real server on loopback that takes posts, and answers as a test says.
import http, { type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { canary, type Answers } from './channel-conformance.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

export interface ReceivedPost {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Receiver {
  readonly host: string
  readonly origin: string
  readonly received: ReceivedPost[]
  /** What it answers from now on. */
  answer(status: number | null, headers?: Readonly<Record<string, string>>): void
}

const statuses = { taken: 201, busy: 503, refused: 400, silent: null } as const

export async function receiver(answers: Answers = 'taken'): Promise<Receiver> {
  const received: ReceivedPost[] = []
  let status: number | null = statuses[answers]
  let headers: Readonly<Record<string, string>> = {}
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      })
      if (status === null) return
      response.writeHead(status, { ...headers })
      response.end(`no: ${canary}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endWithTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    host,
    origin: `http://${host}`,
    received,
    answer(next, more = {}) {
      status = next
      headers = more
    },
  }
}
