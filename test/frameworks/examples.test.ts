// The examples run against scripted models, and wait for people as a program of someone else would;
// the page on frameworks shows pieces of them.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTracingDisabled } from '@openai/agents-core'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing'
import { MemorySaver } from '@langchain/langgraph'
import { FakeToolCallingModel } from 'langchain'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { turn } from '../../examples/frameworks/ai-sdk.ts'
import { answer as langchainAnswer } from '../../examples/frameworks/langchain.ts'
import { work } from '../../examples/frameworks/ollama.ts'
import { answer as openAiAnswer } from '../../examples/frameworks/openai.ts'
import { answer as agentsAnswer } from '../../examples/frameworks/openai-agents.ts'
import { learnable, proposals, teach } from '../support/learning-scene.ts'
import { answer, deletion, erase, names, scene, type Scene } from '../support/scene.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { scriptedModel } from './scripted-ai.ts'

setTracingDisabled(true)

const session = 'S-2026-01-01-bot-0a1b2c'
const email = { ...erase, id: 'send_email' }
const args = { to: 'ann@example.org', reason: 'Ann asked for her invoice' }

const desk = () =>
  scene({
    catalog: { capabilities: [email], rules: newestRules },
    graph: deletion({ name: 'ask' }),
  })

/** A person who looks at the inbox until there is something in it. */
async function person(on: Scene, answers = true): Promise<void> {
  for (;;) {
    const [review] = await on.bot.reviews()
    if (review !== undefined) return answer(on, review.intent, { answers })
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function expectSentOnce(on: Scene): Promise<void> {
  expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
  expect(await names(on.log, 'main.1.review.>')).toHaveLength(1)
}

test('ai-sdk.ts: a turn suspends, and the next one sends what a person agreed to', async () => {
  const on = await desk()
  const call = [{ id: 'c1', tool: 'send_email', args }]
  const first = await turn(
    on.bot,
    scriptedModel([call]),
    [{ role: 'user', content: 'write' }],
    session,
  )
  const next = turn(on.bot, scriptedModel(['it is sent']), first.messages, session)
  await person(on)
  expect((await next).text).toBe('it is sent')
  await expectSentOnce(on)
})

test('openai-agents.ts: a run waits for a person and goes on', async () => {
  const on = await desk()
  const call = functionCall('send_email', args, { callId: 'c1' })
  const model = new ScriptedModel([[call], [assistantMessage('it is sent')]])
  const answered = agentsAnswer(on.bot, model, 'write', session)
  await person(on)
  expect(await answered).toBe('it is sent')
  await expectSentOnce(on)
})

test('langchain.ts: a thread is interrupted and goes on', async () => {
  const on = await desk()
  const toolCalls = [[{ name: 'send_email', args, id: 'c1' }], []]
  const parts = { model: new FakeToolCallingModel({ toolCalls }), checkpointer: new MemorySaver() }
  const answered = langchainAnswer(on.bot, parts, 'write', session)
  await person(on)
  expect(await answered).toContain('sent to ann@example.org')
  await expectSentOnce(on)
})

/** Answers each request with the next of these, and keeps what it was asked. */
async function serving(answers: readonly unknown[]) {
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
  endWithTest(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, asked }
}

test('openai.ts: the loop waits for a person, and the model reads what the tool returned', async () => {
  const on = await desk()
  const called = { name: 'send_email', arguments: JSON.stringify(args) }
  const completion = (message: object) => ({ object: 'chat.completion', choices: [{ message }] })
  const { url, asked } = await serving([
    completion({
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: called }],
    }),
    completion({ role: 'assistant', content: 'it is sent' }),
  ])
  const client = new OpenAI({ baseURL: url, apiKey: 'unused' })
  const answered = openAiAnswer(on.bot, client, 'write', session)
  await person(on)
  expect(await answered).toBe('it is sent')
  expect(JSON.stringify(asked[1])).toContain('sent to ann@example.org')
  await expectSentOnce(on)
})

test('ollama.ts: a gap is shown, learning asks, a person rules, and the same call goes on', async () => {
  const unknown = { ...email, concepts: ['moon'] }
  const on = await scene({
    ...learnable,
    catalog: { ...learnable.catalog, capabilities: [unknown] },
  })
  const done = { done: true, total_duration: 1, eval_count: 1 }
  const message = (said: object) => ({
    model: 'llama3.2',
    message: { role: 'assistant', ...said },
    ...done,
  })
  const calls = [{ function: { name: 'send_email', arguments: args } }]
  const { url, asked } = await serving([
    message({ content: '', tool_calls: calls }),
    message({ content: 'it is sent' }),
  ])
  const shown: string[] = []
  const show = (line: string): void => void shown.push(line)
  const ollama = new Ollama({ host: url })
  const worked = work({ warrant: on.bot, ollama, model: 'llama3.2', show }, 'write to ann')
  await proposals(on, 1)
  while (shown.length === 0) {
    on.time.pass(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(shown).toEqual([expect.stringContaining('learning')])
  for (const proposal of await proposals(on, 1)) await teach(on, proposal)
  expect(await worked).toBe('it is sent')
  expect(JSON.stringify(asked[1])).toContain('sent to ann@example.org')
  expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
})

test('the page shows pieces of the examples as they stand', async () => {
  const page = await readFile('docs/agents/frameworks.md', 'utf8')
  const files = [
    'ai-sdk',
    'ai-sdk-5',
    'claude-agent',
    'openai-agents',
    'langchain',
    'openai',
    'ollama',
  ]
  const texts = await Promise.all(
    files.map((name) => readFile(`examples/frameworks/${name}.ts`, 'utf8')),
  )
  const blocks = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThanOrEqual(files.length)
  for (const block of blocks) {
    const lines = block.trimEnd().split('\n')
    const isShown = texts.some((text) => {
      const left = text.split('\n').map((line) => line.trim())
      return lines.every((line) => left.includes(line.trim()))
    })
    expect([block, isShown]).toEqual([block, true])
  }
})
