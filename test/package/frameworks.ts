// A program of someone who has installed the package and a framework: each adapter is type-checked
// against what is shipped and against the framework, and lets what is allowed run, once.
import { Agent, Runner, setTracingDisabled, tool as agentTool } from '@openai/agents-core'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing'
import { tool as threadTool } from '@langchain/core/tools'
import { generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createAgent, FakeToolCallingModel, HumanMessage } from 'langchain'
import { governTools } from 'warrant-runtime/ai-sdk'
import { warrantMiddleware } from 'warrant-runtime/langchain'
import { governed, plainTool } from 'warrant-runtime/openai'
import { governAgents } from 'warrant-runtime/openai-agents'
import { inMemory } from 'warrant-runtime/testing'
import { z } from 'zod'

setTracingDisabled(true)
const argsSchema = { type: 'object', properties: { by: { type: 'string' } } }
const catalog = {
  principals: [{ id: 'agent' }],
  capabilities: [{ id: 'look', safetyClass: 'READ' as const, argsSchema }],
}
const memory = await inMemory({ catalog })
const warrant = memory.client
const ran: string[] = []
const schema = z.object({ by: z.string() })
const look = ({ by }: { by: string }): string => {
  ran.push(by)
  return `looked by ${by}`
}

const written = JSON.stringify({ by: 'plain' })
const plain = plainTool({ parameters: {}, parse: (given) => schema.parse(given), run: look })
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: written } }
await governed(warrant, { look: plain }, { session: 'plain' }).answer([call])

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const input = JSON.stringify({ by: 'ai' })
const model = new MockLanguageModelV3({
  doGenerate: [
    {
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
  ],
})
const tools = { look: tool({ inputSchema: schema, execute: look }) }
const desk = governTools(warrant, tools, { session: 'ai' })
const { toolApproval } = desk
await generateText({
  model,
  tools: desk.tools,
  toolApproval,
  prompt: 'look',
  stopWhen: stepCountIs(1),
})

const agents = governAgents(warrant, { session: 'agents' })
const parameters = schema
const lookTool = agentTool(
  agents.governed({ name: 'look', description: 'look', parameters, execute: look }),
)
const scripted = new ScriptedModel([
  [functionCall('look', { by: 'agents' }, { callId: 'c1' })],
  [assistantMessage('done')],
])
const agent = new Agent({ name: 'agent', model: scripted, tools: [lookTool] })
await new Runner().run(agent, 'look')

const thread = createAgent({
  model: new FakeToolCallingModel({
    toolCalls: [[{ name: 'look', args: { by: 'thread' }, id: 'c1' }], []],
  }),
  tools: [threadTool(look, { name: 'look', description: 'look', schema })],
  middleware: [warrantMiddleware(warrant)],
})
const messages = [new HumanMessage('look')]
await thread.invoke({ messages }, { configurable: { thread_id: 'thread' } })

await memory.stop()
if (ran.join(' ') !== 'plain ai agents thread') throw new Error(`ran: ${ran.join(' ')}`)
process.stdout.write('each framework ran its tool\n')
