// A client by the first version of the official library, on which most hosts are built.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export async function olderClient(fetch) {
  const client = new Client({ name: 'older', version: '1' })
  const address = new URL('http://127.0.0.1/mcp')
  await client.connect(new StreamableHTTPClientTransport(address, { fetch }))
  return client
}
