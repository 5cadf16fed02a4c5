// Every adapter shows the tools with one argument more, in which the model says why it calls. It is
// the justification, and neither judged as an argument nor handed to the tool.
import { MemorySaver } from '@langchain/langgraph'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing'
import { setTracingDisabled } from '@openai/agents-core'
import { tool as langchainTool } from '@langchain/core/tools'
import { FakeToolCallingModel } from 'langchain'
import OpenAI from 'openai'
import { tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newestRules } from '#rules/catalog/rules-version'
import { messageOfFact } from '#messages/check'
import { governTools } from '#frameworks/ai-sdk'
import { governAgents } from '#frameworks/openai-agents'
import {
  threadTools,
  warrantMiddleware,
  withReason,
  type ThreadOptions,
} from '#frameworks/langchain'
import { governed, plainTool } from '#frameworks/openai'
import { governorOf } from '#frameworks/governing'
import type { GoverningOptions } from '#frameworks/options'
import { turn } from '../../examples/frameworks/ai-sdk.ts'
import { step } from '../../examples/frameworks/ai-sdk-5.ts'
import { turn as claudeTurn } from '../../examples/frameworks/claude-agent.ts'
import { answer as langchainAnswer } from '../../examples/frameworks/langchain.ts'
import { answer as openAiAnswer } from '../../examples/frameworks/openai.ts'
import { answer as agentsAnswer } from '../../examples/frameworks/openai-agents.ts'
import { starterAgent, starterCatalog, toolWordsOf } from '#cli/run/init/starter'
import { answer, bound, names, place, scene, type Scene } from '../support/scene.ts'
import { scriptedModel } from './scripted-ai.ts'
import { scriptedClaude } from './scripted-claude.ts'

setTracingDisabled(true)

const session = 'S-2026-01-01-bot-0a1b2c'
const why = 'Ann asked for her invoice'
const args = { to: 'ann@example.org', reason: why }
const question = { name: 'ask', when: 'true', effect: 'confirm', question: 'May it?' }

/** What `init` writes for `send_email`, for the agent of the scene. */
const starter = z.object({ capabilities: z.array(z.looseObject({ id: z.string() })) })
const [capability] = starter.parse(
  starterCatalog(
    { agent: starterAgent, words: toolWordsOf('send_email') },
    { id: 'ann', publicKey: 'x' },
  ),
).capabilities

function begun(conditions: readonly object[]): Promise<Scene> {
  const ofStarter = z.custom<object>().parse({ ...capability, conditions })
  const capabilities = z.array(z.custom<never>()).parse([ofStarter])
  return scene({ catalog: { capabilities, rules: newestRules } })
}

type Runs = (on: Scene) => Promise<unknown>

const said = 'it is sent'
const examples: Readonly<Record<string, Runs>> = {
  'ai-sdk': async ({ bot }) => {
    const call = [{ id: 'c1', tool: 'send_email', args }]
    const first = await turn(
      bot,
      scriptedModel([call, said]),
      [{ role: 'user', content: 'write' }],
      session,
    )
    if (first.text !== '') return first.text
    return (await turn(bot, scriptedModel([said]), first.messages, session)).text
  },
  'ai-sdk-5': async ({ bot }) => {
    const call = [{ id: 'c1', tool: 'send_email', args }]
    const first = await step(
      bot,
      scriptedModel([call]),
      [{ role: 'user', content: 'write' }],
      session,
    )
    return (await step(bot, scriptedModel([said]), first.messages, session)).text
  },
  'claude-agent': async ({ bot }) => {
    const call = { id: 'c1', tool: 'mcp__desk__send_email', input: args }
    const { spawn } = scriptedClaude([call], () => '')
    const more = { pathToClaudeCodeExecutable: 'claude', spawnClaudeCodeProcess: spawn }
    const id = '7d0a0f6e-0000-4000-8000-000000000001'
    const first = await claudeTurn(bot, 'write', id, null, more)
    if (first.waiting === null) return first.text
    return (await claudeTurn(bot, 'go on', id, first.waiting, more)).text
  },
  'openai-agents': ({ bot }) => {
    const call = functionCall('send_email', args, { callId: 'c1' })
    const model = new ScriptedModel([[call], [assistantMessage(said)]])
    return agentsAnswer(bot, model, 'write', session)
  },
  langchain: async ({ bot }) => {
    const toolCalls = [[{ name: 'send_email', args, id: 'c1' }], []]
    const model = new FakeToolCallingModel({ toolCalls })
    return langchainAnswer(bot, { model, checkpointer: new MemorySaver() }, 'write', session)
  },
  openai: ({ bot }) => {
    const called = { name: 'send_email', arguments: JSON.stringify(args) }
    const messages: object[] = [
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: called }] },
      { role: 'assistant', content: said },
    ]
    const answers = (): Response => Response.json({ choices: [{ message: messages.shift() }] })
    const fetch = (): Promise<Response> => Promise.resolve(answers())
    const client = new OpenAI({ baseURL: 'http://127.0.0.1', apiKey: 'unused', fetch })
    return openAiAnswer(bot, client, 'write', session)
  },
}

async function asked({ log }: Scene): Promise<readonly unknown[]> {
  const all = await names(log, `${place.realm}.1.vlp.bot.>`)
  const facts = await Promise.all(all.map((name) => bound(log, name)))
  return facts.map((fact) => messageOfFact(fact)?.payload?.['intent'])
}

describe.each(Object.entries(examples))('the example %s, on what init writes', (_name, run) => {
  test('is allowed for the reason that its model states', async () => {
    const on = await begun([])
    expect(await run(on)).toEqual(expect.stringContaining('sent'))
    expect(await names(on.log, 'main.1.review.>')).toEqual([])
    expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
    expect(await asked(on)).toMatchObject([{ args: { to: 'ann@example.org' }, justification: why }])
  })

  test('waits for people where a rule asks them, and then runs once', async () => {
    const on = await begun([question])
    const running = run(on)
    const person = async (): Promise<void> => {
      for (;;) {
        const [review] = await on.bot.reviews()
        if (review !== undefined) return answer(on, review.intent)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await person()
    expect(await running).toEqual(expect.stringContaining('sent'))
    expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
  })
})

const schema = z.object({ to: z.string(), copies: z.number().default(1) })
const own = z.object({ reason: z.string() })

test('a tool with an argument of that name is refused when the adapter is made', async () => {
  const { bot } = await begun([])
  const options = { session, reasonArgument: 'reason' }
  const taken = { code: 'options_invalid', message: expect.stringContaining('`reason` of its own') }
  const made = { description: 'a', parameters: own, execute: () => 'x' }
  expect(() => governAgents(bot, options).governed({ name: 'a', ...made })).toThrow(
    expect.objectContaining(taken),
  )
  const tools = { a: plainTool({ parameters: z.toJSONSchema(own), run: () => 'x' }) }
  expect(() => governed(bot, tools, options).definitions).toThrow(expect.objectContaining(taken))
  const chain = langchainTool(() => 'x', { name: 'a', description: 'a', schema: own })
  expect(() => withReason(chain, 'reason')).toThrow(expect.objectContaining(taken))
  const ai = { a: tool({ description: 'a', inputSchema: own, execute: () => 'x' }) }
  expect(() => governTools(bot, ai, options)).toThrow(expect.objectContaining(taken))
})

test('the tool’s own schema reads the rest, with its defaults', async () => {
  const { bot } = await begun([])
  const { asSchema } = await import('ai')
  const ai = { a: tool({ description: 'a', inputSchema: schema, execute: () => 'x' }) }
  const { inputSchema } = governTools(bot, ai, { session, reasonArgument: 'reason' }).tools.a
  const shown = asSchema(inputSchema)
  expect(await shown.jsonSchema).toMatchObject({
    properties: { to: {}, copies: {}, reason: { type: 'string' } },
    required: expect.arrayContaining(['to', 'reason']),
  })
  expect(await shown.validate?.({ to: 'a', reason: why })).toEqual({
    success: true,
    value: { to: 'a', copies: 1, reason: why },
  })
  expect(await shown.validate?.({ to: 1, reason: why })).toMatchObject({ success: false })
})

describe('an option that does not exist, or is not of its type, is refused when the adapter is made', () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ sesion: 'x' }, /no option `sesion`/],
    [{ session: '' }, /`\/session`/],
    [{ session: 7 }, /`\/session`/],
    [{ capabilities: { a: 1 } }, /`\/capabilities\/a`/],
    [{ request: 'why' }, /`\/request`/],
    [{ request: { justificaton: 'x' } }, /`\/request`.*`justificaton`/],
    [{ request: { justification: 7 } }, /`\/request\/justification`/],
    [{ reasonArgument: 'the reason' }, /`\/reasonArgument`/],
    [{ reasonArgument: '__proto__' }, /`\/reasonArgument`/],
    [{ waitMs: -1 }, /`\/waitMs`/],
    [{ waitMs: '5' }, /`\/waitMs`/],
    [{ evidence: { users: {} } }, /`\/evidence`/],
    [{ evidence: { user: {} } }, /`\/evidence\/user/],
  ]
  test.each(wrong)('%j', async (given, message) => {
    const { bot } = await begun([])
    const options = z.custom<GoverningOptions>().parse({ session, ...given })
    expect(() => governorOf(bot, options)).toThrow(
      expect.objectContaining({ code: 'options_invalid', message: expect.stringMatching(message) }),
    )
  })

  const ofThreads = wrong.filter(([given]) => !('session' in given))
  test.each([...ofThreads, [{ session: 'x' }, /`\/session`/] as const])(
    '%j, of threads',
    async (given, message) => {
      const { bot } = await begun([])
      const options = z.custom<ThreadOptions>().parse(given)
      const refused = { code: 'options_invalid', message: expect.stringMatching(message) }
      for (const made of [warrantMiddleware, threadTools]) {
        expect(() => made(bot, options)).toThrow(expect.objectContaining(refused))
      }
    },
  )

  test('no options are refused by the same name', async () => {
    const { bot } = await begun([])
    for (const given of [null, 7]) {
      const options = z.custom<GoverningOptions & ThreadOptions>().parse(given)
      for (const made of [governorOf, warrantMiddleware, threadTools]) {
        const refused = expect.objectContaining({ code: 'options_invalid' })
        expect(() => made(bot, z.custom<never>().parse(options))).toThrow(refused)
      }
    }
  })

  test('and what is right is taken', async () => {
    const { bot } = await begun([])
    const request = { justification: 'for the month-end report', onGap: 'learn' } as const
    const evidence = { user: bot, tools: bot }
    for (const options of [{ request }, { request: () => request }, { evidence, waitMs: 0 }]) {
      expect(() => governorOf(bot, { session, ...options })).not.toThrow()
    }
  })
})
