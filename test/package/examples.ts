// The examples of frameworks, as they are in the package: each runs a turn with a model that
// follows a script, on a log of `init`, and its tool runs. A new example without a run here fails.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTracingDisabled } from '@openai/agents-core'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing'
import { MemorySaver } from '@langchain/langgraph'
import { MockLanguageModelV3 } from 'ai/test'
import { FakeToolCallingModel } from 'langchain'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { connect } from 'warrant-runtime'
import { turn } from '../../examples/frameworks/ai-sdk.js'
import { step } from '../../examples/frameworks/ai-sdk-5.js'
import { turn as claudeTurn } from '../../examples/frameworks/claude-agent.js'
import { answer as langchain } from '../../examples/frameworks/langchain.js'
import { work } from '../../examples/frameworks/ollama.js'
import { answer as openai } from '../../examples/frameworks/openai.js'
import { answer as agents } from '../../examples/frameworks/openai-agents.js'
import { scriptedClaude } from '../frameworks/scripted-claude.js'

setTracingDisabled(true)
const warrant = await connect({ as: 'my-agent' })
const args = { to: 'ann@example.org', reason: 'Ann asked for her invoice' }
const written = JSON.stringify(args)
const called = { name: 'send_email', arguments: written }
const sent = 'sent to ann@example.org'
const session = () => warrant.session().id

/** A server that answers each request with the next of these; what it was asked is given back. */
async function serving(answers: readonly unknown[], use: (url: string) => Promise<unknown>) {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      asked.push(await json(request))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answers[asked.length - 1]))
    }
    void respond()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await use(`http://127.0.0.1:${port}`)
  server.closeAllConnections()
  server.close()
  return JSON.stringify(asked)
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model of the AI SDK that calls the tool, and then is done. */
function callingOnce() {
  const call = { toolCallId: 'c1', toolName: 'send_email', input: written }
  return new MockLanguageModelV3({
    doGenerate: [
      {
        content: [{ type: 'tool-call', ...call }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })
}

/** What each gave back or showed the model. */
const runs: Readonly<Record<string, () => Promise<unknown>>> = {
  'ai-sdk.ts': () => turn(warrant, callingOnce(), [{ role: 'user', content: 'write' }], session()),
  'ai-sdk-5.ts': async () => {
    const model = callingOnce()
    const id = session()
    const first = await step(warrant, model, [{ role: 'user', content: 'write' }], id)
    return step(warrant, model, first.messages, id)
  },
  'claude-agent.ts': () => {
    const call = { id: 'c1', tool: 'mcp__desk__send_email', input: args }
    const { spawn } = scriptedClaude([call], () => '')
    const more = { pathToClaudeCodeExecutable: 'claude', spawnClaudeCodeProcess: spawn }
    return claudeTurn(warrant, 'write', crypto.randomUUID(), null, more)
  },
  'langchain.ts': () => {
    const toolCalls = [[{ name: 'send_email', args, id: 'c1' }], []]
    const model = new FakeToolCallingModel({ toolCalls })
    return langchain(warrant, { model, checkpointer: new MemorySaver() }, 'write', session())
  },
  'ollama.ts': () => {
    const said = (message: object) => {
      return { model: 'm', message: { role: 'assistant', ...message }, done: true }
    }
    const calls = [{ function: { name: 'send_email', arguments: args } }]
    const answers = [said({ content: '', tool_calls: calls }), said({ content: 'done' })]
    return serving(answers, (host) => {
      const ollama = new Ollama({ host })
      return work({ warrant, ollama, model: 'm', show: () => undefined }, 'write')
    })
  },
  'openai.ts': () => {
    const said = (message: object) => {
      return {
        object: 'chat.completion',
        choices: [{ message: { role: 'assistant', ...message } }],
      }
    }
    const calls = [{ id: 'c1', type: 'function', function: called }]
    const answers = [said({ tool_calls: calls }), said({ content: 'done' })]
    return serving(answers, (baseURL) => {
      return openai(warrant, new OpenAI({ baseURL, apiKey: 'unused' }), 'write', session())
    })
  },
  'openai-agents.ts': async () => {
    const call = functionCall('send_email', args, { callId: 'c1' })
    const model = new ScriptedModel([[call], [assistantMessage(sent)]])
    return agents(warrant, model, 'write', session())
  },
}

const files = readdirSync('examples/frameworks').filter((name) => name.endsWith('.ts'))
const unlike = files.filter((name) => !Object.hasOwn(runs, name))
if (unlike.length > 0) throw new Error(`give them a run here: ${unlike.join(', ')}`)
for (const [name, run] of Object.entries(runs)) {
  const end = JSON.stringify(await run())
  if (!end.includes(sent)) throw new Error(`${name}: ${end}`)
}
await warrant.close()
process.stdout.write(`${files.length} examples of frameworks sent it\n`)
