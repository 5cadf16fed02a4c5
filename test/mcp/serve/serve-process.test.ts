// `warrant mcp serve` as an auditor's host starts it: a child process on a log in a file, and a
// server on this machine.
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commandOf, says, start } from '../../support/cli-process.ts'
import { environmentFor, run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { answerTo } from './auditing.ts'

function asking(to: string): readonly string[] {
  const why = ['--justification', 'An invoice was asked for']
  return ['ask', 'send_email', '--arg', `to=${to}@example.org`, ...why]
}

async function begun() {
  const cwd = await temporaryFolder()
  const warrant = (...args: readonly string[]) => run(args, { cwd })
  await warrant('init')
  return { cwd, warrant }
}

for (const mode of ['auto', 'legacy'] as const) {
  test(`over pipes (${mode}) it answers as the commands do, and of what is appended`, async () => {
    const { cwd, warrant } = await begun()
    const [command = '', ...args] = commandOf(['mcp', 'serve'])
    const env = z.record(z.string(), z.string()).parse(environmentFor({ cwd }))
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' }))
    expect((await answerTo(client, 'count_intents')).data).toMatchObject({
      recorded: { all: { intents: 0 } },
    })
    await warrant(...asking('ann'))
    const counts = await answerTo(client, 'count_intents')
    const stats = Stats.parse(JSON.parse((await warrant('stats', '--json')).stdout))
    expect(stats.tools).toHaveLength(1)
    expect(counts.data).toMatchObject({ recorded: { tools: stats.tools } })
    await client.close()
  })
}

test('over pipes it ends when it is asked to, though its host keeps them open', async () => {
  const { cwd } = await begun()
  const child = start(['mcp', 'serve'], { cwd })
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  const answered = says(child, 'stdout', 'serverInfo')
  child.stdin?.write(`${JSON.stringify(hello)}\n`)
  await answered
  child.kill('SIGTERM')
  await once(child, 'close')
  expect(child.stdin?.writableFinished).toBe(false)
})

const Stats = z.object({ tools: z.array(z.looseObject({ tool: z.string() })) })

test('over HTTP it takes the token of someone who may read', async () => {
  const { cwd, warrant } = await begun()
  const elsewhere = await warrant('mcp', 'serve', '--listen', '0.0.0.0:0')
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('this machine')])
  const agent = await warrant('tokens', 'create', 'my-agent', '--door', 'audit')
  expect(agent.stderr).toContain('"via": ["http","audit"]')
  const { stdout: token } = await warrant('tokens', 'create', 'you', '--door', 'audit')
  const child = start(['mcp', 'serve', '--listen', '0'], { cwd })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  await says(child, 'stderr', 'Ctrl-C')
  const url = new URL(/http:\S+\/mcp/.exec(said)?.[0] ?? '')
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token.trim()}` }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  expect((await answerTo(client, 'list_open_intents')).data).toMatchObject({
    recorded: { count: 0 },
  })
  await client.close()
  child.kill('SIGTERM')
})
