// What three servers and three replicas go through: the leader of the log is killed, servers
// freeze, and all are killed at once.
import { operate, streamInfo } from '#log/nats/api'
import type { Requests } from '#log/nats/requests'
import { streamNames } from '#log/nats/stream'
import { assert } from '#record/fault'
import { place } from '../../support/scene.ts'
import { asOperator } from '../../support/servers/as-operator.ts'
import { until, type NatsServer } from '../../support/servers/nats-server.ts'
import type { Trial } from './trial.ts'

/** So many intents more, between one blow and the next. */
const betweenMin = 200

const probe = { name: 'probe', subjects: ['probe'], num_replicas: 3 }

/** Resolves when a cluster of these takes requests, and each of them is there to hold a replica. */
export function untilTheyAnswer(servers: readonly NatsServer[]): Promise<void> {
  return until(() =>
    answers(urlOf(servers), async (requests) => {
      await operate(requests, `STREAM.CREATE.${probe.name}`, probe)
      await operate(requests, `STREAM.DELETE.${probe.name}`, {})
    }),
  )
}

export async function killedAndFrozen({ servers, load }: Trial): Promise<void> {
  const calm = async (): Promise<void> => {
    await until(() => answers(urlOf(servers), areCurrent))
    await load.untilAnswered(betweenMin)
  }
  await calm()
  const first = await leaderOf(servers)
  await first.kill()
  await leaderOf(servers, first)
  await load.untilAnswered(betweenMin)
  await first.start()
  await calm()
  const leader = await leaderOf(servers)
  const follower = servers.find((server) => server !== leader)
  assert(follower !== undefined, 'others follow the leader')
  await frozen(follower, () => load.untilAsked(betweenMin))
  await calm()
  const second = await leaderOf(servers)
  await frozen(second, async () => void (await leaderOf(servers, second)))
  await calm()
  await Promise.all(servers.map((server) => server.kill()))
  await load.untilAsked(betweenMin)
  await Promise.all(servers.map((server) => server.start()))
  await calm()
}

async function frozen(server: NatsServer, meanwhile: () => Promise<void>): Promise<void> {
  await server.signal('SIGSTOP')
  await meanwhile()
  await server.signal('SIGCONT')
}

/** The one that leads the log; another than that one, which is not asked. */
async function leaderOf(servers: readonly NatsServer[], but?: NatsServer): Promise<NatsServer> {
  const url = urlOf(servers.filter((server) => server !== but))
  let leader: NatsServer | undefined
  await until(() =>
    answers(url, async (requests) => {
      const name = (await streamInfo(requests, streamNames(place).log))?.cluster?.leader ?? ''
      // They are `n0`, `n1` and `n2`.
      leader = servers[Number(name.slice(1) || Number.NaN)]
      return leader !== undefined && leader !== but
    }),
  )
  assert(leader !== undefined, 'one of them leads')
  return leader
}

async function areCurrent(requests: Requests): Promise<boolean> {
  const info = await streamInfo(requests, streamNames(place).log)
  const { leader = '', replicas = [] } = info?.cluster ?? {}
  return leader !== '' && replicas.length === 2 && replicas.every(({ current }) => current)
}

/** Whether it is answered, and not with no; between two leaders no one answers. */
async function answers(url: string, ask: (to: Requests) => Promise<unknown>): Promise<boolean> {
  try {
    return (await asOperator(url, ask)) !== false
  } catch {
    return false
  }
}

function urlOf(servers: readonly NatsServer[]): string {
  return servers.map(({ url }) => url).join(',')
}
