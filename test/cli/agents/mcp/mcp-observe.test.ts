// `warrant mcp --observe` as the host of an agent starts it: calls go through with a log and
// without one, and the person reads what of them would have been stopped.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { missedCalls } from '#health/missed-calls'
import { commandOf } from '../../../support/cli-process.ts'
import { environmentFor, keysOf, run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'
import { until } from '../../../mcp/proxied.ts'

const program = join(import.meta.dirname, '../../../mcp/fixture-server.mjs')

let cwd = ''
const behind = () => ['--', process.execPath, program, join(cwd, 'runs')]

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await run(['init', '--tool', 'test_simple_text'], { cwd })).toMatchObject({ code: 0 })
})

async function host(more: readonly string[] = []) {
  const words = ['mcp', '--observe', '--as', 'my-agent', ...more, ...behind()]
  const [command = '', ...args] = commandOf(words)
  const set = Object.entries(environmentFor({ cwd }))
  const env = Object.fromEntries(set.flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))
  const mode = { mode: 'auto', probe: { timeoutMs: 20_000 } } as const
  const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: mode })
  endWithTest(() => client.close())
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  await client.connect(transport)
  return { client, said: () => said }
}

test('what would be denied goes through, and is counted for the person', async () => {
  const { client, said } = await host()
  await until(async () => said().includes('NOTHING IS ENFORCED'))
  const sent = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
  expect(sent.content).toEqual([{ type: 'text', text: 'sent to ann' }])
  await until(async () => {
    const { stdout } = await run(['stats', '--observed', '--json'], { cwd })
    return JSON.parse(stdout).deny === 1
  })
  expect((await run(['stats', '--observed'], { cwd })).stdout).toMatch(
    /send +deny +unknown_capability +1/,
  )
})

test('without a log calls go through, and each is counted as missed', async () => {
  const { client, said } = await host(['--log', 'nowhere/log.db'])
  const sent = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
  expect(sent.content).toEqual([{ type: 'text', text: 'sent to ann' }])
  await until(async () => said().includes('not recorded (1 so far)'))
  const missed = missedCalls(join(keysOf(cwd), 'missed-calls.ndjson'))
  expect(missed).toMatchObject({ last: { door: 'mcp', why: expect.stringContaining('log') } })
})

test.each([
  ['--wait', '5'],
  ['--review-url', 'https://x.example/{intent}'],
  ['--shortlist', '2'],
  ['--evidence-as', 'tool'],
])('takes nothing that asks, hides or publishes: %s', async (...more) => {
  const words = ['mcp', '--observe', '--as', 'my-agent', ...more, ...behind()]
  const { code, stderr } = await run(words, { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining(more[0])])
})
