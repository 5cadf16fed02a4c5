// The mirrors as an operator makes them: of an earlier version, used up, or gone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { operate, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import { streamNames } from '#log/nats/stream'
import { run } from '../../support/cli-runner.ts'
import {
  canStartNats,
  startNats,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const realm = 'main'
const { mirror } = streamNames({ realm, era: 1 })

describe.skipIf(!canStartNats)('the mirrors of a log', () => {
  let server: NatsServer
  let admin: Requests

  beforeAll(async () => {
    server = await startNats()
    admin = new Requests(await NatsLink.open({ servers: server.url }))
    expect((await init()).code).toBe(0)
  })
  afterAll(async () => {
    admin.close()
    await admin.link.close()
    await server.dispose()
  })

  async function init(...more: readonly string[]) {
    return run(['nats', 'init', '--log', server.url, ...more], { cwd: await temporaryFolder() })
  }

  async function limited(limits: object): Promise<void> {
    const info = await streamInfo(admin, mirror)
    await operate(admin, `STREAM.UPDATE.${mirror}`, { ...info?.config, consumer_limits: limits })
  }

  async function opened(): Promise<void> {
    const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), { realm })
    await log.close()
  }

  test('of an earlier version stop no worker, and init says how they are made again', async () => {
    await limited({})
    await opened()
    const refused = await init()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('warrant nats init --remake-mirrors')
    expect((await init('--remake-mirrors')).code).toBe(0)
    expect((await streamInfo(admin, mirror))?.config).toMatchObject({
      consumer_limits: { inactive_threshold: 300_000_000_000 },
    })
  })

  test('with other limits are no mirrors of a log', async () => {
    await limited({ inactive_threshold: 1_000_000_000 })
    await expect(opened()).rejects.toMatchObject({ code: 'log_differs' })
    expect((await init('--remake-mirrors')).code).toBe(0)
    await opened()
  })

  test('keep no follower of commands that are over', async () => {
    const followers = async () => (await streamInfo(admin, mirror))?.state.consumer_count
    for (let command = 1; command <= 50; command += 1) {
      const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), { realm })
      await log.append({ name: 'main.1.graph.1', bytes: Buffer.of(1) })
      for await (const { position } of log.read({})) expect(position).toBe(1)
      for await (const { position } of log.follow(1, new AbortController().signal)) {
        expect(position).toBe(1)
        expect(await followers()).toBeGreaterThan(0)
        break
      }
      await log.close()
    }
    await until(async () => (await followers()) === 0)
  })

  test('are made again for every era, where an earlier one has none', async () => {
    await makeLog(admin, { realm, era: 2 }, { replicas: 1, queues: [] })
    await operate(admin, `STREAM.DELETE.${mirror}`, undefined)
    expect((await init()).stdout).toMatch(/^ {2}MIRROR-main-1$/m)
    expect(await streamInfo(admin, mirror)).not.toBeNull()
  })
})
