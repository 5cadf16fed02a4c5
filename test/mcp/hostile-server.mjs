// A server of tools that says what it likes: members of no version of MCP, words that only a proxy
// may say, secrets in every place. `hostile-server.mjs FILE` reads what it says from there.
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file = ''] = process.argv.slice(2)
const said = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
const lineOf = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

function answered(method, params) {
  const { answers = {}, tools = [] } = said()
  if (Object.hasOwn(answers, method)) return answers[method]
  if (method === 'initialize') {
    return {
      result: {
        protocolVersion: params.protocolVersion,
        serverInfo: { name: 'hostile', version: '1' },
        capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} },
      },
    }
  }
  if (method === 'tools/list') return { result: { tools } }
  return { error: { code: -32_601, message: 'not here' } }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const { _meta: { progressToken } = {} } = params
  const { unasked = [] } = method === 'tools/call' ? said() : {}
  const before = unasked.map(({ method: name, params: of }) => {
    const token = name === 'notifications/progress' ? { progressToken } : {}
    return lineOf({ method: name, params: { ...of, ...token } })
  })
  // All of it comes at once: none of it may be lost for that.
  process.stdout.write([...before, lineOf({ id, ...answered(method, params) })].join(''))
})
