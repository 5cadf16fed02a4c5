import { afterAll, beforeAll, describe } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { operate, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import { streamNames } from '#log/nats/stream'
import { refuseQueue } from '#log/refusals'
import type { Place } from '#record/names'
import type { Log } from '#ports/log'
import { logConformance } from './log-conformance.ts'
import {
  natsBinary,
  startNats,
  startNatsCluster,
  until,
  type NatsServer,
} from '../support/servers/nats-server.ts'
import { logOf } from '../support/wrapped-log.ts'

const subjects = ['main.>']
const ackWaitMs = 600

let cases = 0

interface Servers {
  readonly url: string
  readonly replicas: number
}

/** An operator and handles on a stream of its own. */
async function harnessOn({ url, replicas }: Servers) {
  // A stream that is made again under the name of a deleted one may find the facts of that one.
  const place = { realm: `case${(cases += 1)}`, era: 1 }
  const operator = new Requests(await NatsLink.open({ servers: url }))
  await makeLog(operator, place, { replicas, subjects, queues: [] })
  const links = new Map<Log, NatsLink>()
  const open = async (): Promise<Log> => {
    const link = await NatsLink.open({ servers: url })
    const bare = await jetStreamLog(link, { realm: place.realm, subjects })
    const log = withOperator(bare, operator, place, replicas)
    links.set(log, link)
    return log
  }
  const dispose = async (): Promise<void> => {
    for (const log of links.keys()) await log.close()
    const { log, mirror } = streamNames(place)
    for (const name of [mirror, log]) await operate(operator, `STREAM.DELETE.${name}`, {})
    operator.close()
    await operator.link.close()
  }
  return { open, dispose, kill: async (log: Log) => links.get(log)?.close() }
}

/** A handle whose queues an operator makes when they are first worked. */
function withOperator(log: Log, operator: Requests, place: Place, replicas: number): Log {
  let isClosed = false
  return {
    ...logOf(log),
    close: () => {
      isClosed = true
      return log.close()
    },
    async *work(queue, names, options) {
      refuseQueue(queue, names, options.inFlightMax)
      const beganOpen = !isClosed
      try {
        const queues = [{ name: queue, names }]
        await makeLog(operator, place, { replicas, subjects, queues, ackWaitMs })
      } catch {
        // Who works it by other names is refused by the log itself.
      }
      // A worker that began before the log was closed ends with it.
      if (isClosed && beganOpen) return
      yield* log.work(queue, names, options)
    },
  }
}

describe.skipIf(natsBinary === null)('on one nats-server', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.dispose())
  logConformance('jetstream', () => harnessOn({ url: server.url, replicas: 1 }))
})

describe.skipIf(natsBinary === null)('on three nats-servers', () => {
  let servers: readonly NatsServer[] = []
  let url = ''
  beforeAll(async () => {
    servers = await startNatsCluster()
    url = servers.map((server) => server.url).join(',')
    const requests = new Requests(await NatsLink.open({ servers: url }))
    await until(async () => {
      try {
        await streamInfo(requests, 'none')
        return true
      } catch {
        return false
      }
    })
    requests.close()
    await requests.link.close()
  })
  afterAll(async () => {
    for (const server of servers) await server.dispose()
  })
  logConformance('three replicas', () => harnessOn({ url, replicas: 3 }))
})
