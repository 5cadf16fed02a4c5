// A small server of tools by hand, so that it can misbehave: it answers the messages of MCP as of
// 2025-11-25, over pipes (`mcp-answers.mjs FILE [MODE]`) or for a test that serves it over HTTP.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const tool = (name) => ({ name, inputSchema: { type: 'object' } })
const pages = [
  ['echo', 'wipe'],
  ['slow', 'fail'],
  ['large', 'leak', 'rows', 'mixed', 'die'],
]

/** The answer to one message; null where there is not one. */
export function answerTo({ id, method, params }, { secret = '', ran = () => {}, mode = '' } = {}) {
  if (id === undefined) return null
  const result = (value) => ({ jsonrpc: '2.0', id, result: value })
  const error = (code, message) => ({ jsonrpc: '2.0', id, error: { code, message } })
  if (method === 'server/discover' && mode === 'silent') return null
  if (method === 'server/discover' && mode === 'nervous') process.exit(1)
  if (method === 'initialize') {
    const serverInfo = { name: 'by hand', version: '1' }
    return result({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') {
    const page = Number(params?.cursor ?? 0)
    const next = mode === 'endless' ? page + 1 : page + 1 < pages.length ? page + 1 : null
    const tools = (pages[page % pages.length] ?? []).map(tool)
    return result({ tools, ...(next === null ? {} : { nextCursor: String(next) }) })
  }
  if (method !== 'tools/call') return error(-32601, 'Method not found')
  ran(params.name)
  const { name, arguments: args } = params
  const text = (value, more = {}) => result({ content: [{ type: 'text', text: value }], ...more })
  switch (name) {
    case 'echo':
      return text('for people', { structuredContent: args })
    case 'slow':
      return null
    case 'fail':
      return text(`no: ${secret} `.repeat(40), { isError: true })
    case 'large':
      return text('x'.repeat(args.bytes))
    case 'leak':
      return text(JSON.stringify({ [secret]: encodeURIComponent(secret) }))
    case 'rows':
      return result({ content: [1, 2].map((row) => ({ type: 'text', text: `{"row":${row}}` })) })
    case 'mixed': {
      const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
      return result({ content: [{ type: 'text', text: 'a' }, image] })
    }
    case 'env':
      return text(JSON.stringify(process.env))
    case 'die':
      return process.exit(1)
    default:
      return error(-32602, `no tool ${name}, and the password is ${secret}`)
  }
}

if (process.argv[1]?.endsWith('mcp-answers.mjs')) {
  const [, , file, mode = ''] = process.argv
  appendFileSync(file, `started ${process.pid}\n`)
  process.stderr.write(`the password is ${process.env.SECRET}\n`.repeat(10_000))
  const ran = (name) => appendFileSync(file, `ran ${name}\n`)
  if (mode === 'stubborn') process.on('SIGTERM', () => {})
  if (mode === 'noisy') process.stdout.write('hello, I am a server\n')
  createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(JSON.parse(line), { secret: process.env.SECRET, ran, mode })
    if (answer !== null) process.stdout.write(`${JSON.stringify(answer)}\n`)
  })
  if (mode === 'stubborn') setInterval(() => {}, 1_000)
}
