// A script that writes its requests into `warrant mcp` and ends its input at once: it gets each
// answer over the real pipes of the process, which then ends as it should.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runChild, says, start } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { endWithTest } from '../../../support/vitest/endings.ts'

const program = join(import.meta.dirname, '../../../mcp/fixture-server.mjs')
const clientInfo = { name: 'script', version: '1' }
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }

let cwd = ''
const proxy = (...more: readonly string[]) => {
  return ['mcp', '--as', 'my-agent', ...more, '--', process.execPath, program]
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await run(['init'], { cwd })).toMatchObject({ code: 0 })
  const tools = await run(['mcp', 'tools', '--', process.execPath, program], { cwd })
  await writeFile(join(cwd, 'tools.json'), tools.stdout)
  const read = ['test_simple_text=READ', 'slow=READ', 'send=WRITE']
  const classes = read.flatMap((one) => ['--class', one])
  const importing = ['catalog', 'import', 'tools.json', '--into', 'warrant', ...classes]
  expect(await run(importing, { cwd })).toMatchObject({ code: 0 })
  expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
})

function script(...calls: readonly (readonly [string, object])[]): string {
  const asked = calls.map(([name, args], at) => {
    return { id: at + 1, method: 'tools/call', params: { name, arguments: args } }
  })
  const opening = [
    { id: 0, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
  ]
  return [...opening, ...asked].map((one) => JSON.stringify({ jsonrpc: '2.0', ...one })).join('\n')
}

function answersIn(stdout: string): readonly string[] {
  const lines = stdout.trimEnd().split('\n')
  return lines.toSorted((one, other) => JSON.parse(one).id - JSON.parse(other).id)
}

test('the proxy answers what is allowed and what waits for people', async () => {
  const input = script(['test_simple_text', {}], ['send', { to: 'ann' }])
  const { code, stdout } = await runChild(proxy(), { cwd, input })
  const [about, read, sent, ...more] = answersIn(stdout)
  expect([code, more]).toEqual([0, []])
  expect(about).toContain('serverInfo')
  expect(read).toContain('This is a simple text response for testing.')
  expect(sent).toContain('warrant approve')
})

test('the proxy that only observes answers', async () => {
  const input = script(['send', { to: 'ann' }])
  const { code, stdout } = await runChild(proxy('--observe'), { cwd, input })
  expect([code, answersIn(stdout)[1]]).toEqual([0, expect.stringContaining('sent to ann')])
})

test('the server of auditors answers', async () => {
  const input = `${script(['count_intents', {}])}\n`
  const { code, stdout } = await runChild(['mcp', 'serve'], { cwd, input })
  expect([code, answersIn(stdout)[1]]).toEqual([0, expect.stringContaining('Count intents')])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it, whatever it still owes', async (signal) => {
  const child = start(proxy(), { cwd })
  endWithTest(() => void child.kill('SIGKILL'))
  const begun = says(child, 'stdout', 'serverInfo')
  child.stdin?.end(script(['slow', {}]))
  await begun
  child.kill(signal)
  expect(await once(child, 'close')).toEqual([0, null])
})
