// The fixture as a program: `fixture-server.mjs FILE` serves pipes and writes a line into the file
// for each call; with `--http` it serves HTTP and prints where.
import { createAdaptorServer } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { fixtureServer } from './fixture-tools.mjs'

const [given] = process.argv.slice(2)
const isHttp = given === '--http'
const made = () => fixtureServer(isHttp ? undefined : given)

if (isHttp) {
  const server = createAdaptorServer({ fetch: createMcpHandler(made).fetch })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`)
  })
} else if (process.env['FIXTURE_ERA'] === '2025') {
  await made().connect(new StdioServerTransport())
} else serveStdio(made)
