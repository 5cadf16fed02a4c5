// The log of a cell whose only server was down while the control log went on: when it is back it
// has all that was shared meanwhile, once and in order.
import { expect, test } from 'vitest'
import { messageOf, operate, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { makeRealm } from '#log/nats-admin/cells'
import { openOperator } from '#log/nats-admin/operator'
import { jetStreamLog } from '#log/jetstream/log'
import { canStartNats, startNatsCluster, until } from '../../support/servers/nats-server.ts'
import { names } from '../../support/scene.ts'
import { bindingIn, cells, realm } from '../stand.ts'

const control = `LOG-${realm}-1`
const cell = `LOG-${realm}-c0-1`
/** Of twenty seconds each: a source that was away is tried again after ten or more. */
const waits = 3

async function patiently(holds: () => Promise<boolean>): Promise<void> {
  for (let wait = 1; wait < waits; wait += 1) {
    if (
      await until(holds).then(
        () => true,
        () => false,
      )
    )
      return
  }
  await until(holds)
}

test.skipIf(!canStartNats)(
  'a cell whose server was down has what was shared meanwhile',
  async () => {
    const servers = await startNatsCluster()
    const url = servers.map((server) => server.url).join(',')
    const requests = new Requests(await NatsLink.open({ servers: url }))
    try {
      const operator = await openOperator({ servers: url })
      const wanted = { cells, replicas: 1, queuesIn: () => [] }
      const make = (): Promise<boolean> =>
        makeRealm(operator, realm, wanted).then(
          () => true,
          () => false,
        )
      await until(make)
      await operator.close()
      const infoOf = (stream: string) => streamInfo(requests, stream).catch(() => null)
      const holderOf = async (stream: string) => (await infoOf(stream))?.cluster?.leader ?? ''
      const holder = await holderOf(control)
      const other = ['n0', 'n1', 'n2'].find((name) => name !== holder) ?? ''
      await movedTo(other)
      expect([await holderOf(cell), await holderOf(control)]).toEqual([other, holder])

      const log = await jetStreamLog(await NatsLink.open({ servers: url }), { realm })
      const { acknowledged, end } = bindingIn(log)
      await until(() => acknowledged.length > 20)
      const down = servers[Number(other.slice(1))]
      await down?.kill()
      const count = acknowledged.length
      await until(() => acknowledged.length > count + 50)
      await down?.start()
      await until(() => acknowledged.length > count + 60)
      await end()
      const all = await names(log, '>')
      expect(all).toEqual(expect.arrayContaining([...acknowledged]))
      await patiently(async () => ((await infoOf(cell))?.state.last_seq ?? 0) >= all.length)
      const found: string[] = []
      for (let seq = 1; seq <= all.length; seq += 1) {
        found.push((await messageOf(requests, cell, { seq }))?.name ?? '')
      }
      expect(found).toEqual(all)
      expect((await infoOf(cell))?.state).toMatchObject({ last_seq: all.length, num_deleted: 0 })
      await log.close()

      /** On three servers it can be led by each, and the one that leads it keeps it. */
      async function movedTo(name: string): Promise<void> {
        const config = (await infoOf(cell))?.config
        await operate(requests, `STREAM.UPDATE.${cell}`, { ...config, num_replicas: 3 })
        await patiently(async () => {
          const replicas = (await infoOf(cell))?.cluster?.replicas ?? []
          return replicas.length === 2 && replicas.every(({ current }) => current)
        })
        const body = { placement: { preferred: name } }
        await patiently(async () => {
          if ((await holderOf(cell)) === name) return true
          await operate(requests, `STREAM.LEADER.STEPDOWN.${cell}`, body).catch(() => null)
          return false
        })
        await operate(requests, `STREAM.UPDATE.${cell}`, { ...config, num_replicas: 1 })
        await patiently(async () => (await infoOf(cell))?.cluster?.replicas.length === 0)
      }
    } finally {
      requests.close()
      await requests.link.close()
      for (const server of servers) await server.dispose()
    }
  },
)
