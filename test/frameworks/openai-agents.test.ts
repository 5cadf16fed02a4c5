// Tools of the OpenAI Agents SDK run on an allow alone, once; an interruption is resumed by the
// verdict, also from a serialised state in another process.
import { expect, test } from 'vitest'
import { Agent, RunState, Runner, setTracingDisabled, tool } from '@openai/agents-core'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing'
import type { ScriptedModelInput } from '@openai/agents-core/testing'
import { z } from 'zod'
import { governAgents, type GovernedAgents } from '#frameworks/openai-agents'
import { expectReplay, names } from '../support/scene.ts'
import { desk, deskSetup, intents, rule, type Desk } from './scripted-desk.ts'

setTracingDisabled(true)

const session = 'S-2026-01-01-bot-0a1b2c'
const parameters = z.object({ path: z.string() })

interface Office extends Desk {
  readonly governing: GovernedAgents
  readonly model: ScriptedModel
  readonly agent: Agent
  readonly runner: Runner
}

async function office(script: readonly ScriptedModelInput[], before?: Desk): Promise<Office> {
  const on = before === undefined ? await desk() : await desk(deskSetup, before)
  const governing = governAgents(on.bot, { session })
  const tools = ['look', 'erase', 'fly'].map((name) =>
    tool(
      governing.governed({
        name,
        description: name,
        parameters,
        execute: (args) => {
          on.ran.push([name, args])
          return `${name} of ${args.path}`
        },
      }),
    ),
  )
  const model = new ScriptedModel(script)
  const agent = new Agent({ name: 'bot', instructions: 'work', model, tools })
  return { ...on, governing, model, agent, runner: new Runner({ tracingDisabled: true }) }
}

const call = (name: string, callId = name, path = 'a') => functionCall(name, { path }, { callId })
const said = (text: string) => [assistantMessage(text)]

/** What the model was given as results of its calls. */
function outputs({ model }: Office): string {
  return JSON.stringify(model.lastCall?.request.input)
}

test('calls that come together are each judged: one runs, one is refused with what is missing', async () => {
  const on = await office([[call('look'), call('fly')], said('done')])
  const { finalOutput } = await on.runner.run(on.agent, 'go')
  expect([finalOutput, on.ran]).toEqual(['done', [['look', { path: 'a' }]]])
  expect(outputs(on)).toMatch(/look of a/)
  expect(outputs(on)).toMatch(/refused.*missing.*moon/)
  await expectReplay(on)
})

test('an interruption is resumed from a serialised state in another process, by its intent', async () => {
  const on = await office([[call('erase')]])
  const { interruptions, state } = await on.runner.run(on.agent, 'go')
  expect([interruptions.length, on.ran]).toEqual([1, []])
  await rule(on, true)
  const later = await office([said('deleted')], on)
  const read = await RunState.fromString(later.agent, state.toString())
  await later.governing.resume({ interruptions: read.getInterruptions(), state: read })
  const { finalOutput } = await later.runner.run(later.agent, read)
  expect([finalOutput, later.ran]).toEqual(['deleted', [['erase', { path: 'a' }]]])
  expect(await intents(on)).toHaveLength(1)
  await expectReplay(on)
})

test('what people decline is rejected with why', async () => {
  const on = await office([[call('erase')], said('a pity')])
  const result = await on.runner.run(on.agent, 'go')
  await rule(on, false)
  await on.governing.resume(result)
  const { finalOutput } = await on.runner.run(on.agent, result.state)
  expect([finalOutput, on.ran]).toEqual(['a pity', []])
  expect(outputs(on)).toContain('refused')
})

test('a yes of the application alone runs nothing, once or for always', async () => {
  for (const alwaysApprove of [false, true]) {
    const on = await office([[call('erase')], [call('erase', 'again', 'b')], said('waiting')])
    const result = await on.runner.run(on.agent, 'go')
    for (const item of result.interruptions) result.state.approve(item, { alwaysApprove })
    await on.runner.run(on.agent, result.state)
    expect(on.ran).toEqual([])
    expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
  }
})

test('who waits no longer gets to know for what, and resumes later', async () => {
  const on = await office([[call('erase')], said('deleted')])
  const result = await on.runner.run(on.agent, 'go')
  const resuming = on.governing.resume(result, 1_000).catch((error: unknown) => error)
  await new Promise((resolve) => setImmediate(resolve))
  on.time.pass(1_000)
  expect(await resuming).toMatchObject({ name: 'NotRun', answer: { status: 'waiting' } })
  await rule(on, true)
  await on.governing.resume(result)
  await on.runner.run(on.agent, result.state)
  expect(on.ran).toHaveLength(1)
})

test('a state that is resumed twice runs the tool once', async () => {
  const on = await office([[call('erase')], said('deleted')])
  const { state } = await on.runner.run(on.agent, 'go')
  await rule(on, true)
  const kept = state.toString()
  for (let time = 0; time < 2; time += 1) {
    const later = await office([said('deleted')], on)
    const read = await RunState.fromString(later.agent, kept)
    await later.governing.resume({ interruptions: read.getInterruptions(), state: read })
    await later.runner.run(later.agent, read)
    expect(later.ran).toHaveLength(time === 0 ? 1 : 0)
  }
  expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
})

test('streamed, it is the same', async () => {
  const on = await office([[call('look'), call('erase')], said('deleted')])
  const first = await on.runner.run(on.agent, 'go', { stream: true })
  await first.completed
  await rule(on, true)
  await on.governing.resume(first)
  const rest = await on.runner.run(on.agent, first.state, { stream: true })
  await rest.completed
  expect(on.ran.map(([name]) => name)).toEqual(['look', 'erase'])
})

test('where the log is out of reach nothing runs', async () => {
  const on = await office([[call('look')], said('sorry')])
  await on.runtime.stop()
  await on.runner.run(on.agent, 'go')
  expect(on.ran).toEqual([])
  expect(outputs(on)).toContain('log_closed')
})

test('a tool has the types of its parameters', async () => {
  const { governing } = await office([])
  governing.governed({
    name: 'look',
    description: 'look',
    parameters,
    // @ts-expect-error The arguments are those of its parameters.
    execute: ({ to }) => String(to),
  })
})
