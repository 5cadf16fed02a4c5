// What else a program does with governed tools of the AI SDK: words and results become evidence, a
// policy client decides, a tool yields parts, and what was asked about cannot be changed after.
import { opaPolicy } from '@ai-sdk/policy-opa'
import { expect, expectTypeOf, test, describe } from 'vitest'
import { generateText, jsonSchema, streamText, tool, type ModelMessage } from 'ai'
import { z } from 'zod'
import { governTools, policyInput } from '#frameworks/ai-sdk'
import { connect } from '#client/connect'
import { codes, look, names, scene, verdict, expectReplay } from '../support/scene.ts'
import { desk, rule, intents, deskSetup, type Desk } from './scripted-desk.ts'
import { sdk7, scriptedModel, sdk6, type Line, type Sdk, type SdkRun } from './scripted-ai.ts'

const session = 'S-2026-01-01-bot-0a1b2c'
const user = (content: string): ModelMessage => ({ role: 'user', content })
const inputSchema = z.object({ path: z.string() })

const knowing = {
  catalog: {
    principals: [{ id: 'user' }, { id: 'tools' }],
    capabilities: [
      {
        ...look,
        id: 'mail',
        known: [{ arg: '/to', kind: 'email' as const, unknown: 'deny' as const }],
      },
      { ...look, id: 'search', untrusted: [] },
    ],
    trustedEvidence: [
      { sender: 'user', for: ['*'] },
      { sender: 'tools', for: ['*'] },
    ],
  },
}

async function withEvidence() {
  const on = await scene(knowing)
  const { runtime } = on
  const evidence = {
    user: await connect({ as: 'user', runtime }),
    tools: await connect({ as: 'tools', runtime }),
  }
  const mailed: string[] = []
  const tools = {
    mail: tool({
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => mailed.push(to),
    }),
    search: tool({
      inputSchema: z.object({ name: z.string() }),
      execute: ({ name }) => Promise.resolve([{ mail: `${name}@x.org` }]),
    }),
  }
  return { on, mailed, governed: governTools(on.bot, tools, { session, evidence }) }
}

const mail = (to: string, id = to) => [{ id, tool: 'mail', args: { to } }]

test('a value that the user has said may be used, and one that the model makes up may not', async () => {
  const { on, mailed, governed } = await withEvidence()
  const model = scriptedModel([mail('eve@x.org'), mail('ann@x.org'), 'done'])
  const messages = [user('write to ann@x.org'), user('write to ann@x.org')]
  await generateText({ ...stopping, model, tools: governed.tools, messages })
  expect(mailed).toEqual(['ann@x.org'])
  const [first = ''] = await intents(on)
  expect(codes(await verdict(on.log, first))).toEqual(['value_unknown'])
  // Each of the two messages once, though all calls of the conversation bring them.
  expect(await names(on.log, 'main.1.vlp.user.>')).toHaveLength(2)
})

test('what a tool answered may be used, and what the agent says itself may not', async () => {
  const { mailed, governed } = await withEvidence()
  const search = [{ id: 's', tool: 'search', args: { name: 'tom' } }]
  const model = scriptedModel([search, mail('tom@x.org'), mail('kim@x.org'), 'done'])
  const said: ModelMessage = { role: 'assistant', content: 'I know kim@x.org' }
  await generateText({ ...stopping, model, tools: governed.tools, messages: [said, user('tom')] })
  expect(mailed).toEqual(['tom@x.org'])
})

test('the policy client of `@ai-sdk/policy-opa` decides by Warrant, and its tools run as it says', async () => {
  const on = await desk()
  const tools = {
    look: tool({ inputSchema, execute: ({ path }) => on.ran.push(['look', path]) }),
    erase: tool({ inputSchema, execute: ({ path }) => on.ran.push(['erase', path]) }),
    fly: tool({ inputSchema, execute: ({ path }) => on.ran.push(['fly', path]) }),
  }
  const { policyClient: client, ...governed } = governTools(on.bot, tools, { session })
  const policy = opaPolicy({ client, path: 'warrant/decision', toInput: policyInput })
  const calls = ['look', 'fly', 'erase'].map((name) => ({
    id: name,
    tool: name,
    args: { path: 'a' },
  }))
  const model = scriptedModel([calls, 'done'])
  const { responseMessages } = await generateText({
    ...stopping,
    model,
    tools: governed.tools,
    toolApproval: policy,
    messages: [user('go')],
  })
  expect(on.ran).toEqual([['look', 'a']])
  expect(JSON.stringify(responseMessages)).toMatch(/tool-approval-request.*"erase"/)
})

test('a policy client that is not given the id of a call denies', async () => {
  const on = await desk()
  const { governed } = sdk7.begin(on.bot, on.ran, { session })
  const input = { tool: { name: 'look' }, args: { path: 'a' }, messages: [] }
  const answer = await governed.policyClient.evaluate('warrant/decision', input)
  expect(answer).toMatchObject({ decision: 'deny' })
  expect(await intents(on)).toEqual([])
})

test('a tool that yields parts yields none before its verdict, and all after', async () => {
  const on = await desk()
  async function* parts({ path }: { path: string }) {
    on.ran.push(['begun', path])
    yield 'half'
    await Promise.resolve()
    yield 'whole'
  }
  const tools = {
    look: tool({ inputSchema, execute: parts }),
    fly: tool({ inputSchema, execute: parts }),
  }
  const { tools: governed } = governTools(on.bot, tools, { session })
  const calls = ['look', 'fly'].map((name) => ({ id: name, tool: name, args: { path: name } }))
  const model = scriptedModel([calls, 'done'])
  const result = streamText({ ...stopping, model, tools: governed, messages: [user('go')] })
  const seen: unknown[] = []
  for await (const part of result.stream) {
    if (part.type === 'tool-result') seen.push([part.output, part.preliminary ?? false])
  }
  expect(seen).toEqual([
    ['half', true],
    ['whole', true],
    ['whole', false],
  ])
  expect(on.ran).toEqual([['begun', 'look']])
})

test('what was agreed to cannot run with other arguments', async () => {
  const on = await desk()
  const run = sdk7.begin(on.bot, on.ran, { session })
  const asked = [{ id: 'c1', tool: 'erase', args: { path: 'a' } }]
  const { messages } = await run.generate([asked], [user('delete a')])
  await rule(on, true)
  const approvals = await run.governed.approvals(messages)
  if (approvals === null) throw new Error('nothing waits')
  const text = JSON.stringify([...messages, approvals]).replaceAll('"path":"a"', '"path":"/"')
  const changed: ModelMessage[] = JSON.parse(text)
  await run.generate(['done'], changed)
  expect(on.ran).toEqual([])
})

test('two equal calls at once are one run for one approval', async () => {
  const on = await desk()
  const run = sdk7.begin(on.bot, on.ran, { session })
  const equal = ['c1', 'c2'].map((id) => ({ id, tool: 'erase', args: { path: 'a' } }))
  const { messages } = await run.generate([equal], [user('delete a')])
  await rule(on, true)
  const approvals = await run.governed.approvals(messages)
  if (approvals === null) throw new Error('nothing waits')
  await run.generate(['done'], [...messages, approvals])
  expect(on.ran).toHaveLength(1)
})

test('a tool that runs elsewhere is not taken', async () => {
  const on = await desk()
  const tools = { remote: tool({ inputSchema: jsonSchema({ type: 'object' }) }) }
  expect(() => governTools(on.bot, tools, { session })).toThrow(
    expect.objectContaining({ code: 'not_guarded' }),
  )
})

test('governed tools have the types of the tools', async () => {
  const on = await desk()
  const tools = { look: tool({ inputSchema, execute: ({ path }) => path.length }) }
  const governed = governTools(on.bot, tools, { session })
  expectTypeOf(governed.tools).toEqualTypeOf(tools)
  // @ts-expect-error A conversation has a session.
  expect(() => governTools(on.bot, tools, {})).toThrow('`/session` of the options is missing')
})

const stopping = { stopWhen: ({ steps }: { steps: readonly unknown[] }) => steps.length >= 5 }

// Tools of the AI SDK run on an allow alone, once, with what was judged; what people are asked
// about suspends and goes on by the SDK's own parts, in another process too.

const call = (tool: string, id = 'c1', path = 'a'): Line => [{ id, tool, args: { path } }]

async function begun(sdk: Sdk, on?: Desk): Promise<Desk & SdkRun> {
  const of = on === undefined ? await desk() : await desk(deskSetup, on)
  return { ...of, ...sdk.begin(of.bot, of.ran, { session }) }
}

/** What the model reads in place of a result, or as one. */
function outputs(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'tool') return []
    return content.flatMap((part) => {
      return part.type === 'tool-result' ? [JSON.stringify(part.output)] : []
    })
  })
}

describe.each([sdk6, sdk7])('version $version', (sdk) => {
  test('what is allowed runs, with the defaults that were judged, and what it returns is the answer', async () => {
    const on = await begun(sdk)
    const { text, messages } = await on.generate([call('look'), 'done'], [user('look at a')])
    expect([text, on.ran]).toEqual(['done', [['look', { path: 'a', depth: 1 }]]])
    expect(outputs(messages)).toEqual([expect.stringContaining('look of a')])
    await expectReplay(on)
  })

  test('what is refused does not run, and the model reads what is missing', async () => {
    const on = await begun(sdk)
    const { text, messages } = await on.generate([call('fly'), 'sorry'], [user('fly')])
    expect([text, on.ran]).toEqual(['sorry', []])
    expect(outputs(messages)).toEqual([expect.stringMatching(/refused.*missing.*moon/s)])
    expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
  })

  test('what people are asked about suspends, and goes on in another process as approved', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    expect(on.ran).toEqual([])
    await rule(on, true)
    const later = await begun(sdk, on)
    const approvals = await later.governed.approvals(messages)
    expect(approvals?.content).toMatchObject([{ type: 'tool-approval-response', approved: true }])
    if (approvals === null) throw new Error('nothing waits')
    const { text } = await later.generate(['deleted'], [...messages, approvals])
    expect([text, later.ran]).toEqual(['deleted', [['erase', { path: 'a', depth: 1 }]]])
    expect(await intents(on)).toHaveLength(1)
    await expectReplay(on)
  })

  test('what people decline is answered with why, and does not run', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    await rule(on, false)
    const approvals = await on.governed.approvals(messages)
    if (approvals === null) throw new Error('nothing waits')
    const { text, ...rest } = await on.generate(['a pity'], [...messages, approvals])
    expect([text, on.ran]).toEqual(['a pity', []])
    expect(outputs(rest.messages).join()).toContain('refused')
  })

  test('a yes of the application alone runs nothing', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    const { text } = await on.generate(['waiting'], [...messages, approved(messages)])
    expect([text, on.ran]).toEqual(['waiting', []])
    expect(await names(on.log, 'main.1.decision.>')).toEqual([])
  })

  test('answers that come twice run it once', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    await rule(on, true)
    const answered = [...messages, approved(messages)]
    const both = [on, await begun(sdk, on)].map((one) => one.generate(['deleted'], answered))
    await Promise.all(both)
    await on.generate(['deleted'], answered)
    expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
  })

  test('calls that come together are each judged', async () => {
    const on = await begun(sdk)
    const together = [call('look', 'c1', 'a'), call('look', 'c2', 'b'), call('fly', 'c3')].flat()
    const { text } = await on.generate([calls(together), 'done'], [user('look')])
    expect(text).toBe('done')
    expect(on.ran.map(([, args]) => args)).toMatchObject([{ path: 'a' }, { path: 'b' }])
    expect(await intents(on)).toHaveLength(3)
  })

  test('streamed, it is the same: what is allowed runs and what is asked about suspends', async () => {
    const on = await begun(sdk)
    const { text, messages } = await on.stream([call('look'), call('erase', 'c2')], [user('go')])
    expect([text, on.ran.map(([name]) => name)]).toEqual(['', ['look']])
    await rule(on, true)
    const approvals = await on.governed.approvals(messages)
    if (approvals === null) throw new Error('nothing waits')
    const rest = await on.stream(['deleted'], [...messages, approvals])
    expect([rest.text, on.ran.map(([name]) => name)]).toEqual(['deleted', ['look', 'erase']])
  })

  test('where the log is out of reach nothing runs, and the model reads no reason to go around', async () => {
    const on = await begun(sdk)
    await on.runtime.stop()
    const { messages } = await on.generate([call('look'), 'sorry'], [user('look')])
    expect(on.ran).toEqual([])
    expect(outputs(messages)).toEqual([expect.stringContaining('log_closed')])
  })
})

function calls(lines: readonly (string | { id: string; tool: string; args: unknown })[]): Line {
  return lines.filter((one) => typeof one !== 'string')
}

/** What an application says that believes its own button. */
function approved(messages: readonly ModelMessage[]): ModelMessage {
  const content = messages.flatMap((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return []
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-approval-request') return []
      const { approvalId } = part
      return [{ type: 'tool-approval-response' as const, approvalId, approved: true }]
    })
  })
  return { role: 'tool', content }
}
