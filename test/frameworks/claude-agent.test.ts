// Calls of the Claude Agent SDK go on when they are allowed, once, with what was judged; a call
// that people are asked about is deferred, and its session is resumed, in another process too.
import { query, type SDKResultMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { governClaude, reasonShape } from '#frameworks/claude-agent'
import type { Fact } from '#ports/log'
import { bound, expectReplay, names } from '../support/scene.ts'
import { desk, deskSetup, intents, rule, type Desk } from './scripted-desk.ts'
import { scriptedClaude, type ClaudeCall } from './scripted-claude.ts'

const session = 'S-2026-01-01-bot-0a1b2c'

async function begun(calls: readonly ClaudeCall[], before?: Desk, more: object = {}) {
  const on = before === undefined ? await desk() : await desk(deskSetup, before)
  const governed = governClaude(on.bot, { session, ...more })
  const claude = scriptedClaude(calls, (tool, input) => {
    on.ran.push([tool, input])
    return `${tool} is done`
  })
  /** A session begun, or one resumed: what was deferred is then called again. */
  const run = async (): Promise<SDKResultMessage> => {
    const inPlace = { pathToClaudeCodeExecutable: 'claude', spawnClaudeCodeProcess: claude.spawn }
    const options = { ...governed.options, ...inPlace }
    for await (const message of query({ prompt: 'go', options })) {
      if (message.type === 'result') return message
    }
    throw new Error('it has no result')
  }
  return { ...on, governed, run, results: claude.results }
}

const call = (tool: string, id = tool, more: Partial<ClaudeCall> = {}): ClaudeCall => {
  return { id, tool, input: { path: 'a' }, ...more }
}
const text = ({ bytes }: Pick<Fact, 'bytes'>): string => Buffer.from(bytes).toString()
const deferredOf = (result: SDKResultMessage) =>
  result.subtype === 'success' ? result.deferred_tool_use : undefined

test('what is allowed goes on, what is refused does not, and the model reads what is missing', async () => {
  const on = await begun([call('look'), call('fly')])
  expect(await on.run()).toMatchObject({ terminal_reason: 'completed' })
  expect(on.ran).toEqual([['look', { path: 'a' }]])
  expect(on.results.get('fly')).toMatch(/refused.*missing.*moon/s)
  await expectReplay(on)
})

test('what the agent’s own rules and modes let pass is judged all the same', async () => {
  const on = await begun([call('fly', 'c1', { passes: true })])
  await on.run()
  expect(on.ran).toEqual([])
})

test('what has run, and what has failed, is recorded as it ended', async () => {
  const failing = { input: { path: 'b' }, fails: true }
  const on = await begun([call('look', 'c1'), call('look', 'c2', failing)])
  await on.run()
  const ends = () => names(on.log, 'main.1.ownoutcome.>')
  await expect.poll(ends).toHaveLength(2)
  const facts = await Promise.all((await ends()).map((name) => bound(on.log, name)))
  const outcomes = facts.map((fact) => /"outcome":"(\w+)"/.exec(text(fact))?.[1])
  expect(new Set(outcomes)).toEqual(new Set(['failed', 'succeeded']))
})

test('what people are asked about is deferred, and runs when its session is resumed elsewhere', async () => {
  const on = await begun([call('erase')])
  const deferred = deferredOf(await on.run())
  expect(deferred).toEqual({ id: 'erase', name: 'erase', input: { path: 'a' } })
  if (deferred === undefined) throw new Error('nothing is deferred')
  expect(on.ran).toEqual([])
  await rule(on, true)
  const later = await begun([call('erase')], on)
  await later.governed.decided(deferred)
  expect(await later.run()).toMatchObject({ terminal_reason: 'completed' })
  expect(later.ran).toEqual([['erase', { path: 'a' }]])
  expect(await intents(on)).toHaveLength(1)
  await later.run()
  expect(later.ran).toHaveLength(1)
  expect(later.results.get('erase')).toContain('has run already')
  await expectReplay(on)
})

test('resumed before people have answered it is deferred again, and declined it does not run', async () => {
  const on = await begun([call('erase')])
  const deferred = deferredOf(await on.run())
  expect(deferredOf(await on.run())).toEqual(deferred)
  if (deferred === undefined) throw new Error('nothing is deferred')
  await expect(on.governed.decided(deferred, 0)).rejects.toMatchObject({
    answer: { status: 'waiting' },
  })
  await rule(on, false)
  await on.governed.decided(deferred)
  expect(deferredOf(await on.run())).toBeUndefined()
  expect(on.ran).toEqual([])
  expect(on.results.get('erase')).toContain('refused')
  expect(await intents(on)).toHaveLength(1)
})

test('of several that wait one is deferred, and the others are denied with why', async () => {
  const other = { input: { path: 'b' } }
  const on = await begun([call('erase', 'c1'), call('erase', 'c2', other)])
  const deferred = deferredOf(await on.run())
  expect(new Set([...on.results.keys(), deferred?.id])).toEqual(new Set(['c1', 'c2']))
  expect([...on.results.values()].join()).toMatch(/people|person/)
  expect(on.ran).toEqual([])
})

test('where the log is out of reach nothing runs', async () => {
  const on = await begun([call('look', 'c1', { passes: true })])
  await on.runtime.stop()
  await on.run()
  expect(on.ran).toEqual([])
  expect(on.results.get('c1')).toContain('log_closed')
})

test('the reason that the model states is the justification; the tool as it is shown takes it', async () => {
  const input = { path: 'a', reason: 'she asked' }
  const on = await begun([call('look', 'c1', { input })], undefined, { reasonArgument: 'reason' })
  await on.run()
  expect(on.ran).toEqual([['look', input]])
  const [address = ''] = await intents(on)
  const message = text(await bound(on.log, `main.1.vlp.${address}`))
  expect(message).toContain('"justification":"she asked"')
  expect(message).not.toContain('"reason"')
  const shape = reasonShape('look', { path: z.string() }, 'reason')
  expect(Object.keys(shape)).toEqual(['path', 'reason'])
  const taken = expect.objectContaining({ code: 'options_invalid' })
  expect(() => reasonShape('look', shape, 'reason')).toThrow(taken)
})
