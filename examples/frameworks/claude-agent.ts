// One turn of the Claude Agent SDK with a tool of one's own. Where it ends with a call that waits,
// give that to the next, in whichever process: it waits for people, and the session goes on.
import {
  createSdkMcpServer,
  query,
  tool,
  type Options,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk'
import type { Warrant } from 'warrant-runtime'
import { governClaude, reasonShape, type DeferredCall } from 'warrant-runtime/claude-agent'
import { z } from 'zod'

const args = reasonShape('send_email', { to: z.string() }, 'reason')
const sendEmail = tool('send_email', 'send an email', args, ({ to }) =>
  Promise.resolve({ content: [{ type: 'text', text: `sent to ${to}` }] }),
)

export async function turn(
  warrant: Warrant,
  prompt: string,
  session: string, // a UUID, which is the session's own id
  waiting: DeferredCall | null,
  more: Options = {},
) {
  const capabilities = { mcp__desk__send_email: 'send_email' }
  const desk = governClaude(warrant, { session, capabilities, reasonArgument: 'reason' })
  if (waiting !== null) await desk.decided(waiting) // waits for people
  const id = waiting === null ? { sessionId: session } : { resume: session }
  const mcpServers = { desk: createSdkMcpServer({ name: 'desk', tools: [sendEmail] }) }

  let last: { text: string; waiting: DeferredCall | null } = { text: '', waiting: null }
  // Input that stays open: a session that is resumed first waits for its server of tools.
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  async function* said(): AsyncGenerator<SDKUserMessage> {
    yield { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null }
    await ended
  }
  const options = { ...more, ...id, mcpServers, ...desk.options }
  for await (const message of query({ prompt: said(), options })) {
    if (message.type !== 'result') continue
    if (message.terminal_reason === 'tool_deferred_unavailable') continue
    end()
    if (message.subtype !== 'success') continue
    last = { text: message.result, waiting: message.deferred_tool_use ?? null }
  }
  return last
}
