// Where clients come in: the pipes of this process for one of them, or HTTP on this machine for any
// number, with the library of MCP. It must answer no one who comes by another host or from a page.
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { messageBytesMax } from '#gateway/tools/line-buffer'
import { servedPipes, type PipeOptions, type Pipes, type PipeServing } from './client-pipes.ts'
import { serverOf, type Front } from './protocol.ts'
import { refusedRequest, strictLines } from './strict.ts'

/** Serves one client over pipes. */
export function overPipes(
  front: Front,
  { input, output }: Pipes,
  options: Omit<PipeOptions, 'answerMsMax'>,
): PipeServing {
  const pipes = { input: strictLines(input, output), output }
  return servedPipes(() => serverOf(front), pipes, {
    ...options,
    answerMsMax: () => front.answerMsMax(),
    bytesMax: messageBytesMax,
  })
}

export interface FrontOverHttp {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

const sessionsMax = 256

/** Serves any number of clients; one of 2025 has a session, one of 2026 needs none. */
export function overHttp(front: Front, onError: (error: Error) => void): FrontOverHttp {
  const modern = createMcpHandler(() => serverOf(front), { legacy: 'reject', onerror: onError })
  const silence = front.listen(({ method, params }) => {
    if (method === 'notifications/tools/list_changed') modern.notify.toolsChanged()
    if (method === 'notifications/prompts/list_changed') modern.notify.promptsChanged()
    if (method === 'notifications/resources/list_changed') modern.notify.resourcesChanged()
    const uri = params?.['uri']
    if (method === 'notifications/resources/updated' && typeof uri === 'string') {
      modern.notify.resourceUpdated(uri)
    }
  })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const inSession = async (request: Request): Promise<Response> => {
    const named = request.headers.get('mcp-session-id')
    const known = named === null ? undefined : sessions.get(named)
    if (known !== undefined) return known.handleRequest(request)
    if (named !== null) return refused(404, 'there is no such session')
    if (sessions.size >= sessionsMax) return refused(503, 'there are too many sessions')
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    const server = await serverOf(front)
    await server.connect(transport)
    return transport.handleRequest(request)
  }
  return {
    async fetch(request) {
      // A page in a browser of this machine must not reach it by another name.
      const foreign =
        hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins())
      if (foreign !== undefined) return foreign
      const unread = await refusedRequest(request)
      if (unread !== null) return unread
      const isLegacy = await isLegacyRequest(request.clone())
      return isLegacy ? inSession(request) : modern.fetch(request)
    },
    async close() {
      silence()
      await modern.close()
      await Promise.all([...sessions.values()].map((transport) => transport.close()))
    },
  }
}

function refused(status: number, message: string): Response {
  const error = { code: -32_000, message }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status })
}
