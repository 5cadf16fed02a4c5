// `mcp add` and `init --for mcp`: servers behind the proxy, their tools by a table that a person
// agrees to, and what changed since waits. A hint never makes milder what a name or a text says.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { byDescription } from '#cli/rules/catalog/tools/safety-class'
import { atTerminal, hasTerminals } from '../at-terminal.ts'
import { runChild } from '../../support/cli-process.ts'
import { environmentFor, run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { endWithTest } from '../../support/vitest/endings.ts'

const program = join(import.meta.dirname, '../../mcp/fixture-server.mjs')
const signing = ['--key', 'you', '--yes']

const Settings = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({ command: z.string(), args: z.array(z.string()), env: z.unknown().optional() }),
  ),
})

const Catalog = z.object({
  capabilities: z.array(z.looseObject({ id: z.string(), safetyClass: z.string().optional() })),
})

async function project() {
  const cwd = await temporaryFolder()
  const file = join(cwd, '.mcp.json')
  const server = { command: process.execPath, args: [program, join(cwd, 'runs')] }
  const read = async () => Settings.parse(JSON.parse(await readFile(file, 'utf8'))).mcpServers
  const tools = async () => {
    const text = await readFile(join(cwd, 'warrant/catalog.json'), 'utf8')
    return new Map(Catalog.parse(JSON.parse(text)).capabilities.map((one) => [one.id, one]))
  }
  return { cwd, file, server, words: [server.command, ...server.args], read, tools }
}

describe('a server', () => {
  test('is behind the proxy, has its tools called as they are classed, and comes out', async () => {
    const { cwd, words, read, tools } = await project()
    await run(['init'], { cwd })
    const adding = ['mcp', 'add', 'fix', '--class', 'send=WRITE', ...signing, '--', ...words]
    expect(await runChild(adding, { cwd })).toMatchObject({ code: 0 })
    expect((await tools()).get('send')).toMatchObject({ safetyClass: 'WRITE' })
    const { command = '', args = [] } = (await read())['fix'] ?? {}
    const set = Object.entries(environmentFor({ cwd }))
    const env = Object.fromEntries(set.flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))
    const client = new Client({ name: 'host', version: '1' })
    endWithTest(() => client.close())
    // The host starts it from wherever it is.
    const started = { command, args, cwd: '/', env, stderr: 'ignore' as const }
    await client.connect(new StdioClientTransport(started))
    const listed = (await client.listTools()).tools.map(({ name }) => name)
    expect(listed).toContain('send')
    const sent = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
    expect(JSON.stringify(sent)).toContain('approve')
    expect(await run(['mcp', 'remove', 'fix'], { cwd })).toMatchObject({ code: 0 })
    expect(await read()).toEqual({})
    expect(await run(['mcp', 'remove', 'fix'], { cwd })).toMatchObject({ code: 1 })
  })

  test('that changed waits until it is agreed to again', async () => {
    const { cwd, words, tools } = await project()
    await run(['init'], { cwd })
    const adding = ['mcp', 'add', 'fix', ...signing, '--', ...words]
    await runChild(adding, { cwd })
    const file = join(cwd, 'warrant/catalog.json')
    const [id = ''] = [...(await tools()).keys()].filter((one) => one !== 'send_email')
    const text = await readFile(file, 'utf8')
    const digest = JSON.stringify((await tools()).get(id)?.['imported'])
    const stale = digest.replace(/"digest":"sha256:..../, '"digest":"sha256:0000')
    const spaced = (one: string) => one.replaceAll('":', '": ').replaceAll(',"', ', "')
    const flat = text.replaceAll(/\n\s+/g, ' ')
    expect(spaced(stale)).not.toBe(spaced(digest))
    const Written = z.looseObject({ capabilities: z.array(z.looseObject({ id: z.string() })) })
    const catalog = Written.parse(JSON.parse(flat))
    const capabilities = catalog.capabilities.map((one) => {
      return one.id === id ? { ...one, imported: JSON.parse(stale) } : one
    })
    await writeFile(file, JSON.stringify({ ...catalog, capabilities }))
    expect(await run(['apply', 'warrant'], { cwd })).toMatchObject({ code: 0 })
    const unsigned = await runChild(['mcp', 'add', 'fix'], { cwd, isBare: true })
    expect(unsigned).toMatchObject({ code: 1, stderr: expect.stringContaining('no one can be') })
    const again = await runChild(['mcp', 'add', 'fix', ...signing], { cwd })
    expect(again.stdout).toContain(`${id}: `)
    expect(again.stdout).toContain('is not what was approved')
    expect(await run(['plan', 'warrant', '--check'], { cwd })).toMatchObject({ code: 0 })
    expect((await runChild(['mcp', 'add', 'fix'], { cwd, isBare: true })).code).toBe(0)
  })

  test.runIf(hasTerminals)(
    'is shown as a table by class, and nothing is kept of a no',
    async () => {
      const { cwd, file, server, tools } = await project()
      const before = JSON.stringify({ mcpServers: { fix: server } })
      await writeFile(file, before)
      await run(['init'], { cwd })
      const typed = [{ after: '[y/N] ', line: 'n' }]
      const seen = await atTerminal(['mcp', 'add', 'fix'], { cwd }, typed)
      expect(seen.code).not.toBe(0)
      expect(seen.screen).toContain('DESTRUCTIVE: destroys, pays, or no one says: role `admin`')
      expect([...(await tools()).keys()]).toEqual(['send_email'])
      expect(await readFile(file, 'utf8')).toBe(before)
    },
  )

  test('is the one that was meant, and no other', async () => {
    const { cwd, file, server, words } = await project()
    await writeFile(file, JSON.stringify({ mcpServers: { fix: server, web: { url: 'x' } } }))
    await run(['init'], { cwd })
    const add = (more: readonly string[]) => run(['mcp', 'add', ...more], { cwd })
    expect(await add(['other'])).toMatchObject({ code: 2 })
    expect(await add(['web'])).toMatchObject({ code: 2 })
    expect(await add(['fix', ...signing, '--', 'node', 'other.js'])).toMatchObject({ code: 1 })
    expect(await add(['fix', '--agent', 'no-one', '--', ...words])).toMatchObject({ code: 1 })
    await writeFile(file, '{"mcpServers": []}')
    expect(await add(['fix', '--', ...words])).toMatchObject({ code: 1 })
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers": []}')
  })
})

test('init puts all servers of the project behind, and says which are not', async () => {
  const { cwd, file, server, read } = await project()
  const web = { type: 'http', url: 'https://example.org/mcp' }
  const fix = { ...server, env: { TOKEN: 'x' } }
  await writeFile(file, JSON.stringify({ mcpServers: { fix, web } }))
  const made = await runChild(['init', '--for', 'mcp', ...signing], { cwd })
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('`web`') })
  expect(made.stdout).toContain('another class: the same command with --class')
  const settings = Settings.extend({ mcpServers: z.record(z.string(), z.unknown()) })
  const all = () => readFile(file, 'utf8').then((text) => settings.parse(JSON.parse(text)))
  expect((await all()).mcpServers['web']).toEqual(web)
  expect((await all()).mcpServers['fix']).toMatchObject({ env: { TOKEN: 'x' } })
  expect(await run(['init', '--for', 'mcp', '--undo'], { cwd })).toMatchObject({ code: 0 })
  expect((await all()).mcpServers).toEqual({ fix, web })
  await writeFile(file, '{"mcpServers": {}}')
  expect(await run(['init', '--for', 'mcp'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('warrant mcp add NAME -- COMMAND'),
  })
  expect(await read()).toEqual({})
})

test('VS Code has them under its own member, beside comments that stay', async () => {
  const { cwd, words } = await project()
  await run(['init'], { cwd })
  const adding = ['mcp', 'add', 'fix', '--for', 'vscode', ...signing, '--', ...words]
  expect(await runChild(adding, { cwd })).toMatchObject({ code: 0 })
  const file = join(cwd, '.vscode/mcp.json')
  const text = await readFile(file, 'utf8')
  expect(text).toContain('"type": "stdio"')
  await writeFile(file, `// mine\n${text}`)
  expect(await run(['mcp', 'remove', 'fix', '--for', 'vscode'], { cwd })).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toContain('// mine\n')
})

test.each([
  ['Deletes a record.', 'DESTRUCTIVE'],
  ['Shows a page, then removes it', 'DESTRUCTIVE'],
  ['Buys what is in the cart', 'DESTRUCTIVE'],
  ['Refunding an order', 'DESTRUCTIVE'],
  ['Looks it up and sends it to Ann', 'WRITE'],
  ['Submitting a form', 'WRITE'],
  ['Reads a file, with an error message where it cannot', null],
  ['Lists mails and posts', null],
])('the text %s speaks for %s', (text, safetyClass) => {
  expect(byDescription(text)?.safetyClass ?? null).toBe(safetyClass)
})
