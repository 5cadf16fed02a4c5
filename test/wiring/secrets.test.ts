// Secrets stay where they are: canaries are planted in every file, address and variable that may
// hold one, real commands run and fail on them, and all that was written is searched.
import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newUserKey } from '#log/nats-config/nkeys'
import { canary, commandLines, filesBelow, leaks, pemCanaries } from './canaries.ts'
import type { Canary, Written } from './canaries.ts'
import { ended, says, start } from '../support/cli-process.ts'
import { canStartNats, freePort, startNats } from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

/** What should be refused at once may run for ever where it is not. */
const commandMsMax = 20_000
const secretFile = /\.(nk|pem|creds|key)$/

/** A folder to work in, the canaries there, and all that was written meanwhile. */
class Trap {
  readonly cwd: string
  readonly canaries: Canary[] = []
  readonly written: Written[] = []
  readonly #env: Record<string, string>

  constructor(cwd: string) {
    this.cwd = cwd
    const secret = this.plant('a variable')
    this.#env = { WARRANT_LOG_LEVEL: 'trace', AWS_SECRET_ACCESS_KEY: secret }
  }

  /** A secret that no one has, to be put where secrets are. */
  plant(name: string): string {
    const secret = `canary${randomBytes(18).toString('hex')}`
    this.canaries.push(canary(name, secret))
    return secret
  }

  environment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return { ...this.#env, ...env }
  }

  async file(name: string, text: string): Promise<string> {
    const path = join(this.cwd, name)
    await writeFile(path, text, { mode: 0o600 })
    return path
  }

  /** Runs a command, and keeps all that it wrote. Command lines are looked at meanwhile. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const isOpen = args.some((arg) => arg.includes('canary'))
    // A secret on a command line is visible already.
    const sampling = isOpen ? null : setInterval(() => this.written.push(...commandLines()), 200)
    const child = start(args, { cwd: this.cwd, env: this.environment(env) })
    const late = setTimeout(() => child.kill('SIGKILL'), commandMsMax)
    const ran = await ended(child)
    clearTimeout(late)
    if (sampling !== null) clearInterval(sampling)
    this.wrote(args.join(' ').replaceAll(/canary[0-9a-f]+/g, '…'), ran)
    return ran
  }

  wrote(what: string, { stdout, stderr }: { stdout: string; stderr: string }): void {
    this.written.push({ where: `standard output of ${what}`, bytes: Buffer.from(stdout) })
    this.written.push({ where: `standard error of ${what}`, bytes: Buffer.from(stderr) })
  }

  /** What was found, in all that was written here and elsewhere. */
  leaks(...elsewhere: readonly Written[]): readonly string[] {
    const files = filesBelow(this.cwd, (path) => secretFile.test(path))
    const kept = leaks(
      this.canaries,
      filesBelow(this.cwd, (path) => !secretFile.test(path)),
    )
    // Where they may be they are found, so they would be found elsewhere.
    expect(kept.length).toBeGreaterThan(4)
    return leaks(this.canaries, [...this.written, ...files, ...elsewhere])
  }
}

/** Plants what must not be read as what it is not. */
async function wrongFiles(trap: Trap) {
  const broken = (label: string, secret: string) =>
    `-----BEGIN ${label}-----\n${secret}\n-----END ${label}-----\n`
  return {
    nkey: await trap.file('wrong.nk', `SU${trap.plant('a broken seed')}`),
    creds: await trap.file('wrong.creds', broken('USER NKEY SEED', trap.plant('broken creds'))),
    tls: await trap.file('wrong.key', broken('PRIVATE KEY', trap.plant('a broken TLS key'))),
    key: await trap.file('wrong.pem', broken('PRIVATE KEY', trap.plant('a broken key'))),
  }
}

const asking = ['ask', 'send_email', '--arg', 'to=ann@example.com', '--justification', 'she asked']

test('the search finds a secret in every form, and nothing else', () => {
  const secret = randomBytes(24)
  const said = (text: string | Buffer) => [{ where: 'here', bytes: Buffer.from(text) }]
  const found = ['it in here']
  const planted = [canary('it', secret)]
  for (const padding of ['', 'a', 'ab', 'abc']) {
    const inside = Buffer.concat([Buffer.from(padding), secret, Buffer.from('and more')])
    expect(leaks(planted, said(inside))).toEqual(found)
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      expect(leaks(planted, said(inside.toString(encoding)))).toEqual(found)
    }
  }
  expect(leaks(planted, said(randomBytes(500)))).toEqual([])
})

test.runIf(isFull)(
  'on a log of this machine no secret is written, whatever goes wrong',
  async () => {
    const trap = new Trap(await temporaryFolder())
    expect((await trap.run(['init'])).code).toBe(0)
    expect((await trap.run(['keys', 'new', 'my-agent', '--json'])).code).toBe(0)
    for (const name of ['you', 'my-agent']) {
      const pem = readFileSync(join(trap.cwd, `.keys/${name}.pem`), 'utf8')
      trap.canaries.push(...pemCanaries(name, pem))
    }
    const wrong = await wrongFiles(trap)
    await trap.run(['seed', 'warrant'])
    await trap.run(asking)
    await trap.run(['ask', 'send_email', '--key', join(trap.cwd, '.keys/my-agent.pem')])
    for (const file of [wrong.key, wrong.nkey, '.warrant/keys']) {
      expect((await trap.run([...asking, '--key', file])).code).toBe(1)
      expect((await trap.run(['suspend', 'my-agent', '--key', file, '--json'])).code).toBe(1)
    }
    await trap.run(['keys', '--json'])
    await trap.run(['doctor', '--json'])
    await trap.run(['log', '--json'])
    const addresses = [
      `nats://user:${trap.plant('a password')}@127.0.0.1:1`,
      `NATS://user:${trap.plant('a password in capitals')}@127.0.0.1:1`,
      `postgres://user:${trap.plant('a password for another log')}@127.0.0.1:1/log`,
      `sqlite:nats://${trap.plant('a token behind sqlite')}@127.0.0.1:1`,
      `nats://127.0.0.1:1,nats://user:${trap.plant('a second password')}@127.0.0.1:2`,
    ]
    for (const log of addresses) {
      expect((await trap.run(['log', '--log', log, '--json'])).code).toBe(1)
      expect((await trap.run(['up'], { WARRANT_LOG: log })).code).toBe(1)
      await trap.run(['doctor'], { WARRANT_LOG: log })
    }
    const [address = ''] = addresses
    await trap.run(['init', 'elsewhere'], { WARRANT_LOG: address })
    expect((await trap.run(['init', 'third', '--log', address])).code).toBe(1)
    const password = `http://user:${trap.plant('a password of monitoring')}@127.0.0.1:1`
    const hook = ['reviews', '--webhook', `https://user:${trap.plant('a password of a webhook')}@x`]
    expect((await trap.run(hook)).code).toBe(2)
    const monitored = ['doctor', '--log', 'nats://127.0.0.1:1', '--monitor', password]
    expect((await trap.run(monitored)).code).toBe(1)
    expect(trap.leaks()).toEqual([])
  },
)

describe.skipIf(!canStartNats)('on a server', () => {
  test('no secret is written by the runtime or the server, whatever goes wrong', async () => {
    const trap = new Trap(await temporaryFolder())
    const port = await freePort()
    const http = await freePort()
    const about = ['--listen', `127.0.0.1:${port}`, '--http', `127.0.0.1:${http}`, '--json']
    const users = ['--user', 'agent:bot', '--user', 'policy-admin:you', '--user', 'auditor:eve']
    for (const more of [[], ['--print']]) {
      expect((await trap.run(['nats-config', ...users, ...about, ...more])).code).toBe(0)
    }
    const folder = join(trap.cwd, 'nats')
    const seeds = readdirSync(folder).filter((name) => name.endsWith('.nk'))
    expect(seeds.length).toBeGreaterThan(5)
    for (const name of seeds) {
      trap.canaries.push(canary(name, readFileSync(join(folder, name), 'utf8').trim()))
    }
    const made = readFileSync(join(folder, 'server.conf'), 'utf8')
    const config = `${made}\ndebug: true, trace: true\n`
    const server = await startNats({ port, config })
    try {
      await played(trap, { url: server.url, folder, monitor: `http://127.0.0.1:${http}`, server })
      const seen = filesBelow(server.folder, (path) => secretFile.test(path))
      const log = seen.find(({ where }) => where.endsWith('server.log'))
      expect(log?.bytes.toString()).toContain('CONNECT')
      expect(trap.leaks(...seen)).toEqual([])
    } finally {
      await server.dispose()
    }
  })
})

interface Stand {
  readonly url: string
  readonly folder: string
  readonly monitor: string
  readonly server: { kill(): Promise<void>; start(): Promise<void> }
}

/** A deployment at work, with everything wrong that an operator may get wrong. */
async function played(trap: Trap, { url, folder, monitor, server }: Stand): Promise<void> {
  const home = join(trap.cwd, 'home')
  await mkdir(home)
  const at = { WARRANT_LOG: url, WARRANT_HOME: home }
  const as = (name: string) => {
    const file = readdirSync(folder).find((each) => each.includes(name) && each.endsWith('.nk'))
    return { ...at, WARRANT_NATS_NKEY_FILE: join(folder, file ?? 'none') }
  }
  const wrong = await wrongFiles(trap)
  const stranger = newUserKey()
  trap.canaries.push(canary('a stranger', stranger.seed))
  const unknown = await trap.file('stranger.nk', stranger.seed)
  expect((await trap.run(['nats', 'init'], as('operator'))).code).toBe(0)
  expect((await trap.run(['init', '.'])).code).toBe(0)
  const pem = join(trap.cwd, '.keys/you.pem')
  trap.canaries.push(...pemCanaries('you', readFileSync(pem, 'utf8')))
  expect((await trap.run(['seed', 'warrant', '--key', pem], as('you'))).code).toBe(0)
  const collector = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${trap.plant('a token of a collector')}`,
  }
  const env = trap.environment({ ...as('grounding'), ...collector })
  const up = start(['up', 'grounding'], { cwd: trap.cwd, env })
  const upEnded = ended(up)
  await says(up, 'stderr', 'stages running')
  trap.written.push(...commandLines())
  await trap.run([...asking, '--agent', 'bot', '--wait', '1'], as('bot'))
  await trap.run(['doctor', '--json', '--monitor', monitor], as('eve'))
  await trap.run(['doctor', '--monitor', monitor], as('operator'))
  const failing: readonly Readonly<Record<string, string>>[] = [
    { WARRANT_NATS_NKEY_FILE: wrong.nkey },
    { WARRANT_NATS_NKEY_FILE: pem },
    { WARRANT_NATS_NKEY_FILE: folder },
    { WARRANT_NATS_NKEY_FILE: unknown },
    { WARRANT_NATS_CREDS_FILE: wrong.creds },
    { ...as('eve'), WARRANT_NATS_CREDS_FILE: wrong.creds },
    { ...as('eve'), WARRANT_NATS_KEY_FILE: wrong.tls, WARRANT_NATS_CERT_FILE: wrong.tls },
    { ...as('eve'), WARRANT_NATS_CA_FILE: wrong.tls },
    as('bot'),
  ]
  for (const [index, env] of failing.entries()) {
    const command = index % 2 === 0 ? 'log' : 'doctor'
    await trap.run([command, '--json'], { ...at, ...env })
  }
  await server.kill()
  await trap.run(['log', '--json'], as('eve'))
  await server.start()
  await trap.run(['log', '--json'], as('eve'))
  up.kill('SIGINT')
  trap.wrote('up grounding', await upEnded)
}
