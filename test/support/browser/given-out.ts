// Files that a server gives out as they are, to a browser in a test.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { endWithTest } from '../vitest/endings.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The address of the folder they are in, with `/` at its end. */
export async function givenOut(files: ReadonlyMap<string, string | Uint8Array>): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const place = decodeURIComponent(url.replace(/[?#].*/, '')).replace(/^\/below\//, '')
    const content = files.get(place)
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': types[extname(place)] ?? 'text/plain',
    })
    response.end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endWithTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://127.0.0.1:${port}/below/`
}
