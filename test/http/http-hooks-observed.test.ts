// Hooks of coding agents that only observe: each call is recorded with what would have been
// decided, no one is asked, and the host is answered nothing, whatever goes wrong.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Fault } from '#record/fault'
import type { Log } from '#ports/log'
import { judgeHere } from '#judging/judging'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { createToken } from '#serving/token-file'
import { serveHttp } from '#http/serving'
import { afterTool, beforeCommand, hosts, promptEvent } from '../shell/hooks/host-events.ts'
import { failingLog } from '../support/faulty-log.ts'
import { scene, type SceneSetup } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { endWithTest } from '../support/vitest/endings.ts'

const root = join(import.meta.dirname, '../..')
const tables = await readHookTables(shippedHookSeeds(root))
const judge = judgeHere({ tables, key: new Uint8Array(32), readable: 'project' })
const seedOf = (name: string, file: string) =>
  JSON.parse(readFileSync(join(root, 'seeds', name, file), 'utf8'))
const capabilities = ['shell', 'hooks'].flatMap((name) => seedOf(name, 'catalog.json').capabilities)
const setup: SceneSetup = {
  catalog: {
    rules: 5,
    principals: [{ id: 'ada', owner: 'olga', roles: ['writer'], via: ['http'] }],
    capabilities,
    limits: seedOf('hooks', 'catalog.json').limits,
    defaults: seedOf('shell', 'catalog.json').defaults,
  },
  graph: seedOf('shell', 'graph.json'),
}

const Line = z.looseObject({ msg: z.string() })
const Printed = z.looseObject({
  stdout: z.string(),
  stderr: z.string(),
  exit: z.int(),
  missed: z.string().nullable(),
})

async function observing(changed: SceneSetup = {}) {
  const lines: z.infer<typeof Line>[] = []
  const write = (line: string): void => void lines.push(Line.parse(JSON.parse(line)))
  const parts = { logger: pino({ level: 'warn' }, { write }) }
  const on = await scene({ ...setup, ...changed, parts })
  const tokens = join(await temporaryFolder(), 'tokens.ndjson')
  const created = { principal: 'ada', now: on.time.now, expiresAt: null }
  const { token: own } = await createToken(tokens, created)
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveHttp({ runtime: on.runtime, listen, tokens, hooks: judge })
  endWithTest(() => serving.close(0))
  const sent = async (host: string, event: unknown, { query = '', token = own } = {}) => {
    const response = await fetch(`${serving.url}/v1/hooks/${host}?observe=true${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof event === 'string' ? event : JSON.stringify(event),
    })
    expect(response.status).toBe(200)
    return response.text()
  }
  const hook = async (host: string, event: unknown, token = own) =>
    Printed.parse(JSON.parse(await sent(host, event, { query: '&as=command', token })))
  const verdicts = async () =>
    (await on.facts()).flatMap(({ kind, data }) => (kind === 'verdict' ? [data] : []))
  return { on, hook, sent, lines, verdicts }
}

/** No word of a permission, so that the host goes by its own rules. */
const silent = {
  exit: 0,
  stdout: expect.stringMatching(/^(?:\{\}\n)?$/u),
  stderr: '',
  missed: null,
}

describe.each(hosts)('%s', (host) => {
  test('what would run, be asked about or be denied is recorded, and answered nothing', async () => {
    const { on, hook, verdicts } = await observing()
    for (const [index, command] of ['ls src', 'npm test', 'rm -rf /etc'].entries()) {
      const event = beforeCommand(host, { command, id: `call-${index}` })
      expect(await hook(host, event)).toMatchObject(silent)
      expect(await hook(host, afterTool(host, event))).toMatchObject(silent)
    }
    const asked = { code: 'no_confirmer', params: { cause: 'not_asked' } }
    expect(await verdicts()).toMatchObject([
      { outcome: 'allow', observed: true, terms: null },
      { outcome: 'deny', observed: true, reasons: [asked] },
      { outcome: 'deny', observed: true, reasons: [{ code: 'policy_blocked' }] },
    ])
    const kinds = (await on.facts()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'ownoutcome')).toHaveLength(3)
    for (const kind of ['review', 'ownstart', 'withdrawal']) expect(kinds).not.toContain(kind)
  })

  test('what its user has written is passed, and recorded', async () => {
    const { on, hook } = await observing()
    const answer = await hook(host, promptEvent(host, 'clean up the build'))
    expect(answer).toMatchObject({ exit: 0, stderr: '', missed: null })
    expect(answer.stdout).not.toContain('false')
    expect(JSON.stringify(await on.facts())).toContain('clean up the build')
  })

  test('a bad login, no JSON and another event let the call go by, and are counted', async () => {
    const { hook, lines } = await observing()
    const event = beforeCommand(host, { command: 'ls' })
    for (const answer of [
      await hook(host, event, 'wrt_unknown'),
      await hook(host, '{"tool_name":'),
      await hook(host, {}),
    ]) {
      expect(answer).toMatchObject({ exit: 0, missed: expect.stringMatching(/\w/u) })
      expect(answer.stdout).toMatch(/^(?:\{\}\n)?$/u)
      expect(answer.stderr).toContain('not recorded')
    }
    const missed = lines.filter(({ msg }) => msg === 'observed: not recorded')
    expect(missed.map((line) => line['missed'])).toEqual([1, 2, 3])
  })
})

test('over HTTP alone the host gets an empty object, a denial would be none', async () => {
  const { sent } = await observing()
  const event = beforeCommand('claude-code', { command: 'rm -rf /etc' })
  expect(await sent('claude-code', event)).toBe('{}')
  expect(await sent('claude-code', event, { token: 'wrt_unknown' })).toBe('{}')
})

test('the server says once for each agent that nothing is enforced', async () => {
  const { hook, lines } = await observing()
  for (const id of ['a', 'b']) await hook('codex', beforeCommand('codex', { command: 'ls', id }))
  const said = lines.filter(({ msg }) => msg.includes('enforced'))
  expect(said).toMatchObject([{ host: 'codex', principal: 'ada' }])
})

test('a log that takes nothing lets the call go by', async () => {
  const append = (name: string) =>
    name.includes('.vlp.ada.') ? new Fault('disk_full', 'the log is full') : null
  const { hook, verdicts } = await observing({ wrap: (log: Log) => failingLog(log, { append }) })
  const answer = await hook('codex', beforeCommand('codex', { command: 'ls' }))
  expect(answer).toMatchObject({ exit: 0, stdout: '', missed: expect.stringContaining('full') })
  expect(await verdicts()).toEqual([])
})

test('stages that are away keep no call waiting for long', async () => {
  const { on, hook } = await observing({ stages: [] })
  const answering = hook('codex', beforeCommand('codex', { command: 'ls' }))
  for await (const fact of on.log.follow(1, new AbortController().signal)) {
    if (fact.name.includes('.vlp.')) break
  }
  const waiting = { hasEnded: false }
  void answering.finally(() => (waiting.hasEnded = true))
  // Its wait begins at some moment after the message: each turn passes all of it.
  while (!waiting.hasEnded) {
    on.time.pass(3_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const missed = expect.stringMatching(/\w/u)
  expect(await answering).toMatchObject({ exit: 0, stdout: '', missed })
})
