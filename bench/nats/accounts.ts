// Measures what the accounts that keep each role to its own cost an append: an agent's, through its
// account's imports, against the same by who is at home in the log's account, in turn.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ulidIds } from '#adapters/system/ids'
import { JetStreamAppends } from '#adapters/jetstream/appends'
import { intakeSubject } from '#adapters/nats/intake'
import { NatsLink } from '#adapters/nats/link'
import { newUserKey } from '#adapters/nats-config/nkeys'
import { makeLog, openOperator } from '#adapters/nats-admin/operator'
import { Requests } from '#adapters/nats/requests'
import { serverConfig } from '#adapters/nats-config/server-config'
import { addressOf, nameOf } from '#core/kernel/names'
import type { Entry } from '#ports/log'
import { freePort } from '../../test/support/servers/nats-server.ts'
import { inFolder } from './deployment.ts'
import { median, quantile, type Report } from '../figures.ts'
import { onServer, place } from './server.ts'

const rounds = 10
const count = 500
const bytes = Buffer.alloc(500, 'x')
const agent = 'bot'
const syncs = ['always', 'default'] as const

interface Measured {
  readonly sync: (typeof syncs)[number]
  readonly direct: readonly number[]
  readonly imported: readonly number[]
}

export async function benchNatsAccounts(): Promise<Report> {
  const measured: Measured[] = []
  for (const sync of syncs) measured.push(...(await inFolder((folder) => measure(folder, sync))))
  return {
    title: 'the price of the accounts of a publish on NATS, milliseconds',
    head: ['sync_interval', 'p50 directly', 'imported', 'more', 'p99 directly', 'imported'],
    rows: syncs.map((sync) => rowOf(measured.filter((one) => one.sync === sync))),
    notes: [
      `${rounds} rounds of ${count} awaited publishes of ${bytes.length} bytes, in turn on the`,
      'same server with the accounts of `warrant nats-config`, whose log has its mirror',
      'more is the median of the differences, round by round',
    ],
    targets: [],
  }
}

function rowOf(of: readonly Measured[]): readonly string[] {
  const figure = (side: 'direct' | 'imported', part: number): string =>
    median(of.map((one) => quantile(one[side], part))).toFixed(3)
  const more = of.map(({ direct, imported }) => median(imported) - median(direct))
  return [
    of[0]?.sync ?? '',
    figure('direct', 0.5),
    figure('imported', 0.5),
    median(more).toFixed(3),
    figure('direct', 0.99),
    figure('imported', 0.99),
  ]
}

async function measure(folder: string, sync: Measured['sync']): Promise<readonly Measured[]> {
  const port = await freePort()
  const { config, seedFileOf } = await configured(folder, port)
  const relaxed = config.replace(/^ *sync_interval: always$/m, '')
  return onServer({ port, config: sync === 'always' ? config : relaxed }, async ({ url }) => {
    const operator = await openOperator({ servers: url, nkeyFile: seedFileOf('operator') })
    await makeLog(operator.atLog, place, { replicas: 1, queues: [] }, operator.mirrors)
    const link = await NatsLink.open({ servers: url, nkeyFile: seedFileOf(agent) })
    const asAgent = new Requests(link)
    const [direct, imported] = [operator.atLog, asAgent].map(
      (each) => new JetStreamAppends(each, { batches: false }),
    )
    const measured: Measured[] = []
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const one = { sync, direct: await appendTimes(direct), imported: await appendTimes(imported) }
      if (round > 0) measured.push(one)
    }
    asAgent.close()
    await link.close()
    await operator.close()
    return measured
  })
}

async function configured(folder: string, port: number) {
  const keys = new Map(['operator', agent].map((name) => [name, newUserKey()]))
  const seedFileOf = (name: string): string => join(folder, `${name}.nk`)
  for (const [name, { seed }] of keys) await writeFile(seedFileOf(name), seed, { mode: 0o600 })
  const publicKeyOf = (name: string): string => keys.get(name)?.publicKey ?? ''
  const config = serverConfig({
    realm: place.realm,
    era: place.era,
    users: [
      { role: 'operator', name: 'operator', publicKey: publicKeyOf('operator') },
      { role: 'agent', name: agent, publicKey: publicKeyOf(agent) },
    ],
    listen: `127.0.0.1:${port}`,
    storeFolder: join(folder, 'store'),
  })
  return { config, seedFileOf }
}

async function appendTimes(appends: JetStreamAppends | undefined): Promise<readonly number[]> {
  const times: number[] = []
  for (const entry of entries()) {
    const start = performance.now()
    await appends?.push(entry)
    times.push(performance.now() - start)
  }
  return times
}

const ids = ulidIds()

function entries(): readonly Entry[] {
  const now = Date.now()
  return Array.from({ length: count }, () => {
    const name = nameOf(place, 'vlp', addressOf(agent, null, ids.next(now)))
    return { name: intakeSubject(name) ?? name, bytes }
  })
}
