// `warrant mcp` as the host of an agent starts it: by the steps of its page, a process that speaks
// MCP over its pipes, with the official client, and people who answer from the command line.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { commandOf } from '../../../support/cli-process.ts'
import { environmentFor, run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'
import { intentIn, type Era } from '../../../mcp/proxied.ts'

const program = join(import.meta.dirname, '../../../mcp/fixture-server.mjs')

let cwd = ''
const behind = () => ['--', process.execPath, program, join(cwd, 'runs')]

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
  const tools = await run(['mcp', 'tools', ...behind()], { cwd })
  await writeFile(join(cwd, 'tools.json'), tools.stdout)
  const classes = ['test_simple_text=READ', 'send=WRITE'].flatMap((one) => ['--class', one])
  const importing = ['catalog', 'import', 'tools.json', '--into', 'warrant', ...classes]
  expect(await run(importing, { cwd })).toMatchObject({ code: 0 })
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
})

async function host(era: Era, more: readonly string[] = []): Promise<Client> {
  const [command = '', ...args] = commandOf(['mcp', '--as', 'my-agent', ...more, ...behind()])
  const set = Object.entries(environmentFor({ cwd }))
  const env = Object.fromEntries(set.flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))
  const client = new Client(
    { name: 'host', version: '1' },
    { versionNegotiation: { mode: era, probe: { timeoutMs: 20_000 } } },
  )
  endWithTest(() => client.close())
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: 'ignore' }))
  return client
}

describe.each(['auto', 'legacy'] as const)('a host that starts it, %s', (era) => {
  test('has its tools called once they are allowed, and people asked by the command line', async () => {
    const client = await host(era)
    expect(client.getProtocolEra()).toBe(era === 'auto' ? 'modern' : 'legacy')
    const read = await client.callTool({ name: 'test_simple_text', arguments: {} })
    expect(read.isError).not.toBe(true)
    const call = () => client.callTool({ name: 'send', arguments: { to: era } })
    const first = await call()
    expect(first.isError).toBe(true)
    const approved = ['approve', intentIn(first), '--note', 'Ann asked for it yesterday']
    expect(await run(approved, { cwd })).toMatchObject({ code: 0 })
    expect((await call()).content).toEqual([{ type: 'text', text: `sent to ${era}` }])
  })
})

test('lists as many tools as were asked for, by the goal that it was started with', async () => {
  const client = await host('auto', ['--shortlist', '1', '--goal', 'test a simple text'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['test_simple_text'])
})

test.each([
  ['--goal', 'x'],
  ['--shortlist', '21'],
  ['--shortlist', '0'],
  ['--listen', '0.0.0.0:7718'],
  ['--review-url', 'file:///x'],
])('is not started with what cannot be meant: %s %s', async (...more) => {
  const { code, stdout } = await run(['mcp', '--as', 'my-agent', ...more, ...behind()], { cwd })
  expect([code, stdout]).toEqual([2, ''])
})
