// Holding a server's configuration against the roles: what someone planted in it is found, in
// whatever way it is written, and what is not understood is refused by its line.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { intakePrefix } from '#log/nats/intake'
import { parsedConfig } from '#log/nats-config/parser'
import { inboxOf, newUserKey, userKeyOf } from '#log/nats-config/nkeys'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const files: Readonly<Record<string, string>> = {
  'users.conf': 'users = [a, b]',
  'round.conf': 'include ./round.conf',
}
const parsed = (text: string) =>
  parsedConfig(text, 'server.conf', (name) => {
    const file = name.replace('./', '')
    return { file, text: files[file] ?? '' }
  })

describe('the format of a nats-server', () => {
  test.each([
    ['a colon', 'port: 4222', { port: '4222' }],
    ['an equals sign', 'port=4222', { port: '4222' }],
    ['a space', 'port 4222', { port: '4222' }],
    ['a block', 'a { b: 1; c: 2 }', { a: { b: '1', c: '2' } }],
    ['a block after a colon', 'a: {\n  b: 1\n}', { a: { b: '1' } }],
    ['a list in one line', 'a: [x, "y z", {b: 1}]', { a: ['x', 'y z', { b: '1' }] }],
    ['a list of lines', 'a [\n  x\n  y,\n]', { a: ['x', 'y'] }],
    ['comments', '# a: 1\n// b: 2\nc: 3 # d\ne: 4 // f', { c: '3', e: '4' }],
    ['quotes', `'a b': "c\\"d\\\\e", f: '\\x'`, { 'a b': 'c"d\\e', f: '\\x' }],
    ['an address', 'routes: [nats-route://n2:6222]', { routes: ['nats-route://n2:6222'] }],
    [
      'a file that it includes',
      'c { include ./users.conf }\nd: 1',
      { c: { users: ['a', 'b'] }, d: '1' },
    ],
    ['a key of another meaning', 'include: x', { include: 'x' }],
    ['nothing', ' \n', {}],
  ])('is read with %s', (_, text, value) => {
    expect(parsed(text)).toEqual(value)
  })

  test.each([
    ['a variable', 'a: 1\nb: $TOKEN', 2],
    ['a block of text', 'a: (\n b\n)', 1],
    ['a key twice', 'a: 1\n\na: 2', 3],
    ['a block without end', 'a {\n b: 1\n', 1],
    ['a list without end', '\na [ b', 2],
    ['an end without a block', 'a: 1\n}', 2],
    ['a key without a value', 'a: 1\nb', 2],
    ['a quote without end', 'a: "b\n"', 1],
    ['an unknown escape', 'a: 1\nb: "\\q"', 2],
    ['a file that includes itself', 'include ./round.conf', 1],
    ['a value without a key', '"": 1', 1],
  ])('is refused with %s, by its line', (_, text, line) => {
    expect(() => parsed(text)).toThrow(`line ${line}: `)
  })
})

describe('a configuration that someone changed', () => {
  let cwd = ''
  let text = ''
  let bot = ''
  const users = ['--user', 'agent:bot', '--user', 'confirmer:olga']

  beforeAll(async () => {
    cwd = await temporaryFolder()
    await run(['nats-config', ...users, '--era', '2'], { cwd })
    text = await readFile(join(cwd, 'nats/server.conf'), 'utf8')
    bot = userKeyOf(await readFile(join(cwd, 'nats/agent-bot.nk'), 'utf8')).publicKey
  })

  async function checked(changed: string, ...more: readonly string[]) {
    await writeFile(join(cwd, 'changed.conf'), changed)
    const ran = await run(['nats-config', '--check', 'changed.conf', '--json', ...more], { cwd })
    return { ...ran, ...(ran.stdout === '' ? {} : JSON.parse(ran.stdout)) }
  }

  /** With that in place of the first such line of the user. */
  function ofUser(publicKey: string, from: string | RegExp, to: string): string {
    const at = text.indexOf(`nkey: ${publicKey}`)
    const changed = text.slice(0, at) + text.slice(at).replace(from, to)
    expect(changed).not.toBe(text)
    return changed
  }

  /** With that as the first of a list of the account of agents. */
  function inAgents(list: string, one: string): string {
    const at = text.indexOf(`${list}: [`, text.indexOf('  AGENTS {')) + `${list}: [`.length
    return `${text.slice(0, at)}\n${one}${text.slice(at)}`
  }

  const policy = async () =>
    userKeyOf(await readFile(join(cwd, 'nats/policy.nk'), 'utf8')).publicKey

  test('is as it was made, also without its comments and written another way', async () => {
    expect(await checked(text)).toMatchObject({ code: 0, ok: true, differences: [] })
    const [first = '', second = '', ...rest] = text.split('\n')
    const plain = rest
      .join('\n')
      .replaceAll(/^ *#.*\n/gm, '')
      .replaceAll(': [', ' = [')
    const found = await checked([first, second, plain].join('\n'))
    expect(found).toMatchObject({ code: 0, ok: true })
    const foreign = await checked(plain)
    expect([foreign.code, foreign.stderr.includes('give --users')]).toEqual([2, true])
    expect(await checked(plain, ...users, '--era', '2')).toMatchObject({ code: 0, ok: true })
  })

  test.each([
    ['all of the realm', '"main.>"'],
    ['what is another agent’s', '"main.1.vlp.*.*.*"'],
    ['every question', '"LOG.API.>"'],
    ['everything', '">"'],
  ])('lets an agent publish %s', async (_, subject) => {
    const found = await checked(ofUser(bot, 'publish: [', `publish: [\n${subject}`))
    expect(found).toMatchObject({ code: 1, ok: false })
    expect(found.differences).toEqual([
      { is: 'wider', about: 'agent:bot', found: `it may publish ${JSON.parse(subject)}` },
    ])
  })

  test('gives policy what is of grounding', async () => {
    const planted = 'publish: [\n"main.1.grounding.*.*.*"'
    const { differences } = await checked(ofUser(await policy(), 'publish: [', planted))
    expect(differences).toMatchObject([{ is: 'wider', about: 'policy:policy' }])
  })

  test('lets a user listen to another’s answers', async () => {
    const inbox = `"${inboxOf(await policy())}.>"`
    const { differences } = await checked(ofUser(bot, 'subscribe: [', `subscribe: [\n${inbox}`))
    expect(differences).toMatchObject([{ is: 'wider', about: 'agent:bot' }])
  })

  test('allows everything where it allows nothing, or denies alone', async () => {
    for (const publish of ['[]', '{ deny: ["x.>"] }', '{ allow: [], deny: "x.>" }']) {
      const { differences } = await checked(
        ofUser(bot, /publish: \[[^\]]*\]/, `publish: ${publish}`),
      )
      expect(differences).toContainEqual({
        is: 'wider',
        about: 'agent:bot',
        found: 'it may publish >',
      })
    }
    const bare = await checked(ofUser(bot, /permissions \{[^}]*\}/, ''))
    expect(bare.differences).toContainEqual({
      is: 'wider',
      about: 'agent:bot',
      found: 'it may subscribe >',
    })
  })

  test('keeps someone from its work', async () => {
    const subject = `${intakePrefix('main', 'bot')}.vlp.bot.*.*`
    const taken = ofUser(bot, `"${subject}"`, '')
    expect((await checked(taken)).differences).toEqual([
      { is: 'narrower', about: 'agent:bot', found: `it may not publish ${subject}` },
    ])
    const denied = ofUser(bot, /publish: (\[[^\]]*\])/, 'publish: { allow: $1, deny: "main.2.>" }')
    expect((await checked(denied)).differences).toMatchObject([
      { is: 'narrower', about: 'agent:bot', found: 'it may not publish main.2.>' },
    ])
    const gone = await checked(text, ...users, '--user', 'auditor:new', '--era', '3')
    expect(gone.code).toBe(2)
    const { differences } = await checked(text, '--era', '3')
    expect(new Set(differences.map(({ is }: { is: string }) => is))).toEqual(new Set(['narrower']))
  })

  test('lets in who is of no role, or by another way', async () => {
    const { publicKey } = newUserKey()
    const plants = [
      [inAgents('users', `{ nkey: ${publicKey} }`), `user ${publicKey}`],
      [inAgents('users', '{ user: a, password: b }'), 'a user without an nkey'],
      [`${text}no_auth_user: a\n`, 'no_auth_user'],
      [`${text}leafnodes { listen: "0.0.0.0:7422" }\n`, 'leafnodes'],
      [
        text.replace('LOG {', 'OTHER { users: [{ user: a, password: b }] }\nLOG {'),
        'account OTHER',
      ],
      [
        ofUser(bot, 'permissions {', 'permissions {\nallow_responses: true'),
        'agent:bot permissions allow_responses',
      ],
      [text.replace('AGENTS {', 'AGENTS {\nmappings { a: b }'), 'account AGENTS mappings'],
    ] as const
    for (const [planted, about] of plants) {
      const { code, differences } = await checked(planted)
      expect([about, code]).toEqual([about, 1])
      expect(differences).toContainEqual(expect.objectContaining({ is: 'unknown', about }))
    }
  })

  test('imports or exports more, or less', async () => {
    const all = '{ service: { account: LOG, subject: "$JS.API.>" } }'
    expect((await checked(inAgents('imports', all))).differences).toMatchObject([
      { is: 'wider', about: 'account AGENTS' },
    ])
    const open = text.replace(', accounts: [AGENTS] }', ' }')
    expect((await checked(open)).differences).toMatchObject([
      { is: 'wider', about: 'account LOG' },
      { is: 'narrower', about: 'account LOG' },
    ])
  })

  test('is listed for people, and one that is not understood ends with its line', async () => {
    await writeFile(join(cwd, 'changed.conf'), `${text}no_auth_user: a\n`)
    const listed = await run(['nats-config', '--check', 'changed.conf'], { cwd })
    expect([listed.code, listed.stdout.includes('no_auth_user')]).toEqual([1, true])
    const unread = await checked(text.replace('listen: ', 'listen: $HOST # '))
    expect(unread).toMatchObject({ code: 1, error: { code: 'server_config_unread' } })
    expect(unread.error.message).toContain('line 3: ')
  })
})
