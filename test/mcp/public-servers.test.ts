// Public servers of MCP, each asked directly and behind the proxy by the official client: the same
// tools and the same answers, but for what is forbidden, which never reaches them, and what is
// redacted. Every difference that there is stands here.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ToolServer } from '#schemas/action/driver'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { hasMcpServers, publicServer } from '../support/servers/mcp-servers.ts'
import type { PublicServer } from '../support/servers/mcp-servers.ts'
import { isFull } from '../support/vitest/counts.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { outcomes, proxied, type Era } from './proxied.ts'

type Call = readonly [tool: string, args?: Record<string, unknown>]

interface Stand {
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  readonly era?: Era
  readonly driven?: boolean
  /** What the catalog says of tools beside what was imported; `null`: it does not have it. */
  readonly catalog?: Readonly<Record<string, object | null>>
}

/** Its tools imported as it lists them, by a person who takes all of them for harmless. */
async function both(name: PublicServer, stand: Stand = {}) {
  const { args = [], env = {}, era = 'auto', driven = false, catalog = {} } = stand
  const [command = '', ...words] = publicServer(name, ...args)
  const direct = new Client({ name: 'test', version: '1' })
  const PATH = process.env['PATH'] ?? ''
  await direct.connect(
    new StdioClientTransport({ command, args: words, env: { PATH, ...env }, stderr: 'ignore' }),
  )
  endWithTest(() => direct.close())
  const proposed = toolsOfMcp(await direct.listTools(), { acceptsHints: false }) ?? []
  const approved = proposed.flatMap(({ capability }) => {
    const more = catalog[capability.id]
    return more === null ? [] : [[capability.id, { ...capability, safetyClass: 'READ', ...more }]]
  })
  const server = ToolServer.parse({ id: name, command: [command, ...words], env })
  const capabilities: Readonly<Record<string, object>> = Object.fromEntries(approved)
  const on = await proxied({ capabilities, server, driven })
  return { direct, on, behind: await on.connected(era) }
}

let made = 0

/** Without random letters in its name, which would be redacted now and then as a token is. */
async function folder(): Promise<string> {
  made += 1
  const path = join(tmpdir(), `warrant-mcp-public-${process.pid}-${made}`)
  await mkdir(path)
  endWithTest(() => rm(path, { recursive: true }))
  return path
}

/** Each result of 2026 names its server, and none of these servers speaks that version. */
const infoKey = 'io.modelcontextprotocol/serverInfo'

/** What each call answers, one after the other. */
async function answers(client: Client, calls: readonly Call[]) {
  const all = []
  for (const [name, args = {}] of calls) {
    const { _meta = {}, ...answer } = await client.callTool({ name, arguments: args })
    const { [infoKey]: _, ...meta } = _meta
    all.push({ ...answer, ...(Object.keys(meta).length > 0 && { _meta: meta }) })
  }
  return all
}

const eras: readonly Era[] = isFull ? ['auto', 'legacy'] : ['auto']

describe.runIf(hasMcpServers)('the tools of a public server', () => {
  test.each(
    eras.flatMap((era) => [
      { name: 'everything' as const, era },
      { name: 'filesystem' as const, era },
      { name: 'memory' as const, era },
    ]),
  )('are listed as they are: $name, $era', async ({ name, era }) => {
    const place = await folder()
    const args = name === 'filesystem' ? [place] : []
    const env = { MEMORY_FILE_PATH: join(place, 'memory') }
    const { direct, behind } = await both(name, { args, env, era })
    const { tools } = await direct.listTools()
    expect(tools.length).toBeGreaterThan(8)
    // Whether a tool knows tasks, as they were before 2026.
    const listed = tools.map(({ execution, ...tool }) => {
      return { ...tool, ...(era === 'legacy' && execution && { execution }) }
    })
    expect((await behind.listTools()).tools).toEqual(listed)
  })
})

describe.runIf(hasMcpServers)('the server of everything', () => {
  const calls: readonly Call[] = [
    ['echo', { message: 'hello' }],
    ['get-sum', { a: 2, b: 40 }],
    ['get-tiny-image'],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 3 }],
    ['trigger-long-running-operation', { duration: 0.05, steps: 2 }],
    // What it answers with an error.
    ['get-resource-reference', { resourceType: 'Text', resourceId: -1 }],
  ]

  test.each(eras)('answers the same: %s', async (era) => {
    const { direct, behind, on } = await both('everything', { era })
    expect(await answers(behind, calls)).toEqual(await answers(direct, calls))
    expect((await outcomes(on)).length).toBe(calls.length)
  })

  test('answers the same where a gateway carries its tools out', async () => {
    const { direct, behind, on } = await both('everything', { driven: true })
    expect(await answers(behind, calls)).toEqual(await answers(direct, calls))
    expect((await outcomes(on)).every((one) => one.startsWith('outcome '))).toBe(true)
  })

  test('answers as it is where there is nothing to call', async () => {
    const { direct, behind } = await both('everything', { era: 'legacy' })
    const seen = async (client: Client) => ({
      instructions: client.getInstructions(),
      resources: await client.listResources(),
      templates: await client.listResourceTemplates(),
      prompts: await client.listPrompts(),
      prompt: await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } }),
    })
    expect(await seen(behind)).toEqual(await seen(direct))
  })

  test('is not called with arguments that its schema does not have, nor with wrong ones', async () => {
    const { direct, behind, on } = await both('everything')
    const odd: readonly Call[] = [['echo', { message: 'hello', also: 'to eve' }]]
    // It passes over what it does not know.
    expect((await answers(direct, odd))[0]?.isError).not.toBe(true)
    expect((await answers(behind, odd))[0]?._meta).toMatchObject({
      authorization: { remediationHints: [{ code: 'invalid_arguments' }] },
    })
    const [wrong] = await answers(behind, [['get-sum', { a: 'two', b: 2 }]])
    expect(wrong?.isError).toBe(true)
    expect(await outcomes(on)).toEqual([])
  })

  test('has what it answers redacted', async () => {
    const { direct, behind } = await both('everything')
    const said: readonly Call[] = [['echo', { message: 'card 4111 1111 1111 1111' }]]
    expect(JSON.stringify(await answers(direct, said))).toContain('4111')
    const seen = JSON.stringify(await answers(behind, said))
    expect(seen).toContain('Echo: card [REDACTED]')
    expect(seen).not.toContain('4111')
  })
})

describe.runIf(hasMcpServers)('the server of files', () => {
  async function files(): Promise<string> {
    const root = await folder()
    await mkdir(join(root, 'mine'))
    await mkdir(join(root, 'other'))
    await writeFile(join(root, 'mine', 'a.txt'), 'one\ntwo\nthree\n')
    await writeFile(join(root, 'mine', 'card.txt'), 'card 4111 1111 1111 1111\n')
    return root
  }

  /** Only what is in one folder may be written, whatever the server itself would write. */
  const within = (root: string) => ({
    conditions: [
      {
        name: 'mine',
        effect: 'require' as const,
        when: `args.path.startsWith("${root}/mine/") && !args.path.contains("..")`,
      },
    ],
  })

  test.each(eras)('reads and writes the same: %s', async (era) => {
    const root = await files()
    const mine = join(root, 'mine')
    const path = join(mine, 'a.txt')
    const edits = [{ oldText: 'two', newText: '2' }]
    const calls: readonly Call[] = [
      ['list_allowed_directories'],
      ['read_text_file', { path, head: 2 }],
      ['read_multiple_files', { paths: [path, join(mine, 'none')] }],
      ['search_files', { path: root, pattern: '**/*.txt' }],
      ['directory_tree', { path: root }],
      ['write_file', { path: join(mine, 'b.txt'), content: 'new\n' }],
      ['edit_file', { path, edits }],
      ['move_file', { source: join(mine, 'b.txt'), destination: join(mine, 'c.txt') }],
      ['list_directory', { path: mine }],
      ['read_text_file', { path: join(root, '..', 'passwd') }],
    ]
    const { direct, behind } = await both('filesystem', { args: [root], era })
    const first = await answers(direct, calls)
    const left = await readFile(path, 'utf8')
    await rm(join(mine, 'c.txt'))
    await writeFile(path, 'one\ntwo\nthree\n')
    expect(await answers(behind, calls)).toEqual(first)
    expect(await readFile(path, 'utf8')).toBe(left)
    expect(await readdir(mine)).toEqual(['a.txt', 'c.txt', 'card.txt'])
  })

  test.each([false, true])('never gets a call that is forbidden; driven: %s', async (driven) => {
    const root = await files()
    const catalog = { write_file: within(root), edit_file: null }
    const { direct, behind, on } = await both('filesystem', { args: [root], driven, catalog })
    const writing = (client: Client, ...path: readonly string[]) => {
      const args = { path: [root, ...path].join('/'), content: 'x' }
      return client.callTool({ name: 'write_file', arguments: args })
    }
    for (const path of [
      ['other', 'b'],
      ['mine', '..', 'other', 'b'],
      ['mine', 'a', '..', 'b'],
    ]) {
      expect((await writing(behind, ...path)).isError).toBe(true)
    }
    const edits = [{ oldText: 'one', newText: '1' }]
    const args = { path: join(root, 'mine', 'a.txt'), edits }
    const unknown = await behind.callTool({ name: 'edit_file', arguments: args })
    expect(unknown.isError).toBe(true)
    expect(await readdir(join(root, 'other'))).toEqual([])
    expect(await readFile(args.path, 'utf8')).toContain('one')
    expect(await outcomes(on)).toEqual([])
    // It would have done it, and what is allowed is done.
    await writing(direct, 'other', 'b')
    expect(await readdir(join(root, 'other'))).toEqual(['b'])
    expect((await writing(behind, 'mine', 'b')).isError).not.toBe(true)
    expect(await readFile(join(root, 'mine', 'b'), 'utf8')).toBe('x')
  })

  test('has what it reads redacted, in the form that it declares', async () => {
    const root = await files()
    const { direct, behind } = await both('filesystem', { args: [root] })
    const read: Call = ['read_text_file', { path: join(root, 'mine', 'card.txt') }]
    const [plain] = await answers(direct, [read])
    expect(plain?.structuredContent).toEqual({ content: 'card 4111 1111 1111 1111\n' })
    const [seen] = await answers(behind, [read])
    expect(seen?.structuredContent).toEqual({ content: 'card [REDACTED]\n' })
    expect(seen?.content).toEqual([{ type: 'text', text: 'card [REDACTED]\n' }])
    expect(seen?._meta).toHaveProperty('warrant/withheld')
  })
})

describe.runIf(hasMcpServers)('the server of memory', () => {
  const entities = (...names: readonly string[]) => ({
    entities: names.map((name) => ({ name, entityType: 'person', observations: ['likes tea'] })),
  })

  test.each(eras)('remembers and forgets the same: %s', async (era) => {
    const MEMORY_FILE_PATH = join(await folder(), 'memory')
    const relations = [{ from: 'ann', to: 'bob', relationType: 'knows' }]
    const calls: readonly Call[] = [
      ['create_entities', entities('ann', 'bob')],
      ['create_relations', { relations }],
      ['add_observations', { observations: [{ entityName: 'ann', contents: ['plays chess'] }] }],
      ['add_observations', { observations: [{ entityName: 'eve', contents: ['x'] }] }],
      ['search_nodes', { query: 'chess' }],
      ['open_nodes', { names: ['bob'] }],
      ['delete_entities', { entityNames: ['bob'] }],
      ['read_graph'],
    ]
    const { direct, behind } = await both('memory', { env: { MEMORY_FILE_PATH }, era })
    const first = await answers(direct, calls)
    const left = await readFile(MEMORY_FILE_PATH, 'utf8')
    await rm(MEMORY_FILE_PATH)
    expect(await answers(behind, calls)).toEqual(first)
    expect(await readFile(MEMORY_FILE_PATH, 'utf8')).toBe(left)
  })

  test('has no entity that was forbidden, and shows none unredacted', async () => {
    const MEMORY_FILE_PATH = join(await folder(), 'memory')
    const no = { name: 'no', effect: 'deny' as const, when: 'args.entities.size() > 1' }
    const catalog = { create_entities: { conditions: [no] } }
    const { direct, behind } = await both('memory', { env: { MEMORY_FILE_PATH }, catalog })
    const [denied] = await answers(behind, [['create_entities', entities('ann', 'bob')]])
    expect(denied?.isError).toBe(true)
    const [empty] = await answers(direct, [['read_graph']])
    expect(empty?.structuredContent).toEqual({ entities: [], relations: [] })
    await answers(behind, [['create_entities', entities('eve 4111 1111 1111 1111')]])
    const [graph] = await answers(direct, [['read_graph']])
    expect(JSON.stringify(graph)).toContain('4111')
    const [seen] = await answers(behind, [['read_graph']])
    expect(seen?.structuredContent).toMatchObject({ entities: [{ name: 'eve [REDACTED]' }] })
    expect(JSON.stringify(seen)).not.toContain('4111')
  })
})
