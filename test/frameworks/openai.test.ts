// Tool calls of a completion become messages for the model: what a tool returned, or as JSON why it
// did not run; what waits for people is answered again later, in another process too.
import { expect, expectTypeOf, test } from 'vitest'
import type OpenAI from 'openai'
import { z } from 'zod'
import { governed, plainTool, type PlainTool } from '#frameworks/openai'
import type { Warrant } from '#client/warrant'
import { answer, expectReplay, names } from '../support/scene.ts'
import { desk, deskSetup, intents, rule } from './scripted-desk.ts'

const session = 'S-2026-01-01-bot-0a1b2c'
const Path = z.object({ path: z.string(), depth: z.int().default(1) })
type Ran = [string, unknown][]

function toolsOf(bot: Warrant, ran: Ran) {
  const parameters = z.toJSONSchema(Path, { io: 'input' })
  const noting = (name: string) =>
    plainTool({
      description: name,
      parameters,
      parse: (written) => Path.parse(written),
      run(args) {
        ran.push([name, args])
        return { [name]: args.path }
      },
    })
  const failing = plainTool({
    parameters,
    run() {
      throw new Error('the disk is full')
    },
  })
  const tools = { look: noting('look'), erase: noting('erase'), fly: noting('fly') }
  return governed(bot, { ...tools, failing }, { session, capabilities: { failing: 'look' } })
}

function calling(name: string, args: unknown = { path: 'a' }, id = name) {
  const written = typeof args === 'string' ? args : JSON.stringify(args)
  return { id, type: 'function' as const, function: { name, arguments: written } }
}

const contents = ({ messages }: { messages: readonly { content: string }[] }): unknown[] =>
  messages.map(({ content }) => JSON.parse(content))

test('each call of several is judged and answered, in order', async () => {
  const on = await desk()
  const tools = toolsOf(on.bot, on.ran)
  const answers = await tools.answer(['fly', 'look', 'erase'].map((name) => calling(name)))
  expect(contents(answers)).toMatchObject([
    {
      status: 'refused',
      reasons: [{ code: 'ungrounded', recover: 'learn' }],
      gaps: [{ kind: 'EXISTENCE' }, { kind: 'EXISTENCE' }],
      fixes: [expect.stringContaining('fly'), expect.stringContaining('moon')],
    },
    { look: 'a' },
    { status: 'waiting', for: 'people', people: ['olga'] },
  ])
  expect(answers.messages.map(({ tool_call_id: id }) => id)).toEqual(['fly', 'look', 'erase'])
  expect(answers.waiting).toEqual([calling('erase')])
  expect(on.ran).toEqual([['look', { path: 'a', depth: 1 }]])
  await expectReplay(on)
})

test('what waits runs when it is answered again after people agreed, in another process', async () => {
  const on = await desk()
  const { waiting } = await toolsOf(on.bot, on.ran).answer([calling('erase')])
  await rule(on, true)
  const later = await desk(deskSetup, on)
  const answers = await toolsOf(later.bot, later.ran).answer(JSON.parse(JSON.stringify(waiting)))
  expect(contents(answers)).toEqual([{ erase: 'a' }])
  expect(await intents(on)).toHaveLength(1)
})

test('it waits for people for as long as it is asked to', async () => {
  const on = await desk()
  const tools = toolsOf(on.bot, on.ran)
  const answering = tools.answer([calling('erase')], { waitMs: 60_000 })
  for (let reviews = await on.bot.reviews(); ; reviews = await on.bot.reviews()) {
    const [review] = reviews
    if (review !== undefined) {
      await answer(on, review.intent)
      break
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(contents(await answering)).toEqual([{ erase: 'a' }])
})

test('answered twice it runs once, and the model is not asked to repeat it', async () => {
  const on = await desk()
  const tools = toolsOf(on.bot, on.ran)
  await tools.answer([calling('look')])
  const again = contents(await tools.answer([calling('look')]))
  expect(again).toMatchObject([{ status: 'failed', code: 'warrant_used' }])
  expect(on.ran).toHaveLength(1)
})

test.each([
  ['no JSON', calling('look', '{"path":')],
  ['arguments of another shape', calling('look', { path: 5 })],
  ['no object', calling('failing', '[]')],
  ['an unknown tool', calling('rm')],
  ['a name that objects have', calling('constructor')],
  ['another type', { id: 'x', type: 'custom' as const, custom: { name: 'look', input: 'a' } }],
])('%s is answered and runs nothing', async (_, call) => {
  const on = await desk()
  const answers = await toolsOf(on.bot, on.ran).answer([call])
  const status = expect.stringMatching(/^(?:error|failed)$/)
  expect(contents(answers)).toMatchObject([{ status }])
  expect([on.ran, await intents(on)]).toEqual([[], []])
})

test('what a tool throws is its answer, and is recorded as failed', async () => {
  const on = await desk()
  const answers = await toolsOf(on.bot, on.ran).answer([calling('failing')])
  expect(contents(answers)).toEqual([{ status: 'error', text: 'the disk is full' }])
  const [outcome] = await on.facts('main.1.ownoutcome.>')
  expect(outcome?.data).toMatchObject({ outcome: 'failed' })
})

test('where the log is out of reach nothing runs', async () => {
  const on = await desk()
  await on.runtime.stop()
  const answers = await toolsOf(on.bot, on.ran).answer([calling('look')])
  expect(contents(answers)).toMatchObject([{ status: 'failed', code: 'log_closed' }])
  expect(on.ran).toEqual([])
})

test('it has the types of the OpenAI package', async () => {
  const on = await desk()
  const tools = toolsOf(on.bot, on.ran)
  type Completions = OpenAI.Chat.Completions.ChatCompletionMessage
  type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming
  const message: Pick<Completions, 'tool_calls'> = { tool_calls: [calling('look')] }
  const { messages } = await tools.answer(message.tool_calls ?? [])
  const request: Params = { model: 'm', messages, tools: tools.definitions }
  expect(request.messages).toHaveLength(1)
  const typed = plainTool({ parameters: {}, parse: () => ({ to: '' }), run: ({ to }) => to.length })
  expectTypeOf(typed).toEqualTypeOf<PlainTool<{ to: string }, number>>()
  // @ts-expect-error Arguments are those that `parse` returns.
  plainTool({ parameters: {}, parse: () => ({ to: '' }), run: ({ from }) => from })
  expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
})
