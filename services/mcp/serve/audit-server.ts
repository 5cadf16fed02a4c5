// The server that an auditor's client sees: its tools and resources, all of which only read, and
// how a model has to take what they answer.
import { McpServer } from '@modelcontextprotocol/server'
import type { AskedLog } from './asked-log.ts'
import { askedTools } from './asked-tools.ts'
import { countIntents } from './count-tools.ts'
import { explainRequest } from './explain-tool.ts'
import { findFacts, openIntents } from './find-tools.ts'
import { showConcepts } from './graph-tools.ts'
import { replayIntent, traceIntent } from './intent-tools.ts'
import { addResources } from './resources.ts'
import { untrustedNotice } from './untrusted.ts'
import { whatIfChanged } from './what-if-tool.ts'

const tools = [
  findFacts,
  openIntents,
  traceIntent,
  countIntents,
  explainRequest,
  showConcepts,
  whatIfChanged,
  replayIntent,
  ...askedTools,
]

const instructions = [
  'This server answers questions about the log of a Warrant: what agents asked for, what was',
  'decided and why, who approved, and what came of it. It only reads: it can approve, deny and',
  'change nothing.',
  untrustedNotice,
  'What is sensitive stands there as [REDACTED].',
  'Report figures with the position that they are of.',
].join(' ')

/** A server for one client, or for one request. */
export function auditServer(asked: AskedLog, version: string): McpServer {
  const server = new McpServer({ name: 'warrant', version }, { instructions })
  for (const tool of tools) tool.addTo(server, asked)
  addResources(server, asked)
  return server
}
