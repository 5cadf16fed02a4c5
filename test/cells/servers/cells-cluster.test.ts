// What all cells share, on three servers: leaders change and servers die while it is bound, and
// every cell has the same of it in the same order.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { messageOf, operate, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { makeRealm } from '#log/nats-admin/cells'
import { openOperator } from '#log/nats-admin/operator'
import { jetStreamLog } from '#log/jetstream/log'
import type { Log } from '#ports/log'
import { canStartNats, startNatsCluster, until } from '../../support/servers/nats-server.ts'
import { bindingIn } from '../stand.ts'

const cells = 2
const turns = 3
/** Of twenty seconds each. */
const waits = 3
const triesMax = 50

/** By the leader, one by one: copies are made again from their logs after servers died. */
async function namesIn(requests: Requests, stream: string): Promise<readonly string[]> {
  const info = await patiently(() => streamInfo(requests, stream))
  const found: string[] = []
  for (let seq = 1; seq <= (info?.state.last_seq ?? 0); seq += 1) {
    found.push((await patiently(() => messageOf(requests, stream, { seq })))?.name ?? '')
  }
  return found
}

/** A leader may change for a while after a server has come back. */
async function patiently<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await look()
    } catch (error) {
      if (tries === triesMax) throw error
      await sleep(200)
    }
  }
}

test.skipIf(!canStartNats)(
  'leaders change and servers die, and each cell has all of it in one order',
  async () => {
    const servers = await startNatsCluster()
    const url = servers.map((server) => server.url).join(',')
    const open = async (realm: string): Promise<Log> =>
      jetStreamLog(await NatsLink.open({ servers: url }), { realm })
    try {
      const operator = await openOperator({ servers: url })
      const wanted = { cells, replicas: 3, queuesIn: () => [] }
      await until(async () => {
        try {
          await makeRealm(operator, 'main', wanted)
          return true
        } catch {
          return false
        }
      })
      await operator.close()
      const log = await open('main')
      const { acknowledged, end } = bindingIn(log)
      const requests = new Requests(await NatsLink.open({ servers: url }))
      for (let turn = 0; turn < turns; turn += 1) {
        const before = acknowledged.length
        await until(() => acknowledged.length > before + 20)
        // The leader of the control log steps down, then that of a cell's log, then one dies.
        for (const stream of ['LOG-main-1', `LOG-main-c${turn % cells}-1`]) {
          await operate(requests, `STREAM.LEADER.STEPDOWN.${stream}`, undefined).catch(() => null)
        }
        const server = servers[turn % servers.length]
        await server?.kill()
        await server?.start()
      }
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 20)
      await end()
      await until(async () => {
        const info = await streamInfo(requests, 'LOG-main-1').catch(() => null)
        return info !== null && info.state.last_seq >= acknowledged.length
      })
      const all = await namesIn(requests, 'LOG-main-1')
      expect(all).toEqual(expect.arrayContaining([...acknowledged]))
      for (let index = 0; index < cells; index += 1) {
        const cell = `LOG-main-c${index}-1`
        const hasAll = async (): Promise<boolean> => {
          const info = await streamInfo(requests, cell).catch(() => null)
          return info !== null && info.state.last_seq >= all.length
        }
        // A source whose server died is tried again after ten seconds or more.
        for (let wait = 0; wait < waits; wait += 1) await until(hasAll).catch(() => null)
        expect(await namesIn(requests, cell)).toEqual(all)
      }
      requests.close()
      await requests.link.close()
      await log.close()
    } finally {
      for (const server of servers) await server.dispose()
    }
  },
)
