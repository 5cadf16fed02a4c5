// The command that writes the configuration: what it writes, what it keeps, what it never shows.
import { spawnSync } from 'node:child_process'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newUserKey, userKeyOf } from '#log/nats-config/nkeys'
import { shardOf } from '#log/nats/intake'
import { serverConfig } from '#log/nats-config/server-config'
import { queueOf, token } from '#record/names'
import { run } from '../../support/cli-runner.ts'
import { natsBinary } from '../../support/servers/nats-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const config = (...args: string[]) => ['nats-config', ...args]
const textOf = (cwd: string) => readFile(join(cwd, 'nats/server.conf'), 'utf8')

describe('a configuration', () => {
  test('has the operator, the stages and anyone who is named, each with a seed of its own', async () => {
    const cwd = await temporaryFolder()
    const { code, stdout } = await run(config('--user', 'agent:bot'), { cwd })
    expect(code).toBe(0)
    const seeds = [
      'agent-bot',
      'confirmation',
      'grounding',
      'learning',
      'operator',
      'policy',
      'verification',
    ]
    const files = (await readdir(join(cwd, 'nats'))).toSorted()
    const names = ['.gitignore', ...seeds.map((name) => `${name}.nk`), 'server.conf']
    expect(files).toEqual(names.toSorted())
    const text = await textOf(cwd)
    for (const name of seeds) {
      const file = join(cwd, 'nats', `${name}.nk`)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const { seed, publicKey } = userKeyOf(await readFile(file, 'utf8'))
      expect(text).toContain(`nkey: ${publicKey}`)
      expect(text + stdout).not.toContain(seed)
    }
    expect((await stat(join(cwd, 'nats'))).mode & 0o777).toBe(0o700)
    expect(await readFile(join(cwd, 'nats/.gitignore'), 'utf8')).toBe('*.nk\n')
    expect(text + stdout).not.toMatch(/\bSU[A-Z2-7]{20}/)
    expect(stdout).toContain('nats-server -c')
  })

  test('made again keeps every seed, and gives new users theirs', async () => {
    const cwd = await temporaryFolder()
    await run(config('--user', 'agent:bot'), { cwd })
    const seedFile = join(cwd, 'nats/agent-bot.nk')
    const seed = await readFile(seedFile, 'utf8')
    await chmod(seedFile, 0o644)
    const again = await run(config('--user', 'agent:bot', '--user', 'agent:new', '--json'), { cwd })
    expect(await readFile(seedFile, 'utf8')).toBe(seed)
    expect((await stat(seedFile)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(again.stdout).users).toContainEqual({
      role: 'agent',
      name: 'bot',
      publicKey: userKeyOf(seed).publicKey,
      seedFile,
      isNew: false,
      prefix: `main.in.${shardOf('bot')}`,
    })
    expect(again.stdout).not.toContain(seed.trim())
    expect(await textOf(cwd)).toContain('# agent "new"')
  })

  test('made again, it keeps what is not given, also where seeds have gone to their owners', async () => {
    const cwd = await temporaryFolder()
    const given = ['--store', '/data', '--http', '127.0.0.1:8222', '--max-file-store', '2TB']
    await run(config('--user', 'agent:bot', '--user', 'agent:old', ...given), { cwd })
    const before = await textOf(cwd)
    for (const name of ['operator', 'agent-bot']) await rm(join(cwd, 'nats', `${name}.nk`))
    const same = await run(config(), { cwd })
    expect(await textOf(cwd)).toBe(before)
    expect(same.stdout).not.toContain('(new)')
    await run(config('--era', '2'), { cwd })
    const text = await textOf(cwd)
    for (const part of [
      '"/data"',
      '"127.0.0.1:8222"',
      '2TB',
      `"main.in.${shardOf('bot')}.vlp.bot.*.*"`,
      'LOG-main-2.',
    ])
      expect(text).toContain(part)
    const fewer = await run(config('--user', 'agent:bot'), { cwd })
    expect(fewer.stdout).toContain('No user any more: agent:old.')
    expect(await textOf(cwd)).toContain('LOG-main-2.')
  })

  test('gives a user a new key only when that is asked for', async () => {
    const cwd = await temporaryFolder()
    await run(config('--user', 'agent:bot'), { cwd })
    const seedFile = join(cwd, 'nats/agent-bot.nk')
    const seed = await readFile(seedFile, 'utf8')
    expect((await run(config('--new-key', 'agent:bot'), { cwd })).code).toBe(0)
    const renewed = await readFile(seedFile, 'utf8')
    expect(renewed).not.toBe(seed)
    expect(await textOf(cwd)).toContain(userKeyOf(renewed).publicKey)
    expect(await textOf(cwd)).not.toContain(userKeyOf(seed).publicKey)
    expect((await run(config('--new-key', 'agent:no'), { cwd })).code).toBe(2)
  })

  test('is a file for each server of a cluster, with the same users', async () => {
    const cwd = await temporaryFolder()
    for (const [index, name] of ['n1', 'n2'].entries()) {
      const cluster = ['--cluster', 'c', '--cluster-listen', `127.0.0.1:${6222 + index}`]
      await run(config('--user', 'agent:bot', '--server-name', name, ...cluster), { cwd })
    }
    await run(config('--server-name', 'n1', '--era', '2'), { cwd })
    const [one, two] = await Promise.all(
      ['n1', 'n2'].map((name) => readFile(join(cwd, `nats/${name}.conf`), 'utf8')),
    )
    expect(one).toContain('"127.0.0.1:6222"')
    expect(one).toContain('main.2.')
    expect(two).not.toContain('main.2.')
    const keysIn = (text = '') => new Set(text.match(/nkey: U\w+/g))
    expect(keysIn(one)).toEqual(keysIn(two))
  })

  test('is refused where the file is of another realm, or its options were edited', async () => {
    const cwd = await temporaryFolder()
    await run(config('--realm', 'acme'), { cwd })
    const other = await run(config(), { cwd })
    expect([other.code, other.stderr.includes('realm `acme`')]).toEqual([2, true])
    const file = join(cwd, 'nats/server.conf')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"era":1', '"era":0'))
    const edited = await run(config('--realm', 'acme'), { cwd })
    expect([edited.code, edited.stderr.includes('second line')]).toEqual([1, true])
  })

  test('takes public keys from a file, and writes no seed for them', async () => {
    const cwd = await temporaryFolder()
    const { publicKey } = newUserKey()
    const users = [{ role: 'confirmer', name: 'olga@example.com', key: publicKey }]
    await writeFile(join(cwd, 'users.json'), JSON.stringify(users))
    expect((await run(config('--users', 'users.json'), { cwd })).code).toBe(0)
    const text = await textOf(cwd)
    expect(text).toContain(`"_INBOX_${publicKey}.>"`)
    expect(text).toContain(`"main.1.decision.*.*.*.*.${token('olga@example.com')}"`)
    expect((await readdir(join(cwd, 'nats'))).some((name) => name.includes('olga'))).toBe(false)
  })

  test('is printed alone, and then nothing is written', async () => {
    const cwd = await temporaryFolder()
    const refused = await run(config('--print'), { cwd })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('--print writes no seed')
    expect(await readdir(cwd)).toEqual([])
    await run(config(), { cwd })
    const { code, stdout } = await run(config('--print'), { cwd })
    expect(code).toBe(0)
    expect(stdout).toBe(await textOf(cwd))
  })

  test('shows which log the seeds are for, where that is known, and else where it is printed', async () => {
    const cwd = await temporaryFolder()
    const log = `sha256:${'0a'.repeat(32)}`
    const root = 'abcdefghijklmnop'
    const before = await run(config(), { cwd })
    expect(before.stdout).toContain('WARRANT_ROOT_KEY=… WARRANT_LOG_ID=…')
    expect(before.stdout).toContain('`warrant apply` prints')
    const env = { WARRANT_LOG_ID: log }
    const after = await run(config('--root-key', root), { cwd, env })
    expect(after.stdout).toContain(`WARRANT_ROOT_KEY=${root} WARRANT_LOG_ID=${log}`)
    expect(after.stdout).not.toContain('`warrant apply` prints')
    const json = await run(config('--json'), { cwd, env: { ...env, WARRANT_ROOT_KEY: root } })
    expect(JSON.parse(json.stdout)).toMatchObject({ log, root })
    const slip = await run(config(), { cwd, env: { WARRANT_LOG_ID: 'production' } })
    expect([slip.code, slip.stderr.includes('WARRANT_LOG_ID')]).toEqual([2, true])
  })

  test('says how much of the disk the server uses', async () => {
    const cwd = await temporaryFolder()
    const { stdout } = await run(config(), { cwd })
    expect(await textOf(cwd)).toContain('max_file_store: 10GB\n')
    expect(stdout).toContain('At 10GB')
    await run(config('--max-file-store', '2TB'), { cwd })
    expect(await textOf(cwd)).toContain('max_file_store: 2TB\n')
  })

  test('covers every era up to the newest, of its realm', async () => {
    const cwd = await temporaryFolder()
    await run(config('--era', '2', '--realm', 'acme', '--user', 'agent:bot'), { cwd })
    const text = await textOf(cwd)
    for (const era of [1, 2]) {
      expect(text).toContain(`.LOG-acme-${era}.acme.${era}.vlp.bot.*.*"`)
      expect(text).toContain(`"$JS.ACK.LOG-acme-${era}.${queueOf('policy', era)}.>"`)
    }
    expect(text).not.toMatch(/acme\.3|(LOG|MIRROR)-acme-3|main/)
  })

  test('never replaces what someone wrote by hand, nor an invalid seed', async () => {
    const cwd = await temporaryFolder()
    await run(config(), { cwd })
    await writeFile(join(cwd, 'nats/policy.nk'), 'hunter2')
    const broken = await run(config(), { cwd })
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain('policy.nk')
    expect(broken.stderr).not.toContain('hunter2')
    expect(await readFile(join(cwd, 'nats/policy.nk'), 'utf8')).toBe('hunter2')
    await writeFile(join(cwd, 'nats/server.conf'), 'port: 1\n')
    const own = await run(config(), { cwd })
    expect(own).toMatchObject({ code: 1 })
    expect(own.stderr).toContain('was not made by this command')
    expect(await textOf(cwd)).toBe('port: 1\n')
  })

  test('quotes every text, so that none becomes configuration', () => {
    const { publicKey } = newUserKey()
    const name = 'x" }\n] } accounts { $G { users: [{ user: a, password: a }] } }'
    const about = { realm: 'main', era: 1, listen: '127.0.0.1:4222', storeFolder: 'a"b' }
    const configOf = (called: string) =>
      serverConfig({ ...about, users: [{ role: 'agent', name: called, publicKey }] })
    expect(() => configOf(name)).toThrow('control characters')
    const text = configOf(name.replace('\n', ' '))
    expect(text).toContain('store_dir: "a\\"b"')
    expect(text.match(/^ *accounts \{/gm)).toHaveLength(1)
  })

  test.each([
    ['an unknown role', ['--user', 'boss:ann'], 'is not a role'],
    ['no name', ['--user', 'agent'], 'role:name'],
    ['an empty name', ['--user', 'agent:'], 'takes a name'],
    ['a name with a line break', ['--user', 'agent:a\nb'], 'takes a name'],
    ['a user who is there twice', ['--user', 'agent:a', '--user', 'agent:a'], 'twice'],
    [
      'an agent and a tool of one name',
      ['--user', 'agent:a', '--user', 'tool:a'],
      '`agent:a` and `tool:a` would speak under one name',
    ],
    ['a file that is not there', ['--users', 'none.json'], 'cannot be read'],
    ['era 0', ['--era', '0'], 'from 1'],
    ['era 1001', ['--era', '1001'], 'at most 1000'],
    ['a size without a unit', ['--max-file-store', '10'], '10GB'],
    ['a name of a server with a path', ['--server-name', '../x'], '--server-name'],
    ['no port', ['--listen', 'localhost'], 'host:port'],
    ['an invalid port', ['--listen', 'localhost:65536'], 'host:port'],
    ['a certificate without its key', ['--tls-cert', 'a.pem'], '--tls-key'],
    ['a cluster that listens nowhere', ['--cluster', 'c'], '--cluster-listen'],
    ['a route without a cluster', ['--route', 'nats://a:1'], '--cluster'],
  ])('is refused with %s', async (_, args, says) => {
    const cwd = await temporaryFolder()
    const { code, stderr } = await run(config(...args), { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) })
    expect(await readdir(cwd)).toEqual([])
  })

  test.each([
    ['no list', '{}'],
    ['no JSON', 'x'],
    ['a field too many', '[{"role":"agent","name":"a","seed":"x"}]'],
    ['a seed for a key', JSON.stringify([{ role: 'agent', name: 'a', key: newUserKey().seed }])],
  ])('is refused with a file that has %s, and does not repeat it', async (_, text) => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'users.json'), text)
    const { code, stderr } = await run(config('--users', 'users.json'), { cwd })
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/\bSU[A-Z2-7]{20}/)
  })
})

describe.skipIf(natsBinary === null)('nats-server', () => {
  test('reads the configuration without a word, with all that can be in it', async () => {
    const cwd = await temporaryFolder()
    const cluster = ['--cluster', 'c', '--cluster-listen', '127.0.0.1:6222', '--server-name', 'n1']
    const more = ['--route', 'nats://127.0.0.1:6223', '--http', '127.0.0.1:8222', '--era', '3']
    const users = ['agent:a b', 'auditor:ü', 'policy-admin:$x', 'tool:"q"', 'learning:learning']
    const flags = users.flatMap((user) => ['--user', user])
    expect((await run(config(...cluster, ...more, ...flags), { cwd })).code).toBe(0)
    const checked = spawnSync(natsBinary ?? '', ['-t', '-c', join(cwd, 'nats/n1.conf')])
    expect(checked.stderr.toString()).toContain('is valid')
    expect(checked.status).toBe(0)
  })
})
