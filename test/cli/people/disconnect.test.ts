// `warrant suspend --disconnect`: the configuration of a server is written without the agent before
// the log is asked, and a server that is reloaded closes the agent's connection and no other.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { inboxOf, userKeyOf } from '#log/nats-config/nkeys'
import { run } from '../../support/cli-runner.ts'
import { freePort, natsBinary, until } from '../../support/servers/nats-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const agent = 'my-agent'
const options = ['--http', '127.0.0.1:8222', '--max-file-store', '2TB']
const others = ['--user', 'agent:other', '--user', `confirmer:${agent}`]
const textOf = (cwd: string, name: string) => readFile(join(cwd, 'nats', `${name}.conf`), 'utf8')

/** A folder with the configurations of two servers; the agent speaks in both. */
async function configured(...more: readonly string[]): Promise<string> {
  const cwd = await temporaryFolder()
  for (const name of ['n1', 'n2']) {
    const users = ['--user', `agent:${agent}`, ...others]
    const made = await run(['nats-config', '--server-name', name, ...users, ...more], { cwd })
    expect(made.code).toBe(0)
  }
  return cwd
}

const suspending = [
  'suspend',
  agent,
  '--disconnect',
  'nats/n1.conf',
  '--disconnect',
  'nats/n2.conf',
]

test('each configuration is written without the agent, and is else as nats-config makes it', async () => {
  const cwd = await configured(...options)
  await run(['init'], { cwd })
  const { code, stdout } = await run([...suspending, '--json'], { cwd })
  expect(code).toBe(0)
  const { publicKey } = userKeyOf(await readFile(join(cwd, `nats/agent-${agent}.nk`), 'utf8'))
  const removed = [{ role: 'agent', name: agent, publicKey }]
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { config: 'nats/n1.conf', removed },
    { config: 'nats/n2.conf', removed },
    { id: agent, suspended: true, revision: expect.any(Number), changed: true },
  ])
  for (const name of ['n1', 'n2']) {
    const text = await textOf(cwd, name)
    expect(text).not.toContain(publicKey)
    await run(['nats-config', '--server-name', name, ...others], { cwd })
    expect(await textOf(cwd, name)).toBe(text)
    expect(text).toContain('2TB')
  }
})

test('a gateway is taken out, too: it publishes in its own name', async () => {
  const cwd = await configured('--user', 'gateway:crm')
  const { stdout } = await run(['suspend', 'crm', '--disconnect', 'nats/n1.conf'], { cwd })
  expect(stdout).toContain('nats/n1.conf is written without gateway:crm (U')
  expect(await textOf(cwd, 'n1')).not.toContain('# gateway "crm"')
  // As an agent of that name it could speak for it.
  const shared = ['--user', 'agent:crm', '--user', 'gateway:crm']
  const refused = await run(['nats-config', '--server-name', 'n3', ...shared], { cwd })
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.stderr).toContain('would speak under one name')
})

test('without a log, or a key, it is written all the same, with what is left to do', async () => {
  const cwd = await configured()
  const noLog = await run(suspending.slice(0, 4), { cwd })
  expect(noLog.code).toBe(1)
  expect(noLog.stdout).toContain('nats/n1.conf is written without agent:my-agent (U')
  expect(noLog.stdout).toContain('nats-server --signal reload')
  expect(noLog.stderr).toContain('is not suspended on the log')
  expect(noLog.stderr).toContain('run `warrant suspend my-agent`')
  expect(await textOf(cwd, 'n1')).not.toContain(`# agent "${agent}"`)
  await run(['init'], { cwd })
  const key = ['--key', 'missing', '--yes']
  const noKey = await run(['suspend', agent, '--disconnect', 'nats/n2.conf', ...key], { cwd })
  expect(noKey.code).not.toBe(0)
  expect(noKey.stderr).toContain('is not suspended on the log')
  expect(await textOf(cwd, 'n2')).not.toContain(`# agent "${agent}"`)
})

test('a file that cannot be written so is refused before anything is', async () => {
  const cwd = await configured()
  await run(['init'], { cwd })
  await writeFile(join(cwd, 'by-hand.conf'), 'listen: 4222\n')
  const before = await textOf(cwd, 'n1')
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [[agent, '--disconnect', 'by-hand.conf'], 'was not made by `warrant nats-config`'],
    [[agent, '--disconnect', 'missing.conf'], '`missing.conf` cannot be read and written'],
    [['olga', '--disconnect', 'nats/n2.conf'], 'has no user that speaks as `olga`'],
    [[agent, '--disconnect', 'nats/n2.conf', '--realm', 'east'], 'give --realm main'],
  ]
  for (const [words, why] of refusals) {
    const ran = await run(['suspend', ...words, '--disconnect', 'nats/n1.conf'], { cwd })
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) })
  }
  expect(await textOf(cwd, 'n1')).toBe(before)
  expect((await run(['catalog', 'show'], { cwd })).stdout).not.toContain('SUSPENDED')
})

test.skipIf(natsBinary === null)(
  'reloaded, a server closes the connection of the agent alone',
  async () => {
    const port = await freePort()
    const cwd = await configured('--listen', `127.0.0.1:${port}`)
    const server = spawn(natsBinary ?? '', ['-c', 'nats/n1.conf'], { cwd, stdio: 'ignore' })
    const exit = once(server, 'exit')
    const as = async (name: string): Promise<NatsConnection> => {
      const seed = (await readFile(join(cwd, `nats/agent-${name}.nk`), 'utf8')).trim()
      return connect({
        servers: `127.0.0.1:${port}`,
        authenticator: nkeyAuthenticator(Buffer.from(seed)),
        inboxPrefix: inboxOf(userKeyOf(seed).publicKey),
        reconnect: false,
      })
    }
    const isUp = () =>
      as('other').then(
        (connection) => connection.close().then(() => true),
        () => false,
      )
    try {
      await until(isUp)
      const [stopped, other] = [await as(agent), await as('other')]
      expect((await run(suspending, { cwd })).code).toBe(1)
      server.kill('SIGHUP')
      await stopped.closed()
      await expect(as(agent)).rejects.toThrow()
      await other.flush()
      await other.close()
    } finally {
      server.kill('SIGKILL')
      await exit
    }
  },
)
