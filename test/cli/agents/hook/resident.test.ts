// The process that keeps a log open for hooks: what it answers counts only as far as the hook reads
// it in the log. It is killed, replaced, of an older log or of none, and no allow comes of that.
import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { LogEvidence, type CallKnown } from '#cli/agents/hook/resident/evidence'
import { addressOf, nameOf } from '#record/names'
import { readHookEvent } from '#shell/hooks/hook-event'
import { callToken } from '#shell/hooks/call-token'
import { afterTool, beforeCommand, hostOf } from '../../../shell/hooks/host-events.ts'
import { commandOf, runChild } from '../../../support/cli-process.ts'
import { environmentFor, run, type Ran } from '../../../support/cli-runner.ts'
import { hookedLogIn } from '../../../support/hooked-log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { count, isFull } from '../../../support/vitest/counts.ts'
import { endWithFile } from '../../../support/vitest/endings.ts'

const place = { realm: 'main', era: 1 }

let cwd = ''
let runtimeFolder = ''
const file = () => join(cwd, '.warrant/log.db')
const env = (idle = '60') => ({ XDG_RUNTIME_DIR: runtimeFolder, WARRANT_HOOK_IDLE: idle })
const sockets = () => join(runtimeFolder, 'warrant')

interface Calling {
  readonly host?: string
  readonly idle?: string
}

const eventOf = (command: string, id: string, host = 'claude-code') =>
  beforeCommand(host, { command, id, cwd })

const hooked = (event: unknown, { host = 'claude-code', idle = '60' }: Calling = {}) =>
  runChild(['hook', 'run', '--for', host, '--log', file(), '--root', cwd], {
    cwd,
    env: env(idle),
    input: JSON.stringify(event),
  })

const isAllowed = ({ code, stdout }: Ran): boolean => code === 0 && stdout.includes('"allow"')

const resident = (...more: readonly string[]) =>
  runChild(['hook', 'resident', '--json', ...more], { cwd, env: env() })
async function running(): Promise<readonly { readonly pid: number; readonly calls: number }[]> {
  return JSON.parse((await resident()).stdout)
}

/** In the foreground, so that it ends with the test; it is there once it answers. */
async function serving(): Promise<{ readonly pid: number; readonly ended: Promise<unknown> }> {
  const [program = '', ...words] = commandOf(['hook', 'resident', '--serve', '--log', file()])
  const child = spawn(program, words, { env: environmentFor({ cwd, env: env() }), stdio: 'ignore' })
  endWithFile(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  await expect.poll(running).toContainEqual(expect.objectContaining({ pid: child.pid }))
  return { pid: child.pid ?? 0, ended }
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  runtimeFolder = await temporaryFolder()
  await hookedLogIn(cwd)
})

beforeEach(async () => {
  const before = await running()
  await Promise.all(before.map(() => resident('--stop')))
  await expect.poll(running).toEqual([])
  await rm(sockets(), { recursive: true, force: true })
})

test('the first call starts it by itself, and those after it are answered by it, two at once', async () => {
  expect(isAllowed(await hooked(eventOf('ls', 'first')))).toBe(true)
  await expect.poll(running).toHaveLength(1)
  const events = ['ls a', 'ls b'].map((command) => eventOf(command, command))
  const both = await Promise.all(events.map((event) => hooked(event)))
  expect(both.map(isAllowed)).toEqual([true, true])
  const denied = await hooked(eventOf('rm -rf /etc', 'denied'))
  expect(denied).toMatchObject({ code: 2, stdout: '' })
  expect(denied.stderr).toContain('destroy')
  const done = await hooked(afterTool('claude-code', eventOf('ls a', 'ls a')))
  expect(done).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const [one] = await running()
  expect(one?.calls).toBe(4)
  const { stdout } = await run(['log', '--name', 'ownoutcome.>'], { cwd })
  expect(stdout.trim().split('\n')).toHaveLength(1)
})

test.runIf(isFull)(
  'of a host that names no call each is one of its own, and its outcome is recorded',
  async () => {
    await serving()
    const event = eventOf('ls gemini', '-', 'gemini')
    for (const _ of [1, 2]) expect(isAllowed(await hooked(event, { host: 'gemini' }))).toBe(true)
    expect((await hooked(afterTool('gemini', event), { host: 'gemini' })).code).toBe(0)
    expect((await running())[0]?.calls).toBe(3)
    const { stdout } = await run(['log', '--name', 'ownoutcome.>'], { cwd })
    expect(stdout).toContain('.s-1.')
  },
)

test('what people are asked about is the hook’s own, before and after they agree', async () => {
  await serving()
  const asked = await hooked(eventOf('npm test', 'asked'))
  expect(asked.code).toBe(2)
  const id = /approve (?<id>\S+?)`/.exec(asked.stderr)?.groups?.['id'] ?? ''
  expect(await run(['approve', id], { cwd })).toMatchObject({ code: 0 })
  expect(isAllowed(await hooked(eventOf('npm test', 'again')))).toBe(true)
  expect((await hooked(eventOf('npm test', 'third'))).code).toBe(2)
})

test('one that is killed is done without, and the next call starts another', async () => {
  expect(isAllowed(await hooked(eventOf('ls first', 'before it is killed')))).toBe(true)
  await expect.poll(running).toHaveLength(1)
  const [{ pid } = { pid: 0 }] = await running()
  process.kill(pid, 'SIGKILL')
  expect(isAllowed(await hooked(eventOf('ls killed', 'killed')))).toBe(true)
  await expect.poll(running).toEqual([expect.not.objectContaining({ pid })])
})

test.runIf(isFull)('a second one ends by itself, and one that is asked to end does', async () => {
  const { ended } = await serving()
  const second = await runChild(['hook', 'resident', '--serve', '--log', file()], {
    cwd,
    env: env(),
  })
  expect(second).toMatchObject({ code: 0 })
  expect(await running()).toHaveLength(1)
  expect(await resident('--stop', '--log', file())).toMatchObject({ code: 0 })
  await ended
  expect(await running()).toEqual([])
})

test.runIf(isFull)(
  'it ends where its log goes, and a log that was begun in its place is no concern of it',
  async () => {
    const before = cwd
    cwd = await temporaryFolder()
    try {
      await hookedLogIn(cwd)
      const { ended } = await serving()
      await rename(join(cwd, '.warrant'), join(cwd, 'moved'))
      await hookedLogIn(cwd)
      expect(isAllowed(await hooked(eventOf('ls begun', 'begun'), { idle: '0' }))).toBe(true)
      await ended
      expect(await run(['replay'], { cwd })).toMatchObject({ code: 0 })
      const moved = await run(['replay', '--log', 'moved/log.db'], { cwd })
      expect(moved).toMatchObject({ code: 0 })
    } finally {
      cwd = before
    }
  },
)

test.runIf(isFull)(
  'it does not keep others from the log: a copy, and a person who writes',
  async () => {
    await serving()
    expect(isAllowed(await hooked(eventOf('ls backup', 'backup')))).toBe(true)
    expect(await run(['backup', join(cwd, 'copy.ndjson')], { cwd })).toMatchObject({ code: 0 })
    expect(await run(['suspend', 'coding-agent'], { cwd })).toMatchObject({
      code: 0,
    })
    expect((await hooked(eventOf('ls suspended', 'suspended'))).code).toBe(2)
    expect(await run(['unsuspend', 'coding-agent'], { cwd })).toMatchObject({ code: 0 })
    expect(isAllowed(await hooked(eventOf('ls back', 'back')))).toBe(true)
  },
)

test('without a folder that is closed to others, or with it switched off, there is none', async () => {
  await mkdir(sockets(), { mode: 0o755 })
  await chmod(sockets(), 0o755)
  expect(isAllowed(await hooked(eventOf('ls open', 'open')))).toBe(true)
  expect(await readdir(sockets())).toEqual([])
  await rm(sockets(), { recursive: true })
  expect(isAllowed(await hooked(eventOf('ls off', 'off'), { idle: '0' }))).toBe(true)
  await expect(readdir(sockets())).rejects.toThrow()
})

// Any process of the user may hold the socket, and say anything.

/** Takes the place of the process, and says that of every event. */
async function replaced(answer: (question: string) => string): Promise<Server> {
  const { ended, pid } = await serving()
  const [name = ''] = (await readdir(sockets())).filter((one) => one.endsWith('.sock'))
  process.kill(pid, 'SIGKILL')
  await ended
  await rm(join(sockets(), name))
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    const said = text(connection.iterator({ destroyOnReturn: false }))
    connection.on('error', () => undefined)
    void said.then((question) => connection.end(answer(question)))
  })
  await new Promise<void>((resolve) => void server.listen(join(sockets(), name), resolve))
  endWithFile(() => void server.close())
  return server
}

function verdictOf(id: string, tool = 'Bash'): string {
  const host = hostOf('claude-code')
  return nameOf(place, 'verdict', addressOf('coding-agent', 's-1', callToken(host, { tool }, id)))
}

test('an allow of one that took its place counts for nothing', async () => {
  expect(isAllowed(await hooked(eventOf('ls', 'honest'), { idle: '0' }))).toBe(true)
  let answer = ''
  const asked: string[] = []
  const server = await replaced((question) => {
    asked.push(question)
    return answer
  })
  const allowed = (verdict: string) => JSON.stringify({ is: 'allowed', verdict })
  const lies = [
    allowed(verdictOf('harmful')),
    allowed(verdictOf('honest')),
    allowed('main.1.verdict.x'),
    allowed('../..'),
    JSON.stringify({ is: 'noted', stderr: '' }),
    JSON.stringify({ is: 'allowed' }),
    '{"is":"denied"}',
    '[]',
    'null',
    '{',
    '',
  ]
  const tried = count(lies.length, 3)
  for (const [index, lie] of lies.slice(0, tried).entries()) {
    answer = lie
    const ran = await hooked(eventOf('rm -rf /etc', `harmful-${index}`))
    expect({ lie, code: ran.code, stdout: ran.stdout }).toEqual({ lie, code: 2, stdout: '' })
  }
  expect(asked.filter((one) => one.includes('"is":"event"'))).toHaveLength(tried)
  // The same call again is no new allow either: it was used.
  answer = allowed(verdictOf('honest'))
  expect((await hooked(eventOf('ls', 'honest'))).code).toBe(2)
  server.close()
})

test('an allow is that of the very call, and of no other', async () => {
  const event = eventOf('ls -l', 'very')
  const before = new LogEvidence(file())
  expect(isAllowed(await hooked(event, { idle: '0' }))).toBe(true)
  const after = new LogEvidence(file())
  const read = readHookEvent(hostOf('claude-code'), event)
  const known = 'event' in read && read.event.is === 'call' ? read.event : null
  if (known === null) throw new Error('it is a call')
  const call: CallKnown = {
    host: hostOf('claude-code'),
    event: known,
    root: cwd,
    as: null,
    realm: 'main',
    nonce: 'n',
  }
  const verdict = verdictOf('very')
  expect(before.allows(verdict, call)).toBe(true)
  expect(before.allows(verdict, { ...call, as: 'coding-agent' })).toBe(true)
  expect(after.allows(verdict, call)).toBe(false)
  const others: readonly Partial<CallKnown>[] = [
    { host: hostOf('codex') },
    { root: '/' },
    { as: 'you' },
    { realm: 'other' },
    ...[
      { tool: 'Write' },
      { args: { command: 'ls -l /' } },
      { args: { command: 'ls -l', run_in_background: true } },
      { cwd: '/' },
      { session: 's-2' },
      { session: null },
      { callId: 'other' },
      { callId: null },
    ].map((change) => ({ event: { ...known, ...change } })),
  ]
  for (const other of others) {
    expect({ other, is: before.allows(verdict, { ...call, ...other }) }).toEqual({
      other,
      is: false,
    })
  }
  for (const name of [verdict.replace('verdict', 'ownstart'), '', `${verdict}x`]) {
    expect(before.allows(name, call)).toBe(false)
  }
  before.close()
  after.close()
})
