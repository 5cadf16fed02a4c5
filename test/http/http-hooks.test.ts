// Hooks of coding agents through the server: each host gets a decision that it understands, an
// allow is redeemed, a call that people agreed to is found by making it again, and whatever goes
// wrong is a denial.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { EventKind } from '#schemas/kinds'
import {
  afterTool,
  beforeCommand,
  beforeTool,
  hosts,
  promptEvent,
} from '../shell/hooks/host-events.ts'
import { another, type Scene } from '../support/scene.ts'
import { hookScene, intentIn, isBlocked, served } from './hook-scene.ts'

const cwd = '/srv/ann/shop'
const write = (id: string) =>
  beforeTool('claude-code', { tool: 'Write', input: { file_path: 'a.ts', content: 'x' }, cwd, id })

async function intentsOf(on: Scene, kind: EventKind): Promise<readonly string[]> {
  return (await on.facts()).flatMap((fact) => (fact.kind === kind ? [fact.name] : []))
}

/** What the messages of a log say. */
async function messagesOf(on: Scene): Promise<readonly unknown[]> {
  return (await on.facts()).flatMap(({ kind, data }) => {
    return kind === 'vlp' ? [z.object({ content: z.unknown() }).parse(data).content] : []
  })
}

describe('a call', () => {
  test.each(hosts)('%s: what only reads is allowed and redeemed, and ends', async (host) => {
    const { on, hook } = await hookScene()
    const event = beforeCommand(host, { command: 'ls src' })
    const answer = await hook(event, { host })
    expect(answer).toMatchObject({ status: 200, body: { exit: 0, stderr: '' } })
    expect(await intentsOf(on, 'ownstart')).toHaveLength(1)
    expect(await hook(afterTool(host, event), { host })).toMatchObject({ body: { exit: 0 } })
    const ended = (await on.facts()).find(({ kind }) => kind === 'ownoutcome')
    expect(ended?.data).toMatchObject({ outcome: 'succeeded' })
  })

  test.each(hosts)('%s: what destroys outside the project is denied', async (host) => {
    const { hook } = await hookScene()
    const answer = await hook(beforeCommand(host, { command: 'ls && rm -rf /etc' }), { host })
    expect(isBlocked(host, answer)).toBe(true)
  })

  test.each(hosts)(
    '%s: where people are asked it waits, and runs when made again',
    async (host) => {
      const { on, hook } = await hookScene()
      const asked = await hook(beforeCommand(host, { command: 'npm test', id: 'c1' }), { host })
      expect(isBlocked(host, asked)).toBe(true)
      const intent = await intentIn(on, asked)
      const again = await hook(beforeCommand(host, { command: 'npm test', id: 'c2' }), { host })
      expect(isBlocked(host, again)).toBe(true)
      expect(await intentIn(on, again)).toBe(intent)
      await on.decide(intent, 'olga')
      const other = await hook(beforeCommand(host, { command: 'npm install', id: 'c3' }), { host })
      expect(isBlocked(host, other)).toBe(true)
      const runs = await hook(beforeCommand(host, { command: 'npm test', id: 'c4' }), { host })
      expect(runs.body).toMatchObject({ exit: 0, stderr: '' })
      // One approval is one run.
      const more = await hook(beforeCommand(host, { command: 'npm test', id: 'c5' }), { host })
      expect(isBlocked(host, more)).toBe(true)
      expect(await intentIn(on, more)).not.toBe(intent)
    },
  )

  test('what a person declined stays declined, and a new server finds what was agreed to', async () => {
    const { on, hook } = await hookScene()
    const yes = await intentIn(on, await hook(write('c2')))
    const first = await hook(beforeCommand('claude-code', { command: 'npm run x', id: 'c3' }))
    await on.decide(await intentIn(on, first), 'olga', { answers: false })
    await on.decide(yes, 'olga')
    const declined = await hook(beforeCommand('claude-code', { command: 'npm run x', id: 'c4' }))
    expect(isBlocked('claude-code', declined)).toBe(true)
    expect(await intentsOf(on, 'review')).toHaveLength(2)
    const later = await served(await another(on))
    expect((await later(write('c5'))).body).toMatchObject({ exit: 0 })
  })

  test.each([
    ['Read', { file_path: '.env' }, 'It reads what looks like a secret.'],
    ['Edit', { file_path: 'a.ts' }, 'It changes files.'],
    ['Write', { file_path: '../a.ts' }, 'It changes files.'],
    ['mcp__db__drop', {}, 'It is not known what this tool of a server does.'],
    ['Teleport', {}, 'It is not known what this tool does.'],
  ])('%s %j is asked about', async (tool, input, question) => {
    const { on, hook } = await hookScene()
    const asked = await hook(beforeTool('claude-code', { tool, input, cwd }))
    expect(isBlocked('claude-code', asked)).toBe(true)
    expect(asked.body['stderr']).toContain(question)
    expect(await intentsOf(on, 'review')).toHaveLength(1)
  })

  test.each([
    ['Read', { file_path: 'a.ts' }],
    ['Grep', { pattern: 'x' }],
    ['TodoWrite', { todos: [] }],
  ])('%s %j is allowed', async (tool, input) => {
    const { hook } = await hookScene()
    const event = beforeTool('claude-code', { tool, input, cwd })
    expect((await hook(event)).body).toMatchObject({ exit: 0 })
  })

  test('the same call twice under one id runs once', async () => {
    const { hook } = await hookScene()
    const event = beforeCommand('claude-code', { command: 'ls' })
    expect((await hook(event)).body).toMatchObject({ exit: 0 })
    expect(isBlocked('claude-code', await hook(event))).toBe(true)
    const changed = beforeCommand('claude-code', { command: 'ls -a' })
    expect(isBlocked('claude-code', await hook(changed))).toBe(true)
  })
})

describe('the dialogue of the host', () => {
  test('is asked where the catalog has it, and its answer is recorded as relayed', async () => {
    const { on, hook } = await hookScene({ tier: 'confirm', ask: 'host' })
    const asked = await hook(write('c1'), { as: '' })
    expect(asked.body).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } })
    await hook(afterTool('claude-code', write('c1')))
    const messages = await messagesOf(on)
    expect(messages).toContainEqual(
      expect.objectContaining({ hook: 'host_allowed', relayedBy: 'claude-code', tool: 'Write' }),
    )
    // No person has decided anything, and none is asked any more.
    expect(await intentsOf(on, 'decision')).toEqual([])
    expect(await intentsOf(on, 'withdrawal')).toHaveLength(1)
    const codex = beforeCommand('codex', { command: 'npm test' })
    expect(isBlocked('codex', await hook(codex, { host: 'codex' }))).toBe(true)
  })

  test('is never asked without that', async () => {
    const { hook } = await hookScene({ tier: 'confirm' })
    expect(isBlocked('claude-code', await hook(write('c1')))).toBe(true)
  })
})

describe('what goes wrong', () => {
  test.each(hosts)('%s: a bad token, no JSON and another event are blocks', async (host) => {
    const { hook } = await hookScene()
    const event = beforeCommand(host, { command: 'ls' })
    for (const answer of [
      await hook(event, { host, token: 'wrt_unknown' }),
      await hook('{"tool_name":', { host }),
      await hook({}, { host }),
      await hook({ ...event, tool_input: 1, toolArgs: '{' }, { host }),
    ]) {
      expect(isBlocked(host, answer)).toBe(true)
    }
  })

  test('over HTTP alone the host gets a denial, with status 200', async () => {
    const { hook } = await hookScene()
    const answer = await hook(beforeCommand('claude-code', { command: 'ls' }), {
      token: 'wrt_unknown',
      as: '',
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { hookSpecificOutput: { permissionDecision: 'deny' } },
    })
  })

  test('a call that ran though nothing allowed it is recorded', async () => {
    const { on, hook } = await hookScene()
    const event = beforeCommand('claude-code', { command: 'rm -rf /etc' })
    await hook(event)
    await hook(afterTool('claude-code', event))
    const messages = await messagesOf(on)
    expect(messages).toContainEqual(expect.objectContaining({ hook: 'ran_without_allow' }))
  })
})

test.each(hosts)('%s: what its user has written is a message of the agent', async (host) => {
  const { on, hook } = await hookScene()
  const answer = await hook(promptEvent(host, 'clean up the build'), { host })
  expect(answer.body).toMatchObject({ exit: 0, stderr: '' })
  const messages = await messagesOf(on)
  expect(messages).toContain('clean up the build')
})
