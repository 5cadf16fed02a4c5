// The doctor with an agent's credential, which may not even ask which streams there are: one that
// may too much is found by it, whatever was added.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUserKey } from '#log/nats-config/nkeys'
import { makeLog, openOperator } from '#log/nats-admin/operator'
import { serverConfig, type ServerUser } from '#log/nats-config/server-config'
import { run } from '../support/cli-runner.ts'
import {
  canStartNats,
  freePort,
  startNats,
  type NatsServer,
} from '../support/servers/nats-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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
