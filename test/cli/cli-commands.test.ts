// The commands that look: at the log, at what is open, at the graph and the catalog, at keys. What
// one prints for programs, another takes.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { keysOf, run } from '../support/cli-runner.ts'
import { seedChanged } from '../support/seed-changed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let cwd = ''
const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const json = (text: string) => lines(text).map((line) => JSON.parse(line))
const reason = ['--justification', 'Ann asked for her invoice']

beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  for (const id of ['1', '2', '3']) {
    await run(['ask', 'send_email', '--arg', `id=${id}`, ...reason], { cwd })
  }
  const log = await sqliteLog(join(cwd, '.warrant/log.db'))
  await log.append({ name: 'main.1.verdict.x.-.y', bytes: Buffer.from([0xff]) })
  await log.append({ name: 'other.1.what.ever', bytes: Buffer.from('{}') })
  await log.close()
})

describe('the log', () => {
  test('is one fact per line, in order, with its content', async () => {
    const { code, stdout } = await run(['log'], { cwd })
    expect(code).toBe(0)
    const shown = lines(stdout)
    expect(shown).toHaveLength(13)
    expect(shown[2]).toMatch(/^ {6}3 {2}\S+ \S+ {2}vlp\.my-agent\.\S+ +asks to use `send_email`/)
    expect(shown.at(-1)).toContain('other.1.what.ever')
    expect(stdout).not.toContain('\u001b')
  })

  test('is cut by positions, names and count', async () => {
    const positions = async (...args: string[]) => {
      const { stdout } = await run(['log', '--json', ...args], { cwd })
      return json(stdout).map(({ position }) => position)
    }
    expect(await positions('--name', 'verdict.>')).toEqual([5, 8, 11, 12])
    expect(await positions('--name', 'verdict.my-agent.*.*', '--limit', '2')).toEqual([5, 8])
    expect(await positions('--from', '2', '--to', '4')).toEqual([2, 3, 4])
    expect(await positions('--from', '-2')).toEqual([12, 13])
    expect(await positions('--from', '-99', '--limit', '1')).toEqual([1])
    expect(await positions('--from', '14')).toEqual([])
  })

  test('gives programs each fact as it is, and bytes that are no JSON as base64', async () => {
    const [verdict, junk] = json(
      (await run(['log', '--json', '--name', 'verdict.>', '--from', '11'], { cwd })).stdout,
    )
    expect(verdict).toMatchObject({ fact: { type: 'warrant.verdict.v1', basis: '10' } })
    expect(Date.parse(verdict.appendedAt)).toBeGreaterThan(0)
    expect(junk).toMatchObject({ name: 'main.1.verdict.x.-.y', fact: { base64: '/w==' } })
  })

  test('lists the groundings of messages with an issue', async () => {
    const none = await run(['log', '--issue', 'seq_gap'], { cwd })
    expect([none.code, none.stdout]).toEqual([0, ''])
    const wrong = await run(['log', '--issue', 'gap'], { cwd })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('seq_gap')])
    const folder = await temporaryFolder()
    const log = await sqliteLog(join(folder, 'log.db'))
    const said = ['{"issues":[{"code":"seq_gap"}]}', '{"text":"\\"code\\":\\"seq_gap\\""}']
    for (const [nth, text] of said.entries()) {
      await log.append({ name: `main.1.grounding.x.-.y${nth}.1`, bytes: Buffer.from(text) })
    }
    await log.close()
    const found = await run(['--log', 'log.db', 'log', '--issue', 'seq_gap'], { cwd: folder })
    expect(lines(found.stdout)).toEqual([expect.stringContaining('grounding.x.-.y0.1')])
  })

  test('lists what is open, how old it is, and whom it waits for', async () => {
    expect((await run(['log', '--open'], { cwd })).stdout).toBe('nothing is open\n')
    const args = ['ask', 'send_email', '--no-stages', '--wait', '0', ...reason]
    expect((await run(args, { cwd })).code).toBe(4)
    const open = await run(['log', '--open', '--json'], { cwd })
    expect(json(open.stdout)).toMatchObject([
      { rows: [{ tool: 'send_email', state: 'undecided', waits: { for: 'grounding' } }] },
    ])
    const table = await run(['log', '--open'], { cwd })
    expect(table.stdout).toMatch(/^age +tool +waits for +intent\n.* send_email {2}the grounding/)
    // A client that runs the stages answers what was left.
    await run(['ask', 'send_email', ...reason], { cwd })
    expect((await run(['log', '--open'], { cwd })).stdout).toBe('nothing is open\n')
  })
})

describe('a trace', () => {
  test('is found by its address, any fact of it and an end', async () => {
    const found = json(
      (await run(['log', '--json', '--name', 'verdict.my-agent.>'], { cwd })).stdout,
    )
    const { name } = found[0]
    const address = name.replace('main.1.verdict.', '')
    for (const meant of [name, address, address.slice(-12), name.replace('verdict', 'vlp')]) {
      const { stdout } = await run(['trace', meant, '--json'], { cwd })
      const [story] = json(stdout)
      expect(story).toMatchObject({ intent: address, outcome: 'deny' })
      expect(story.steps).toHaveLength(3)
      expect(story.steps.map(({ void: why }: { void: unknown }) => why)).toEqual([null, null, null])
    }
    const none = await run(['trace', 'unknown'], { cwd })
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no intent `unknown`')])
  })
})

describe('the graph and the catalog', () => {
  test('are shown to people, and to programs as the files they were seeded from', async () => {
    const folder = join(cwd, 'copy')
    await mkdir(folder)
    for (const what of ['graph', 'catalog']) {
      const { stdout } = await run([what, 'show', '--json'], { cwd })
      await writeFile(join(folder, `${what}.json`), stdout)
    }
    const seeded = await run(['seed', 'copy'], { cwd })
    expect(seeded).toMatchObject({
      code: 0,
      stdout: 'up to date: no changes in copy\n',
    })
    const graph = await run(['graph', 'show', 'EMAIL'], { cwd })
    expect(lines(graph.stdout).slice(1, 3)).toEqual(['email', '  D0 EXISTENCE'])
    const catalog = await run(['catalog', 'show'], { cwd })
    expect(catalog.stdout).toMatch(/my-agent +writer +you/)
    const none = await run(['graph', 'show', 'nothing'], { cwd })
    expect([none.code, none.stderr]).toEqual([1, 'warrant: the graph has no `nothing`\n'])
  })
})

describe('keys and the stop button', () => {
  test('never show a private key, and name the principal of each key', async () => {
    const made = await run(['keys', 'new', 'olga'], { cwd })
    expect(made.code).toBe(0)
    const again = await run(['keys', 'new', 'olga'], { cwd })
    expect([again.code, again.stdout]).toEqual([1, ''])
    const list = await run(['keys', 'list'], { cwd })
    expect(list.stdout).toMatch(
      /olga +no one yet +\S{16} +ed25519:\S{43} +no passphrase\nyou +you /,
    )
    const pem = await readFile(join(cwd, '.keys/olga.pem'), 'utf8')
    const secret = pem.split('\n')[1] ?? 'none'
    expect(made.stdout + list.stdout).not.toContain(secret)
  })

  test('are only a policy admin’s to press, and press once', async () => {
    const foreign = await run(['suspend', 'my-agent', '--as', 'olga'], { cwd })
    expect(foreign).toMatchObject({ code: 1, stdout: '' })
    expect(foreign.stderr).toContain('`olga` with that key is not of a policy admin')
    const unknown = await run(['suspend', 'unknown'], { cwd })
    expect(unknown.code).toBe(1)
    const press = async (op: string) =>
      json((await run([op, 'my-agent', '--json'], { cwd })).stdout)
    expect(await press('suspend')).toMatchObject([{ suspended: true, revision: 2, changed: true }])
    expect(await press('suspend')).toMatchObject([{ suspended: true, revision: 2, changed: false }])
    // Seeding the same folder again does not let it go on.
    expect((await run(['seed', 'warrant'], { cwd })).stdout).toContain('up to date')
    expect(await press('unsuspend')).toMatchObject([{ suspended: false, revision: 3 }])
  })
})

test('an agent that has a key must sign, and the log is the one that was named', async () => {
  const elsewhere = await temporaryFolder()
  const env = { WARRANT_LOG: join(cwd, '.warrant/log.db') }
  const keys = { WARRANT_KEYS: keysOf(cwd) }
  const { publicKey } = json((await run(['keys', 'new', 'bot', '--json'], { cwd })).stdout)[0]
  const bot = { id: 'bot', roles: ['writer'], owner: 'you', keys: [publicKey] }
  await seedChanged(cwd, (catalog) => void catalog.principals.push(bot))
  const args = ['ask', 'send_email', '--json', ...reason]
  const which = await run(args, { cwd: elsewhere, env })
  expect([which.code, json(which.stdout)]).toMatchObject([2, [{ error: { code: 'usage' } }]])
  const codes = async (...more: string[]) => {
    const { stdout } = await run([...args, ...more], { cwd: elsewhere, env: { ...env, ...keys } })
    return json(stdout)[0].reasons.map(({ code }: { code: string }) => code)
  }
  expect(await codes('--agent', 'bot')).toEqual(['ungrounded'])
  const other = join(cwd, '.keys/olga.pem')
  expect(await codes('--agent', 'bot', '--key', other)).toContain('sender_mismatch')
  // Two intents of one session count on.
  expect(await codes('--agent', 'bot', '--session', 'S1')).toEqual(['ungrounded'])
  expect(await codes('--agent', 'bot', '--session', 'S1')).toEqual(['ungrounded'])
  const { stdout } = await run(['log', '--json', '--name', 'vlp.bot.S1.*'], { cwd })
  expect(json(stdout).map(({ fact }) => fact.seq)).toEqual([1, 2])
})
