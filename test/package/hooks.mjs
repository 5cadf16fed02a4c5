// Calls of a coding agent that are too long to be judged at once, at the HTTP server of the
// installed package: a thread of its own judges the one, and of too many values nothing is judged.
// It runs in a folder with the seeds of shell and hooks, where `coding-agent` may come by HTTP.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(process.cwd(), 'node_modules/warrant-runtime/dist/services/cli/main.js')
const token = execFileSync(process.execPath, [main, 'tokens', 'create', 'coding-agent'], {
  encoding: 'utf8',
}).trim()
const server = spawn(process.execPath, [main, 'up', 'http', '--listen', '0'])
let said = ''
const url = await new Promise((resolve, reject) => {
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      said += part
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  }
  server.once('close', () => reject(new Error(`the server ended: ${said}`)))
})

async function answerTo(toolInput) {
  const event = {
    session_id: 'long',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: toolInput,
    cwd: '/srv/project',
  }
  const response = await fetch(`${url}/v1/hooks/claude-code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  })
  return JSON.stringify(await response.json())
}

const long = await answerTo({ command: `ls ${'name-of-a-file '.repeat(200)}` })
const many = await answerTo({ command: 'ls', more: Array.from({ length: 25_000 }, () => 0) })
server.kill('SIGTERM')
await once(server, 'close')
if (!long.includes('"permissionDecision":"allow"')) throw new Error(`a long call: ${long}\n${said}`)
if (!many.includes('"permissionDecision":"deny"') || !many.includes('values')) {
  throw new Error(`a call of many values: ${many}`)
}
process.stdout.write('a long call of a coding agent is judged in a thread\n')
