// The scene of three servers and three replicas: the leader of the log is killed, servers freeze,
// and all are killed at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { streamInfo } from '#adapters/nats/api'
import type { Requests } from '#adapters/nats/requests'
import { streamNames } from '#adapters/nats/stream'
import { assert } from '#core/kernel/fault'
import { startNatsCluster, until, type NatsServer } from '../../test/support/servers/nats-server.ts'
import { asOperator, place, whileTheyRun } from '../nats/server.ts'
import {
  asDeployed,
  tried,
  type Disturbed,
  type Options,
  type Outcome,
  type Trial,
} from './trial.ts'

const frozenMs = 10_000
const awayMs = 3_000

export async function inCluster(options: Options): Promise<Outcome> {
  const servers = await startNatsCluster(asDeployed)
  return whileTheyRun(servers, async () => {
    const url = servers.map((server) => server.url).join(',')
    await until(() => answers(url, (requests) => streamInfo(requests, 'none')))
    return tried(servers, options, { replicas: 3, disturb })
  })
}

async function disturb({ url, servers }: Trial): Promise<Disturbed> {
  const calm = async (): Promise<void> => {
    await until(() => answers(url, areCurrent))
    await sleep(awayMs)
  }
  await calm()
  const first = await leaderOf(url, servers)
  await first.kill()
  await sleep(awayMs)
  await first.start()
  await calm()
  const leader = await leaderOf(url, servers)
  const follower = servers.find((server) => server !== leader)
  assert(follower !== undefined, 'others follow the leader')
  await frozen(follower)
  await calm()
  await frozen(await leaderOf(url, servers))
  await calm()
  await Promise.all(servers.map((server) => server.kill()))
  await Promise.all(servers.map((server) => server.start()))
  await calm()
  const seconds = frozenMs / 1_000
  const done = `leader killed, a follower and the leader frozen for ${seconds} s, all killed`
  return { done }
}

async function frozen(server: NatsServer): Promise<void> {
  await server.signal('SIGSTOP')
  await sleep(frozenMs)
  await server.signal('SIGCONT')
}

async function leaderOf(url: string, servers: readonly NatsServer[]): Promise<NatsServer> {
  let leader = ''
  await until(() =>
    answers(url, async (requests) => {
      leader = (await streamInfo(requests, streamNames(place).log))?.cluster?.leader ?? ''
      return leader !== ''
    }),
  )
  const server = servers[Number(leader.slice(1))]
  assert(server !== undefined, 'the leader is one of the three')
  return server
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
