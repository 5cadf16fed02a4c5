// What production demands, on three real servers with the generated accounts and on a log of this
// machine: the stages start where everything is proven, and nowhere else.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUserKey } from '#log/nats-config/nkeys'
import { serverConfig, type ServerUser } from '#log/nats-config/server-config'
import { ended, runChild, says, start } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import {
  canStartNats,
  freePort,
  startNats,
  until,
  type NatsServer,
} from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { makeLog, openOperator } from '#log/nats-admin/operator'

/** Of no one yet: the log of these servers has no catalog. */
const rootKey = 'A'.repeat(16)
const roles = ['operator', 'grounding', 'policy', 'confirmation', 'auditor'] as const

interface Cluster {
  readonly servers: readonly NatsServer[]
  readonly url: string
  readonly monitors: readonly string[]
  /** Where the seeds are. */
  readonly folder: string
}

async function startCluster(): Promise<Cluster> {
  const folder = await temporaryFolder()
  const users: ServerUser[] = []
  for (const role of roles) {
    const { seed, publicKey } = newUserKey()
    await writeFile(join(folder, `${role}.nk`), seed, { mode: 0o600 })
    users.push({ role, name: role, publicKey })
  }
  const numbers = [0, 1, 2]
  const ports = await Promise.all(numbers.map(async () => [await freePort(), await freePort()]))
  const routePorts = await Promise.all(numbers.map(() => freePort()))
  const routes = routePorts.map((port) => `nats-route://127.0.0.1:${port}`)
  const servers = await Promise.all(
    ports.map(async ([port = 0, http = 0], index) => {
      const config = serverConfig({
        realm: 'main',
        era: 1,
        users,
        listen: `127.0.0.1:${port}`,
        storeFolder: join(await temporaryFolder(), 'store'),
        serverName: `n${index}`,
        cluster: { name: 'test', listen: `127.0.0.1:${routePorts[index] ?? 0}`, routes },
        http: `127.0.0.1:${http}`,
      })
      return startNats({ port, name: `n${index}`, config })
    }),
  )
  const url = servers.map((server) => server.url).join(',')
  return { servers, url, folder, monitors: ports.map(([, http = 0]) => `http://127.0.0.1:${http}`) }
}

describe.skipIf(!canStartNats)('on three servers with accounts', () => {
  let cluster: Cluster
  let cwd = ''

  function as(role: (typeof roles)[number]) {
    const api = role === 'operator' ? { WARRANT_NATS_API: '$JS.API' } : {}
    const file = join(cluster.folder, `${role}.nk`)
    return {
      cwd,
      env: {
        WARRANT_ROOT_KEY: rootKey,
        WARRANT_LOG: cluster.url,
        WARRANT_NATS_NKEY_FILE: file,
        ...api,
      },
    }
  }

  function proof(monitors = cluster.monitors): readonly string[] {
    return ['--production', ...monitors.flatMap((monitor) => ['--monitor', monitor])]
  }

  beforeAll(async () => {
    cluster = await startCluster()
    cwd = await temporaryFolder()
    await until(async () => {
      const made = await run(['nats', 'init', '--replicas', '3'], as('operator'))
      return made.code === 0
    })
    await until(async () => {
      const { stdout } = await run(['doctor', '--json'], as('auditor'))
      return stdout.includes('3 servers hold every fact')
    })
  })
  afterAll(async () => {
    for (const server of cluster.servers) await server.dispose()
  })

  test('refuses to start while something is missing, and lists it', async () => {
    const [first = '', second = ''] = cluster.monitors
    const two = await run(['up', 'grounding', ...proof([first, second])], as('grounding'))
    expect(two.code).toBe(1)
    expect(two.stderr).toMatch(/^warrant: not fit for production: sync of n2: not proven/)
    const operator = await run(['up', ...proof()], as('operator'))
    expect(operator.code).toBe(1)
    expect(operator.stderr).toContain('operator: ')
    expect(operator.stderr).toContain('accounts: ')
    const file = join(cluster.folder, 'open.nk')
    await writeFile(file, newUserKey().seed)
    await chmod(file, 0o644)
    const env = { ...as('grounding').env, WARRANT_NATS_NKEY_FILE: file }
    const open = await run(['up', 'grounding', ...proof(), '--json'], { cwd, env })
    expect(JSON.parse(open.stdout)).toMatchObject({ error: { code: 'not_for_production' } })
    expect(open.stderr).toContain('secrets of ')
  })

  test('an operator sees every queue, and is warned of what it holds', async () => {
    const { WARRANT_NATS_API: _api, ...env } = as('operator').env
    const { code, stdout } = await run(['doctor', '--json'], { cwd, env })
    const { findings } = JSON.parse(stdout)
    const of = (check: string) =>
      findings.flatMap((one: { check: string; status: string }) =>
        one.check === check ? [one.status] : [],
      )
    expect(findings.filter((one: { status: string }) => one.status === 'failure')).toEqual([])
    expect(code).toBe(0)
    expect(of('queue')).toEqual(Array(5).fill('ok'))
    expect([of('operator'), of('log')]).toEqual([['warning'], ['warning']])
  })

  test('starts where everything is proven, and the doctor agrees', async () => {
    const doctor = await run(['doctor', ...proof(), '--json'], as('grounding'))
    const { ok, findings } = JSON.parse(doctor.stdout)
    expect(findings.filter((one: { status: string }) => one.status === 'failure')).toEqual([])
    expect([ok, doctor.code]).toEqual([true, 0])
    const up = start(['up', 'grounding', ...proof()], as('grounding'))
    const upEnded = ended(up)
    await says(up, 'stderr', 'stages running')
    up.kill('SIGINT')
    expect((await upEnded).code).toBe(0)
  })

  test('a server that is gone is found, and production waits for it', async () => {
    await cluster.servers[2]?.stop()
    const seen = async () => (await run(['doctor', ...proof()], as('auditor'))).stdout
    await until(async () => (await seen()).includes('not current: '))
    const up = await run(['up', 'grounding', ...proof()], as('grounding'))
    expect([up.code, up.stderr.includes('replicas of LOG-main-1')]).toEqual([1, true])
    await cluster.servers[2]?.start()
  })
})

describe('a log of this machine', () => {
  test('is fit where its file is: in memory it is not', async () => {
    const cwd = await temporaryFolder()
    expect((await run(['init'], { cwd })).code).toBe(0)
    const { root } = JSON.parse((await run(['replay', '--json'], { cwd })).stdout)
    const failed = async (more: Readonly<Record<string, string>>) => {
      const env = { WARRANT_ROOT_KEY: root, ...more }
      const doctor = await run(['doctor', '--production', '--json'], { cwd, env })
      const { findings } = JSON.parse(doctor.stdout)
      const failures = findings.filter((one: { status: string }) => one.status === 'failure')
      // A machine that keeps its temporary folders in memory is right to be reported.
      return failures.flatMap(({ check }: { check: string }) => (check === 'disk' ? [] : [check]))
    }
    // Anyone who may publish here could sign as the confirmer, too.
    expect(await failed({})).toEqual(['keys'])
    expect(await failed({ WARRANT_KEYS: await temporaryFolder() })).toEqual([])
    // Each server refuses what the doctor does.
    for (const server of [[], ['http'], ['console'], ['gateway'], ['outreach']]) {
      const env = { WARRANT_ROOT_KEY: root }
      const up = await run(['up', ...server, '--production'], { cwd, env })
      expect([server, up.code, up.stderr.includes('keys of ')]).toEqual([server, 1, true])
    }
    const memory = await run(['up', '--production', '--log', 'memory:'], { cwd })
    expect([memory.code, memory.stderr.includes('durability: ')]).toEqual([1, true])
  })

  test('is refused when a key beside it, or the file, is open to others', async () => {
    const cwd = await temporaryFolder()
    expect((await run(['init'], { cwd })).code).toBe(0)
    await chmod(join(cwd, '.keys/you.pem'), 0o644)
    const key = await runChild(['up', '--production'], { cwd })
    expect([key.code, key.stderr.includes('you.pem')]).toEqual([1, true])
    await chmod(join(cwd, '.keys/you.pem'), 0o600)
    await chmod(join(cwd, '.warrant/log.db'), 0o666)
    const file = await run(['up', '--production'], { cwd })
    expect([file.code, file.stderr.includes('file of ')]).toEqual([1, true])
  })

  test('is not made by looking', async () => {
    const cwd = await temporaryFolder()
    await mkdir(join(cwd, 'empty'))
    const up = await run(['up', '--production', '--log', 'empty/log.db'], { cwd })
    expect([up.code, up.stderr.includes('no log at ')]).toEqual([1, true])
    expect((await run(['doctor', '--log', 'empty/log.db'], { cwd })).code).toBe(1)
  })
})

// The doctor with an agent's credential, which may not even ask which streams there are: one that
// may too much is found by it, whatever was added.

/** What is added to an agent's permissions, by its name. */
const planted = {
  plain: null,
  realm: '"main.>"',
  others: '"main.in.*.vlp.*.*.*"',
  api: '"LOG.API.>"',
  reads: '"LOG.API.DIRECT.GET.LOG-main-1.>"',
} as const

describe.skipIf(!canStartNats)('the doctor with an agent’s credential', () => {
  let server: NatsServer
  let folder = ''

  beforeAll(async () => {
    folder = await temporaryFolder()
    const users: ServerUser[] = []
    for (const name of ['operator', ...Object.keys(planted)]) {
      const { seed, publicKey } = newUserKey()
      await writeFile(join(folder, `${name}.nk`), seed, { mode: 0o600 })
      users.push({ role: name === 'operator' ? name : 'agent', name, publicKey })
    }
    const port = await freePort()
    const about = { realm: 'main', era: 1, listen: `127.0.0.1:${port}` }
    let config = serverConfig({ ...about, users, storeFolder: join(folder, 'store') })
    for (const [name, subject] of Object.entries(planted)) {
      const key = users.find((user) => user.name === name)?.publicKey ?? ''
      if (subject === null) continue
      const at = config.indexOf('publish: [', config.indexOf(`nkey: ${key}`)) + 'publish: ['.length
      config = `${config.slice(0, at)}\n${subject}${config.slice(at)}`
    }
    server = await startNats({ port, config })
    const operator = await openOperator({
      servers: server.url,
      nkeyFile: join(folder, 'operator.nk'),
    })
    const place = { realm: 'main', era: 1 }
    await makeLog(operator.atLog, place, { replicas: 1, queues: [] }, operator.mirrors)
    await operator.close()
  })
  afterAll(() => server.dispose())

  async function lookedAs(name: string) {
    const env = {
      WARRANT_LOG: server.url,
      WARRANT_NATS_NKEY_FILE: join(folder, `${name}.nk`),
    }
    const { code, stdout } = await run(['doctor', '--json'], { cwd: folder, env })
    const { findings } = JSON.parse(stdout)
    return { code, accounts: of(findings, 'accounts'), connection: of(findings, 'connection') }
  }

  function of(
    findings: readonly { readonly check: string; readonly status: string }[],
    check: string,
  ) {
    return findings.find((finding) => finding.check === check)?.status
  }

  test('looks at what there is to see, and fails nothing', async () => {
    expect(await lookedAs('plain')).toEqual({ code: 0, accounts: 'ok', connection: 'ok' })
  })

  test.each(['realm', 'others', 'api', 'reads'])(
    'finds that one may too much: %s',
    async (name) => {
      const { accounts, connection } = await lookedAs(name)
      expect([accounts, connection]).toEqual(['warning', 'ok'])
    },
  )
})
