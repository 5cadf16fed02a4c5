// Tools of LangChain run on an allow alone, once; while people decide the thread is interrupted,
// and goes on from its checkpoint by the verdict, in another process too.
import { expect, test } from 'vitest'
import { HumanMessage, type BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command, MemorySaver } from '@langchain/langgraph'
import { createAgent, FakeToolCallingModel } from 'langchain'
import { z } from 'zod'
import { connect } from '#client/connect'
import { threadTools, warrantMiddleware } from '#frameworks/langchain'
import { expectReplay, names } from '../support/scene.ts'
import { desk, deskSetup, intents, rule, type Desk } from './scripted-desk.ts'

const schema = z.object({ path: z.string(), depth: z.int().default(1) })
type Calls = { name: string; args: Record<string, unknown>; id: string }[]

const call = (name: string, id = name, path = 'a') => ({ name, args: { path }, id })
const thread = { configurable: { thread_id: 'S-2026-01-01-bot-0a1b2c' } }

interface Graph {
  /** Resumes each interrupt that is open if there are no new words. */
  go(
    said?: string,
  ): Promise<{ messages: BaseMessage[]; interrupts: readonly { value?: unknown }[] }>
}

type Governed = (on: Desk, of: { script: Calls[]; saver: MemorySaver }) => Promise<Graph>

function graphOf(agent: Pick<ReturnType<typeof createAgent>, 'invoke' | 'graph'>): Graph {
  const open = async () => {
    const { tasks } = await agent.graph.getState(thread)
    return tasks.flatMap(({ interrupts }) => interrupts)
  }
  return {
    async go(said) {
      const again = Object.fromEntries((await open()).map(({ id = '' }) => [id, 'look again']))
      const input =
        said === undefined ? new Command({ resume: again }) : { messages: [new HumanMessage(said)] }
      const { messages } = await agent.invoke(input, thread)
      return { messages, interrupts: await open() }
    },
  }
}

const noting = (on: Desk, name: string) => (args: { path: string; depth: number }) => {
  on.ran.push([name, args])
  return `${name} of ${args.path}`
}
const toolNames = ['look', 'erase', 'fly']

const byMiddleware: Governed = async (on, { script: toolCalls, saver: checkpointer }) => {
  const user = await connect({ as: 'user', runtime: on.runtime })
  const tools = toolNames.map((name) => tool(noting(on, name), { name, description: name, schema }))
  const model = new FakeToolCallingModel({ toolCalls })
  const middleware = [warrantMiddleware(on.bot, { evidence: { user } })]
  return graphOf(createAgent({ model, tools, middleware, checkpointer }))
}

const oneByOne: Governed = async (on, { script: toolCalls, saver: checkpointer }) => {
  const { governed } = threadTools(on.bot)
  const tools = toolNames.map((name) =>
    tool(governed(name, noting(on, name)), { name, description: name, schema }),
  )
  const model = new FakeToolCallingModel({ toolCalls })
  return Promise.resolve(graphOf(createAgent({ model, tools, checkpointer })))
}

const text = (messages: readonly BaseMessage[]) => messages.map((one) => one.text).join('\n')

for (const [how, governed] of [
  ['by middleware', byMiddleware],
  ['one by one', oneByOne],
] as const) {
  const begin = async (script: Calls[]) => {
    const on = await desk()
    const saver = new MemorySaver()
    return { on, saver, graph: await governed(on, { script, saver }) }
  }

  test(`${how}: calls that come together are each judged`, async () => {
    const { on, graph } = await begin([[call('look'), call('fly')], []])
    const { messages } = await graph.go('go')
    expect(on.ran).toEqual([['look', { path: 'a', depth: 1 }]])
    expect(text(messages)).toMatch(/look of a/)
    expect(text(messages)).toMatch(/refused.*missing.*moon/s)
    await expectReplay(on)
  })

  test(`${how}: what people are asked about interrupts, and goes on in another process`, async () => {
    const { on, saver, graph } = await begin([[call('erase')], []])
    const { interrupts } = await graph.go('delete a')
    const [intent] = await intents(on)
    expect(interrupts).toMatchObject([{ value: { status: 'waiting', intent, for: 'people' } }])
    await rule(on, true)
    const later = await desk(deskSetup, on)
    const resumed = await governed(later, { script: [[]], saver })
    expect((await resumed.go()).interrupts).toEqual([])
    expect([on.ran, later.ran]).toEqual([[], [['erase', { path: 'a', depth: 1 }]]])
    expect(await intents(on)).toHaveLength(1)
    await expectReplay(on)
  })

  test(`${how}: resumed before people agreed it interrupts again, whatever it is resumed with`, async () => {
    const { on, graph } = await begin([[call('erase')], []])
    await graph.go('delete a')
    for (let time = 0; time < 2; time += 1) expect((await graph.go()).interrupts).toHaveLength(1)
    expect(on.ran).toEqual([])
    await rule(on, true)
    await graph.go()
    expect(on.ran).toHaveLength(1)
  })

  test(`${how}: what people decline does not run, and the model reads why`, async () => {
    const { on, graph } = await begin([[call('erase')], []])
    await graph.go('delete a')
    await rule(on, false)
    const { messages } = await graph.go()
    expect([on.ran, text(messages)]).toEqual([[], expect.stringContaining('refused')])
  })

  test(`${how}: where the log is out of reach nothing runs`, async () => {
    const { on, graph } = await begin([[call('look')], []])
    await on.runtime.stop()
    const { messages } = await graph.go('look')
    expect([on.ran, text(messages)]).toEqual([[], expect.stringContaining('log_closed')])
  })

  test(`${how}: two interrupts are resumed each by its own verdict`, async () => {
    const { on, graph } = await begin([[call('erase', 'c1', 'a'), call('erase', 'c2', 'b')], []])
    expect((await graph.go('delete a and b')).interrupts).toHaveLength(2)
    await rule(on, true)
    await rule(on, false)
    await graph.go()
    expect(on.ran).toHaveLength(1)
  })
}

test('the words of the person are evidence, each once', async () => {
  const on = await desk()
  const saver = new MemorySaver()
  const graph = await byMiddleware(on, {
    script: [[call('look')], [], [call('look', 'c2')], []],
    saver,
  })
  await graph.go('look at a')
  await graph.go('once more')
  expect(await names(on.log, 'main.1.vlp.user.>')).toHaveLength(2)
})

test('arguments that the tool does not take are answered, and open nothing', async () => {
  const on = await desk()
  const wrong = [{ name: 'look', args: { path: 5 }, id: 'c1' }]
  const graph = await byMiddleware(on, { script: [wrong, []], saver: new MemorySaver() })
  const { messages } = await graph.go('look')
  expect(text(messages)).toContain('not valid')
  expect([on.ran, await intents(on)]).toEqual([[], []])
})

test('a tool that fails is recorded as failed', async () => {
  const on = await desk()
  const { governed } = threadTools(on.bot)
  const failing = governed('look', () => {
    throw new Error('the disk is full')
  })
  const config = { ...thread, toolCall: { id: 'c1' } }
  await expect(failing({}, config)).rejects.toThrow('the disk is full')
  const [outcome] = await on.facts('main.1.ownoutcome.>')
  expect(outcome?.data).toMatchObject({ outcome: 'failed' })
})
