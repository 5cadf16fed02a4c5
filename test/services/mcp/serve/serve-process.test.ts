// `warrant mcp serve` as an auditor's host starts it: a child process on a log in a file, and a
// server on this machine.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commandOf, environmentFor, run, says, start } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { answerTo } from './auditing.ts'

const Verified = z.object({ head: z.string() })

function asking(to: string): readonly string[] {
  const why = ['--justification', 'An invoice was asked for']
  return ['ask', 'send_email', '--arg', `to=${to}@example.org`, ...why]
}

async function begun() {
  const cwd = await temporaryFolder()
  const warrant = (...args: readonly string[]) => run(args, { cwd })
  await warrant('init')
  await warrant(...asking('ann'))
  const headOf = async () => {
    const { stdout } = await warrant('replay', '--json')
    return Verified.parse(JSON.parse(stdout)).head
  }
  return { cwd, warrant, headOf }
}

test('over pipes, in both versions, it answers as the commands do and leaves the log', async () => {
  const { cwd, warrant, headOf } = await begun()
  const head = await headOf()
  for (const mode of ['auto', 'legacy'] as const) {
    const [command = '', ...args] = commandOf(['mcp', 'serve'])
    const env = z.record(z.string(), z.string()).parse(environmentFor({ cwd }))
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' }))
    const counts = await answerTo(client, 'count_intents')
    const { stdout } = await warrant('stats', '--json')
    expect(counts.data).toMatchObject({ recorded: { tools: JSON.parse(stdout).tools } })
    const found = await answerTo(client, 'find_facts', { name: 'verdict.>', limit: 1 })
    expect(found.data).toMatchObject({ recorded: { facts: [{ kind: 'verdict' }] } })
    // What is appended while it runs is answered too.
    await warrant(...asking(`bea-${mode}`))
    const grown = await answerTo(client, 'count_intents')
    expect(grown.data).not.toEqual(counts.data)
    await client.close()
  }
  expect(await headOf()).not.toBe(head)
  expect((await warrant('replay')).code).toBe(0)
})

test('over HTTP it takes the token of someone who may read', async () => {
  const { cwd, warrant } = await begun()
  const elsewhere = await warrant('mcp', 'serve', '--listen', '0.0.0.0:0')
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('this machine')])
  const agent = await warrant('tokens', 'create', 'my-agent', '--door', 'audit')
  expect(agent.stderr).toContain('via=audit')
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
  expect((await answerTo(client, 'open_intents')).data).toMatchObject({ open: 0 })
  await client.close()
  child.kill('SIGTERM')
})
