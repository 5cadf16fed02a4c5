// `warrant dev` as one person uses it on one machine: from nothing to decisions on lines, and the
// keys that answer at the terminal.
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, hasTerminals, type Typed } from '../../at-terminal.ts'
import { runChild } from '../../../support/cli-process.ts'
import { keysOf } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { devIn } from './dev-started.ts'
import { request } from 'node:http'

const why = ['--justification', 'Ann asked for her invoice']
const asked = ['ask', 'send_email', '--agent', 'my-agent', '--arg', 'to=ann@example.org', ...why]

interface Called {
  readonly url: string
  readonly token: string
  readonly headers?: Readonly<Record<string, string>>
}

function posted({ url, token, headers = {} }: Called, args: object): Promise<Response> {
  return fetch(`${url}/v1/intents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ tool: 'send_email', args, justification: 'Ann asked for it today' }),
  })
}

/** A seed folder whose tool asks its owner each time. */
async function askingSeed(cwd: string): Promise<void> {
  await mkdir(join(cwd, 'warrant'))
  const condition = { name: 'ask', when: 'true', effect: 'confirm', question: 'May it?' }
  const catalog = {
    principals: [
      { id: 'ann', roles: ['policy-admin'] },
      { id: 'my-agent', roles: ['writer'], owner: 'ann', via: ['http'] },
    ],
    capabilities: [
      {
        id: 'send_email',
        safetyClass: 'WRITE',
        argsSchema: { type: 'object' },
        conditions: [condition],
      },
    ],
  }
  await writeFile(join(cwd, 'warrant', 'catalog.json'), JSON.stringify(catalog))
  await writeFile(join(cwd, 'warrant', 'graph.json'), JSON.stringify({ primitives: [] }))
}

describe('dev', () => {
  test('from nothing to decisions on lines, and on again with its log', async () => {
    const cwd = await temporaryFolder()
    const first = await devIn(cwd)
    const answer = await posted(first, { to: 'ann@example.org', body: 'x'.repeat(200), n: 1 })
    expect([answer.status, Object(await answer.json()).outcome]).toEqual([200, 'allow'])
    await expect
      .poll(first.lines)
      .toMatch(/\d\d:\d\d:\d\d {2}ALLOW {2}my-agent {2}send_email to=ann@example.org body=x+… …\n/)
    const denied = await runChild(['ask', 'nothing', '--agent', 'my-agent'], { cwd })
    expect(denied.code).toBe(3)
    await expect.poll(first.lines).toMatch(/DENY {3}my-agent {2}nothing {2}\S/)
    expect(await first.end()).toBe(0)
    expect(first.lines()).toContain('the log stays in .warrant/log.db')
    const second = await devIn(cwd)
    expect(second.lines()).toContain('The log of dev')
    expect((await posted({ ...second, token: first.token }, {})).status).toBe(401)
    expect((await posted(second, { to: 'bob@example.org' })).status).toBe(200)
    expect(second.lines()).toContain('no one can answer')
    expect(first.lines() + second.lines()).not.toContain('#dev=')
    const log = await runChild(['log'], { cwd })
    expect(log.stdout.match(/verdict\./g)).toHaveLength(3)
    expect(await runChild(['replay'], { cwd })).toMatchObject({ code: 0 })
  })

  test('says in which folder its lines work, where that is another than this one', async () => {
    const cwd = await temporaryFolder()
    const here = await devIn(cwd)
    const there = await devIn(cwd, ['try', '--console', '0'])
    expect(here.lines()).toMatch(/To paste:\n[^]*another terminal:\n/)
    expect(there.lines()).toMatch(/To paste, in try:\n[^]*another terminal, in try:\n/)
  })

  test('puts the log of before aside where another is to begin, with all of it', async () => {
    const cwd = await temporaryFolder()
    const first = await devIn(cwd)
    await posted(first, { to: 'ann@example.org' })
    await first.end()
    const before = await runChild(['log', '--json'], { cwd })
    const second = await devIn(cwd, ['--fresh'])
    expect(second.lines()).toContain('A new log of dev')
    await second.end()
    const [aside = '', ...more] = (await readdir(cwd)).filter((name) => name.includes('.before-'))
    expect(more).toEqual([])
    const kept = await runChild(['log', '--json', '--log', join(aside, 'log.db')], { cwd })
    expect(kept.stdout).toBe(before.stdout)
    const { stdout } = await runChild(['log'], { cwd })
    expect(stdout).not.toContain('verdict')
  })

  test.runIf(hasTerminals)('one key at the terminal approves, and another declines', async () => {
    const cwd = await temporaryFolder()
    await askingSeed(cwd)
    await (await devIn(cwd)).end()
    const outcomes: string[] = []
    for (const [key, says] of [
      ['a', 'approved by ann'],
      ['d', 'declined by ann'],
    ] as const) {
      const open = await runChild([...asked, '--wait', '0', '--distinct'], { cwd })
      const intent = /intent {2}(\S+)/.exec(open.stdout)?.[1] ?? ''
      expect([open.code, intent]).toEqual([4, expect.stringMatching(/./)])
      const typed: readonly Typed[] = [
        { after: 'a approves, d declines, as ann', line: key === 'd' ? 'pd' : key, isKeys: true },
        { after: says, line: '\u0003', isKeys: true },
      ]
      const { code, screen } = await atTerminal(
        ['dev', '--http', '0', '--console', '0'],
        { cwd },
        typed,
      )
      expect([code, screen]).toEqual([0, expect.stringContaining('"to": "ann@example.org"')])
      expect(screen).toContain('May it?')
      expect(screen).toMatch(/page {3}http:\/\/localhost:\d+\/#dev=\S+/)
      expect(screen.match(/#dev=/g)).toHaveLength(key === 'a' ? 1 : 2)
      outcomes.push((await runChild(['trace', intent], { cwd })).stdout)
    }
    expect(outcomes[0]).toContain('`ann` agrees')
    expect(outcomes[1]).toContain('because `ann` declined it')
  })

  test.runIf(hasTerminals)('a reason is typed where one is needed, or left', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const unsaid = asked.slice(0, -2)
    expect((await runChild([...unsaid, '--wait', '0'], { cwd })).code).toBe(4)
    const typed: readonly Typed[] = [
      { after: 'a approves, d declines, as ann', line: 'a', isKeys: true },
      { after: 'why (', line: 'too short' },
      { after: 'that is shorter than', line: 'a', isKeys: true },
      { after: 'why (', line: 'her invoice is due\u001B', isKeys: true },
      { after: 'left as it is', line: 'a', isKeys: true },
      { after: 'why (', line: 'Ann called\u007F\u007Fed, her invoice is due' },
      { after: 'approved by ann', line: '\u0003', isKeys: true },
    ]
    const { code } = await atTerminal(['dev', '--http', '0', '--console', '0'], { cwd }, typed)
    expect(code).toBe(0)
    const log = await runChild(['log', '--kind', 'decision', '--json'], { cwd })
    expect(log.stdout).toContain('Ann called, her invoice is due')
    expect((await runChild(['log', '--outcome', 'allow'], { cwd })).stdout).toContain('allow')
  })

  test('has on demand what hooks of coding agents need, in a new log alone', async () => {
    const cwd = await temporaryFolder()
    const plain = await devIn(cwd)
    expect(plain.lines()).toContain('init --for claude-code')
    await plain.end()
    const refused = await runChild(['dev', '--hooks', '--http', '0'], { cwd, isBare: true })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    const hooked = await devIn(cwd, ['--fresh', '--hooks'])
    const event = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    }
    const input = JSON.stringify({ session_id: 's', cwd, ...event })
    const words = ['hook', 'run', '--for', 'claude-code', '--as', 'coding-agent']
    expect(await runChild(words, { cwd, input, isBare: true })).toMatchObject({ code: 0 })
    await expect.poll(hooked.lines).toMatch(/ALLOW {2}coding-agent {2}shell.run command=ls/)
  })

  test('its key is its own: for its owner’s eyes, marked, and in no file of the project', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const [name = '', ...more] = (await readdir(keysOf(cwd))).filter((one) => one.endsWith('.pem'))
    expect([name, more]).toEqual([expect.stringMatching(/^dev-[0-9a-f]{8}\.pem$/), []])
    const file = join(keysOf(cwd), name)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toMatch(/^For one log of `warrant dev`/)
    const { stdout } = await runChild(['keys', 'list', '--json'], { cwd })
    const publicKey = /ed25519:[\w-]{43}/.exec(stdout)?.[0] ?? 'none'
    expect(readFileSync(join(cwd, 'warrant', 'catalog.json'), 'utf8')).not.toContain(publicKey)
  })
})

// What `warrant dev` refuses, and what others refuse of what it made.

async function keyIn(cwd: string): Promise<string> {
  const [name = ''] = (await readdir(keysOf(cwd))).filter((one) => one.startsWith('dev-'))
  return join(keysOf(cwd), name)
}

describe('dev refuses', () => {
  test.each(['0.0.0.0:0', '[::]:0', '192.0.2.7:7718', 'example.org:7718'])(
    'to serve at %s, and begins nothing',
    async (address) => {
      const cwd = await temporaryFolder()
      for (const door of ['--http', '--console']) {
        const refused = await runChild(['dev', door, address], { cwd, isBare: true })
        expect(refused).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining('this machine alone'),
        })
      }
      expect(await readdir(cwd)).toEqual([])
    },
  )

  test('a log that it did not begin, and leaves it where it is', async () => {
    const cwd = await temporaryFolder()
    await runChild(['init', '--as', 'ann'], { cwd })
    const before = await runChild(['log', '--json'], { cwd })
    for (const more of [[], ['--fresh']]) {
      const refused = await runChild(['dev', '--http', '0', ...more], { cwd, isBare: true })
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('was not begun by `warrant dev`'),
      })
    }
    expect((await runChild(['log', '--json'], { cwd })).stdout).toBe(before.stdout)
  })

  test('a log that was marked later, by someone who may change its catalog', async () => {
    const cwd = await temporaryFolder()
    await runChild(['init', '--as', 'ann'], { cwd })
    const catalog = JSON.stringify({ dev: true })
    const marked = ['catalog', 'import', '-', '--key', 'ann', '--yes']
    const imported = await runChild(marked, { cwd, input: catalog, isBare: true })
    expect(imported).toMatchObject({ code: 0 })
    const refused = await runChild(['dev', '--http', '0'], { cwd, isBare: true })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not begun') })
  })

  test('another host, a page of elsewhere, and who has no login', async () => {
    const cwd = await temporaryFolder()
    const { url, token } = await devIn(cwd)
    const asks = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(`${url}/v1/standings`, { headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sent.once('error', reject)
        sent.end()
      })
    const authorization = `Bearer ${token}`
    expect(await asks({ authorization })).toBe(200)
    expect(await asks({ authorization, host: 'evil.example' })).toBe(421)
    expect(await asks({ authorization, origin: 'https://evil.example' })).toBe(403)
    expect(await asks({ authorization, origin: url })).toBe(403)
    expect(await asks({})).toBe(401)
  })
})

describe('what dev made', () => {
  test('is refused in production, and doctor says why', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const found = await runChild(['doctor', '--json'], { cwd })
    expect(found.stdout).toContain('it was begun by `warrant dev`')
    const up = await runChild(['up', '--production'], { cwd, isBare: true })
    expect(up).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it was begun by `warrant dev`'),
    })
  })

  test('signs nothing where no person is at a terminal', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const key = await keyIn(cwd)
    for (const words of [
      ['suspend', 'my-agent', '--key', key, '--yes'],
      ['apply', 'warrant', '--key', key, '--yes'],
    ]) {
      const refused = await runChild(words, { cwd, isBare: true })
      expect({ words, ...refused }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no person is at a terminal here'),
      })
    }
  })

  test.runIf(hasTerminals)('signs at one, in its own log and in no other', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const key = await keyIn(cwd)
    const own = await atTerminal(['suspend', 'my-agent', '--key', key, '--yes'], { cwd }, [])
    expect(own).toMatchObject({ code: 0 })
    const init = await runChild(['init', 'other', '--as', 'ann'], { cwd })
    expect(init.stdout).not.toContain('dev-')
    const other = join(cwd, 'other')
    const env = { WARRANT_KEYS: keysOf(cwd) }
    const words = ['suspend', 'my-agent', '--key', key, '--yes']
    const refused = await atTerminal(words, { cwd: other, env }, [])
    expect(refused).toMatchObject({
      code: 1,
      screen: expect.stringContaining('signs in a log of `warrant dev`, and in no other'),
    })
    const asOwn = await runChild(['suspend', 'my-agent', '--key', 'ann', '--yes'], {
      cwd: other,
      env,
    })
    expect(asOwn).toMatchObject({ code: 0 })
  })

  test.runIf(hasTerminals)('goes on at no terminal whose user has another key', async () => {
    const cwd = await temporaryFolder()
    await (await devIn(cwd)).end()
    const env = { WARRANT_KEYS: join(cwd, 'elsewhere') }
    const seen = await atTerminal(['dev', '--http', '0', '--console', '0'], { cwd, env }, [])
    expect(seen).toMatchObject({
      code: 1,
      screen: expect.stringContaining('the key that began this log is not among yours'),
    })
  })
})
