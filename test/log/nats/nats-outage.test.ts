// Servers die and leaders change while agents append and workers work: no promise of the log is
// broken, nothing is bound twice, and the workers go on by themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operate, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'
import { streamNames } from '#log/nats/stream'
import { assert } from '#record/fault'
import { stages } from '#workers/stages'
import { expectWorked, newRealm, untilWorked, type Realm } from '../../support/kill-realm.ts'
import { stubborn, type Stubborn } from '../../system/kill-stubborn.ts'
import {
  natsBinary,
  startNats,
  startNatsCluster,
  until,
  type NatsServer,
} from '../../support/servers/nats-server.ts'

const outages = 3
const leaderDeaths = 1
const goOnMin = 60
const ackWaitMs = 2_000

/** Each stage in a runtime with a connection of its own, and policy in two. */
async function startWorkers(realm: Realm): Promise<void> {
  const twice = stages.filter(({ name }) => name === 'policy')
  for (const stage of [...stages, ...twice]) await realm.open([stage])
}

async function expectKept(realm: Realm, agents: Stubborn): Promise<void> {
  await agents.end()
  await untilWorked(realm)
  const { facts, counts } = await expectWorked(realm)
  const found = new Map(facts.map(({ name, position }) => [name, position]))
  const missing = [...agents.promised].filter(([name, at]) => found.get(name) !== at)
  expect(missing).toEqual([])
  expect(counts['vlp']).toBe(agents.promised.size)
  await realm.dispose()
}

describe.skipIf(natsBinary === null)('on one nats-server', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.dispose())

  test('a server that is killed and comes back finds workers that go on', async () => {
    const realm = await newRealm({ url: server.url, realm: 'outage', ackWaitMs })
    await startWorkers(realm)
    const agents = await stubborn(realm)
    await agents.goOn(goOnMin)
    for (let outage = 0; outage < outages; outage += 1) {
      await agents.underWay()
      await server.kill()
      await server.start()
      await agents.goOn(goOnMin)
    }
    await expectKept(realm, agents)
  })
})

describe.skipIf(natsBinary === null)('on three nats-servers', () => {
  let servers: readonly NatsServer[] = []
  let url = ''

  beforeAll(async () => {
    servers = await startNatsCluster()
    url = servers.map((server) => server.url).join(',')
    const requests = new Requests(await NatsLink.open({ servers: url }))
    await until(() => answers(() => streamInfo(requests, 'none')))
    requests.close()
    await requests.link.close()
  })
  afterAll(async () => {
    for (const server of servers) await server.dispose()
  })

  test('leaders that step down or die are followed by others, and nothing is lost', async () => {
    const realm = await newRealm({ url, realm: 'leaders', ackWaitMs, replicas: 3 })
    const { operator, place } = realm
    const { log, mirror } = streamNames(place)
    await startWorkers(realm)
    const agents = await stubborn(realm)
    await agents.goOn(goOnMin)
    const stepDown = (subject: string): Promise<void> =>
      until(() => answers(() => operate(operator, subject, {})))
    for (let change = 0; change < outages; change += 1) {
      await agents.underWay()
      await stepDown(`STREAM.LEADER.STEPDOWN.${log}`)
      await stepDown(`STREAM.LEADER.STEPDOWN.${mirror}`)
      for (const { name } of stages) await stepDown(`CONSUMER.LEADER.STEPDOWN.${log}.${name}`)
      await agents.goOn(goOnMin)
    }
    for (let outage = 0; outage < leaderDeaths; outage += 1) {
      const leader = await leaderOf(operator, log)
      await agents.underWay()
      await leader.kill()
      await agents.goOn(goOnMin)
      await leader.start()
      await until(() => answers(async () => areCurrent(operator, log)))
    }
    await expectKept(realm, agents)
  })

  async function leaderOf(operator: Requests, log: string): Promise<NatsServer> {
    let leader = ''
    await until(() =>
      answers(async () => {
        leader = (await streamInfo(operator, log))?.cluster?.leader ?? ''
        return leader !== ''
      }),
    )
    const server = servers[Number(leader.slice(1))]
    assert(server !== undefined, 'the leader is one of the three')
    return server
  }
})

async function areCurrent(operator: Requests, log: string): Promise<boolean> {
  const { leader = '', replicas = [] } = (await streamInfo(operator, log))?.cluster ?? {}
  return leader !== '' && replicas.length === 2 && replicas.every(({ current }) => current)
}

/** Whether it is answered, and not with no; between two leaders no one answers. */
async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await ask()) !== false
  } catch {
    return false
  }
}
