// The proxy's own tools for contracts: there for those whom the catalog lets use them, in the name
// of the agent of the proxy, and behind what the server has of the same name.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { folderDigest } from '#gates/folder-digest'
import { connect } from '#client/connect'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { proxied } from './proxied.ts'

async function working(issuers: readonly string[] = ['grader'], capabilities = {}) {
  const folder = join(await temporaryFolder(), 'site')
  await mkdir(folder)
  await writeFile(join(folder, 'page.json'), '{}')
  const catalog = {
    rules: newestRules,
    principals: [{ id: 'grader' }],
    work: { issuers: [...issuers], workspaces: [{ id: 'site', folder }], probation: 0 },
  }
  const on = await proxied({ capabilities, catalog })
  if ('contract_claim' in capabilities) await writeFile(`${on.runs}.contracts`, '')
  return { ...on, folder, client: await on.connected('auto') }
}

const Answered = z.array(z.object({ text: z.string() })).min(1)

function jsonOf(content: unknown): unknown {
  return JSON.parse(textOf(content))
}

function textOf(content: unknown): string {
  return Answered.parse(content)[0]?.text ?? ''
}

const task = { taskId: 'T-1', objective: 'write the page', workspace: 'site' }

test('a worker sees its task, and claims what is in the workspace now', async () => {
  const on = await working()
  const names = (await on.client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(['contract_list', 'contract_claim'])
  const grader = await connect({ as: 'grader', runtime: on.runtime })
  const { address } = await grader.contract({ worker: 'bot', contract: task })
  await on.runtime.follower.reached((await on.log.head()).position)
  const { content } = await on.client.callTool({ name: 'contract_list', arguments: {} })
  expect(jsonOf(content)).toMatchObject({ contracts: [{ contract: address, task }] })
  const completion = { status: 'success' }
  const args = { contract: address, completion }
  const claimed = await on.client.callTool({ name: 'contract_claim', arguments: args })
  expect(jsonOf(claimed.content)).toMatchObject({ work: { digest: await folderDigest(on.folder) } })
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.contracts.get(address)?.pending).toHaveLength(1)
  expect(await on.ran()).toEqual([])
})

test('an issuer gives a task in its own name, and what would not count is refused', async () => {
  const on = await working(['bot'])
  const tools = (await on.client.listTools()).tools.map(({ name }) => name)
  expect(tools).toContain('contract_open')
  const opening = (worker: string) => ({ worker, contract: task })
  const { content } = await on.client.callTool({
    name: 'contract_open',
    arguments: opening('honest'),
  })
  const { contract } = z.object({ contract: z.string() }).parse(jsonOf(content))
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.contracts.get(contract)).toMatchObject({
    issuer: 'bot',
    worker: 'honest',
  })
  const own = await on.client.callTool({ name: 'contract_open', arguments: opening('bot') })
  expect(own.isError).toBe(true)
  expect(textOf(own.content)).toContain('contract_refused')
  const odd = await on.client.callTool({ name: 'contract_claim', arguments: { contract } })
  expect(textOf(odd.content)).toContain('message_invalid')
})

test('a tool of the server behind goes before one of the proxy of the same name', async () => {
  const on = await working(['grader'], { contract_claim: {} })
  const { tools } = await on.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['contract_claim', 'contract_list'])
  const { content } = await on.client.callTool({ name: 'contract_claim', arguments: {} })
  expect(textOf(content)).toBe('theirs')
})

test('without contracts in the catalog there are none of these tools', async () => {
  const on = await proxied({ capabilities: {} })
  const client = await on.connected('auto')
  expect((await client.listTools()).tools).toEqual([])
  const answer = await client.callTool({ name: 'contract_claim', arguments: {} })
  expect(answer.isError).toBe(true)
  expect(textOf(answer.content)).not.toContain('message_invalid')
})
