// What an agent sees of the MCP proxy: its tools with their schemas, those for contracts among
// them, and what a call comes to that is allowed, denied, or waits for people.
import { newestRules } from '#rules/catalog/rules-version'
import { proxied } from '../../mcp/proxied.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { withoutChance } from '../chance.ts'
import { block, jsonText, type Subject } from '../subject.ts'

const write = { safetyClass: 'WRITE' as const }
const moment = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z| UTC)/g

async function record(): Promise<ReadonlyMap<string, string>> {
  const work = {
    issuers: ['bot'],
    workspaces: [{ id: 'site', folder: await temporaryFolder() }],
    probation: 0,
  }
  const capabilities = { send: write, leak: {}, test_simple_text: {}, row: { suspended: true } }
  const on = await proxied({ capabilities, catalog: { rules: newestRules, work } })
  const client = await on.connected('auto')
  const { tools } = await client.listTools()
  let text = ''
  for (const [name, args] of [
    ['test_simple_text', {}],
    ['leak', {}],
    ['send', { to: 'ann' }],
    ['row', {}],
    ['unknown', {}],
    ['contract_list', {}],
    ['contract_open', { worker: 'unknown', contract: { taskId: 'T', objective: 'o' } }],
    ['contract_claim', { contract: 'none', completion: { status: 'success' } }],
  ] as const) {
    const answer = await client.callTool({ name, arguments: args }).catch(String)
    text += block(`${name} ${JSON.stringify(args)}`, jsonText(answer))
  }
  return new Map([
    ['tools.txt', jsonText({ tools })],
    ['calls.txt', withoutChance(text.replaceAll(moment, '<moment>'))],
  ])
}

export const proxyTools: Subject = { folder: 'ours/proxy-tools', record }
