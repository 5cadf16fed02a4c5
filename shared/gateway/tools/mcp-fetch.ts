// Requests to a server of tools over HTTP, for a library that asks for a `fetch`: judged, dialled
// and bounded as those of the HTTP driver. It must never send anything to another origin.
import { ToolFailure } from '#rules/drivers/tool-failure'
import { filledText, headerPart } from '#rules/drivers/filling'
import type { HttpToolServer } from '#schemas/action/driver'
import { bodyChunks } from './answer.ts'
import type { Exchanges } from '#system/egress/exchange'
import { messageBytesMax } from './line-buffer.ts'
import type { GuardedFetch } from './mcp-library.ts'
import type { Secrets } from './secrets.ts'

const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export function guardedFetch(
  server: HttpToolServer,
  { sending, secrets }: { readonly sending: Exchanges; readonly secrets: Secrets },
): GuardedFetch {
  const { origin } = new URL(server.url)
  return async (input, init = {}) => {
    const url = new URL(String(input))
    if (url.origin !== origin) throw new ToolFailure('url_blocked', 'no', { reason: 'host' })
    const headers = new Headers(init.headers)
    for (const [name, template] of Object.entries(server.headers ?? {})) {
      headers.set(name, await secrets.filled(filledText(template, {}, headerPart)))
    }
    headers.set('accept-encoding', 'identity')
    const signal = init.signal ?? new AbortController().signal
    const answer = await sending.send({
      method: init.method ?? 'GET',
      url: url.href,
      headers: Object.fromEntries(headers),
      body: typeof init.body === 'string' ? init.body : null,
      privateHosts: server.privateHosts ?? [],
      signal,
      mayShare: false,
    })
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw new ToolFailure('redirected', 'unknown', { status })
    }
    const fields = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] => {
      return typeof value === 'string' ? [[name, value]] : []
    })
    if (bodiless.has(status)) {
      answer.destroy()
      return new Response(null, { status, headers: fields })
    }
    return new Response(bounded(bodyChunks(answer, { signal })), { status, headers: fields })
  }
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > messageBytesMax) throw new ToolFailure('result_too_large', 'unknown')
    yield chunk
  }
}
