// The MCP server of auditors on played logs: its tools with their schemas, and an answer of each.
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createToken, tokenBook } from '#serving/token-file'
import { askedLog } from '#mcp/serve/asked-log'
import { auditOverHttp } from '#mcp/serve/audit-serving'
import { stages } from '#workers/stages'
import { endWithTest } from '../../support/vitest/endings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { answerTo } from '../../mcp/serve/auditing.ts'
import { withoutChance } from '../chance.ts'
import { servedLog } from '../served.ts'
import { block, jsonText, type Subject } from '../subject.ts'

type Asked = readonly [tool: string, args?: object]

const asked: Readonly<Record<string, readonly Asked[]>> = {
  '0.2.0': [
    ['list_facts', { limit: 3 }],
    ['list_facts', { outcome: ['deny'], limit: 2, content: true }],
    ['list_facts', { outcome: ['maybe'] }],
    ['list_open_intents'],
    ['trace_intent', { intent: 'bot.-.G0018' }],
    ['trace_intent', { intent: 'bot.-.UNKNOWN' }],
    ['trace_intent'],
    ['count_intents'],
    ['explain_intent', { agent: 'bot', tool: 'look', args: {} }],
    ['explain_intent', { agent: 'unknown', tool: 'look', args: {} }],
    ['list_concepts', { around: 'file' }],
    ['list_concepts', { around: 'unknown' }],
    ['what_if', { catalog: [{ op: 'suspend', id: 'bot' }], intents: 3 }],
    ['replay_intent', { intent: 'bot.-.G0001' }],
    ['list_contracts'],
    ['list_standings'],
  ],
  '0.2.0-work': [
    ['list_contracts'],
    ['list_contracts', { state: 'ended', limit: 2 }],
    ['show_contract', { contract: 'grader.-.G0005' }],
    ['show_contract', { contract: 'grader.-.UNKNOWN' }],
    ['list_standings'],
    ['show_standing', { agent: 'bot' }],
  ],
}

async function auditorOn(log: string): Promise<Client> {
  const { runtime, time } = await servedLog(log, { root: ['audit'] })
  const on = askedLog({ runtime, rootKey: null, cells: null, stages })
  const file = join(await temporaryFolder(), 'tokens.ndjson')
  const { token } = await createToken(file, { principal: 'root', now: time.now, expiresAt: null })
  const rate = { perSecond: 10_000, burst: 10_000 }
  const served = auditOverHttp(on, { tokens: tokenBook(file), rate })
  const client = new Client({ name: 'surface', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (url, init) => {
      const request = new Request(url, init)
      request.headers.set('host', '127.0.0.1')
      return served.fetch(request)
    },
  })
  await client.connect(transport)
  endWithTest(async () => {
    await client.close()
    await served.close()
  })
  return client
}

async function record(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const [log, questions] of Object.entries(asked)) {
    const client = await auditorOn(log)
    if (!files.has('tools.txt')) {
      const { tools } = await client.listTools()
      const { resourceTemplates } = await client.listResourceTemplates()
      const { resources } = await client.listResources()
      const instructions = client.getInstructions() ?? null
      files.set('tools.txt', jsonText({ instructions, tools, resources, resourceTemplates }))
    }
    let text = ''
    for (const [tool, args] of questions) {
      const answer = await answerTo(client, tool, args).catch((error: unknown) => String(error))
      text += block(`${tool} ${JSON.stringify(args ?? {})}`, jsonText(answer))
    }
    files.set(`${log}.txt`, withoutChance(text))
  }
  return files
}

export const auditingTools: Subject = { folder: 'ours/auditing-tools', record }
