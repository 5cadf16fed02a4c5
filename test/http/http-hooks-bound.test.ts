// What people agree to is what runs: an approval of one call lets no other call run, however alike
// the two are, and the project of a session is not the agent's to choose.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newestRules } from '#rules/catalog/rules-version'
import { patternsOf } from '#record/names'
import { openingOf } from '#messages/opening'
import { beforeTool, type ToolCalled } from '../shell/hooks/host-events.ts'
import type { Scene } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { declared, hookScene, intentIn, isBlocked, type HookScene } from './hook-scene.ts'

const cwd = '/srv/ann/shop'
let calls = 0

interface Hooked extends HookScene {
  readonly runs: (called: ToolCalled, host?: string) => Promise<boolean>
  readonly approve: (called: ToolCalled, host?: string) => Promise<void>
}

async function hooked(capabilities = declared): Promise<Hooked> {
  const { on, hook } = await hookScene(undefined, capabilities)
  const sent = (called: ToolCalled, host: string) => {
    calls += 1
    return hook(beforeTool(host, { cwd, id: `c${calls}`, ...called }), { host })
  }
  return {
    on,
    hook,
    runs: async (called, host = 'claude-code') => !isBlocked(host, await sent(called, host)),
    async approve(called, host = 'claude-code') {
      await on.decide(await intentIn(on, await sent(called, host)), 'olga')
    },
  }
}

async function asked({ runtime: { log, follower } }: Scene) {
  const all = []
  const patterns = patternsOf(follower.state.place, 'vlp', '*', '*', '*')
  for await (const fact of log.read({}, patterns)) {
    const request = openingOf(fact, { knownConstraints: [], rules: newestRules })?.request
    if (request !== undefined && request !== null) all.push(request)
  }
  return all
}

const approvedAndOther: readonly (readonly [string, ToolCalled, object])[] = [
  [
    'claude-code',
    { tool: 'Write', input: { file_path: 'a.sh', content: 'echo hello' } },
    { content: 'rm -rf ~' },
  ],
  [
    'claude-code',
    { tool: 'Edit', input: { file_path: 'a', old_string: 'a', new_string: 'b' } },
    { replace_all: true },
  ],
  [
    'claude-code',
    { tool: 'Bash', input: { command: 'make test' } },
    { dangerouslyDisableSandbox: true },
  ],
  ['claude-code', { tool: 'Bash', input: { command: 'make test' } }, { timeout: 1_000 }],
  ['gemini', { tool: 'write_file', input: { file_path: 'a', content: 'x' } }, { content: 'y' }],
  ['copilot', { tool: 'edit', input: { path: 'a', old_str: 'a', new_str: 'b' } }, { new_str: 'c' }],
]

describe('an approval', () => {
  test.each(approvedAndOther)('%s %j: not for the same with %j', async (host, called, change) => {
    const { approve, runs } = await hooked()
    await approve(called, host)
    const input = z.record(z.string(), z.unknown()).parse(called.input)
    expect(await runs({ ...called, input: { ...input, ...change } }, host)).toBe(false)
    const described = { ...called, input: { ...input, description: 'once more' } }
    expect(await runs(described, host)).toBe(true)
  })

  test('is of the file as it was: the difference is shown, and a changed file asks again', async () => {
    const folder = await temporaryFolder()
    const edit: ToolCalled = {
      tool: 'Edit',
      input: { file_path: 'a.ts', old_string: 'one', new_string: 'two' },
      cwd: folder,
    }
    await writeFile(join(folder, 'a.ts'), 'zero\none\n')
    const { on, approve, runs } = await hooked()
    await approve(edit)
    const [first] = await asked(on)
    expect(first?.args).toMatchObject({ excerpt: '@@ line 2 @@\n-one\n+two' })
    await writeFile(join(folder, 'a.ts'), 'zero\none\nthree\n')
    expect(await runs(edit)).toBe(false)
    await writeFile(join(folder, 'a.ts'), 'zero\none\n')
    expect(await runs(edit)).toBe(true)
  })

  test('never reads what lies elsewhere, or a secret, whatever a link says', async () => {
    const folder = await temporaryFolder()
    const project = join(folder, 'shop')
    await mkdir(project)
    await writeFile(join(folder, 'outside'), 'one of the others\n')
    await writeFile(join(project, '.env'), 'one of the secrets\n')
    await symlink(join(folder, 'outside'), join(project, 'out'))
    await symlink(join(project, '.env'), join(project, 'inner'))
    const { on, hook } = await hooked()
    for (const path of ['out', 'inner', '../outside']) {
      const input = { file_path: path, old_string: 'one', new_string: 'two' }
      await hook(beforeTool('claude-code', { tool: 'Edit', input, cwd: project, id: path }))
    }
    const all = await asked(on)
    expect(all).toHaveLength(3)
    for (const { args } of all) {
      expect(args).not.toHaveProperty('before')
      expect(args['excerpt']).toBe('-one\n+two')
    }
  })
})

test('a log without what is newest binds what it has, and hooks report it', async () => {
  const older = declared.map((one) => {
    const { whole: _, ...properties } = one.argsSchema.properties
    return { ...one, argsSchema: { ...one.argsSchema, properties } }
  })
  const { on, hook } = await hooked(older)
  const called = { tool: 'Write', input: { file_path: 'a', content: 'x'.repeat(9_000) }, cwd }
  const { body } = await hook(beforeTool('claude-code', { ...called, id: 'w' }))
  expect(body['stderr']).toContain('`warrant apply`')
  const [first] = await asked(on)
  expect(Object.keys(first?.args ?? {}).toSorted()).toEqual([
    'cwd',
    'excerpt',
    'input',
    'paths',
    'root',
  ])
})

test('a log that does not declare what is new is judged as before, and hooks report it', async () => {
  const old = declared.map((one) => {
    const { input: _, ...properties } = one.argsSchema.properties
    return { ...one, argsSchema: { ...one.argsSchema, properties } }
  })
  const { on, hook, runs } = await hooked(old)
  expect(await runs({ tool: 'Bash', input: { command: 'ls', run_in_background: true } })).toBe(true)
  const called = { tool: 'Write', input: { file_path: 'a', content: 'x' }, cwd, id: 'w' }
  const { body } = await hook(beforeTool('claude-code', called))
  expect(body['stderr']).toContain('`warrant apply`')
  expect((await asked(on)).map(({ args }) => Object.keys(args).toSorted())).toEqual([
    ['command', 'cwd'],
    ['cwd', 'paths'],
  ])
})

test('a session stays in the project in which it began', async () => {
  const { on, runs } = await hooked()
  const ls = { tool: 'Bash', input: { command: 'cat config' } }
  expect(await runs(ls)).toBe(true)
  expect(await runs({ ...ls, cwd: `${cwd}/src` })).toBe(true)
  expect(await runs({ ...ls, cwd: '/srv/ann/.aws' })).toBe(false)
  expect(await runs({ ...ls, cwd: '/' })).toBe(false)
  expect((await asked(on)).map(({ args }) => args['root'])).toEqual([cwd, cwd, cwd, cwd])
})
