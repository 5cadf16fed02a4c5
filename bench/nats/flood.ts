// Measures what others notice while one agent floods a log on NATS that syncs each fact: an agent
// of another shard and one of its own until their verdicts, a worker's append, and a policy admin
// who suspends it.
import { connect as connectSocket, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamAppends } from '#adapters/jetstream/appends'
import { untilTaken } from '#adapters/jetstream/patience'
import { intakesMax, intakeSubject, shardOf, shards } from '#adapters/nats/intake'
import { NatsLink } from '#adapters/nats/link'
import { Requests } from '#adapters/nats/requests'
import { bufferedMax } from '#adapters/nats-config/server-config'
import { nameOf } from '#core/kernel/names'
import { change } from '#runtime/authoring/change'
import { connect } from '#services/client/connect'
import { stages } from '#services/stages'
import { keys } from '../../test/support/runtime.ts'
import type { NatsServer } from '../../test/support/servers/nats-server.ts'
import { intentOf, messages, type Deployment } from './deployment.ts'
import { quantile, type Report } from '../figures.ts'
import { deployThere, makeLogOn, onServer, place } from './server.ts'
import { startWorker } from './worker.ts'

const flooder = 'bot'
const everyMs = 100
const quietMs = 5_000
const floodMs = 20_000
const askMsMax = 120_000

/** What the flooding agent writes to its socket, and waits for no answer. */
const floods = {
  none: async () => undefined,
  '20,000 intents in one write': async (socket, deployment) => {
    const all = [...messages(deployment, 20_000, null, [flooder])]
    socket.write(all.map(({ name, bytes }) => published(name, bytes.toString())).join(''))
  },
  '2,000 bytes a second': (socket) => junk(socket, 2_000),
  '20,000 bytes a second': (socket) => junk(socket, 20_000),
} as const satisfies Readonly<
  Record<string, (socket: Socket, deployment: Deployment) => Promise<void>>
>

type Flood = keyof typeof floods

interface Measured {
  readonly flood: string
  readonly elsewhere: readonly number[]
  readonly beside: readonly number[]
  readonly appends: readonly number[]
  readonly suspendMs: number
}

export async function benchNatsFlood(): Promise<Report> {
  const measured: Measured[] = []
  for (const flood of Object.keys(floods).filter(isFlood)) measured.push(await measure(flood))
  const ms = (values: readonly number[], part: number): string => quantile(values, part).toFixed(0)
  return {
    title: 'what others wait while one agent floods NATS, every fact synced, milliseconds',
    head: [
      'flood',
      'verdict elsewhere p50',
      'p99',
      'in its shard p50',
      'p99',
      'append p50',
      'p99',
      'suspended after',
    ],
    rows: measured.map(({ flood, elsewhere, beside, appends, suspendMs }) => [
      flood,
      ms(elsewhere, 0.5),
      ms(elsewhere, 0.99),
      ms(beside, 0.5),
      ms(beside, 0.99),
      ms(appends, 0.5),
      ms(appends, 0.99),
      suspendMs.toFixed(0),
    ]),
    notes: [
      `one process a stage; ${floodMs / 1_000} s each on a new server, whose streams take at most`,
      `${bufferedMax} messages that are not stored yet; two agents ask and a worker appends every`,
      `${everyMs} ms; suspended after: from the command in mid-flood until all stages may know it`,
    ],
    targets: [],
  }
}

function isFlood(text: string): text is Flood {
  return Object.hasOwn(floods, text)
}

function measure(flood: Flood): Promise<Measured> {
  return onServer({ syncAlways: true, bufferedMax }, async (server) => {
    await makeLogOn(server)
    const [elsewhere, beside] = [agentIn(false), agentIn(true)]
    const deployment = await deployThere(server, [], [elsewhere, beside])
    const workers = await Promise.all(stages.map(({ name }) => startWorker(server.url, name)))
    const requests = new Requests(await NatsLink.open({ servers: server.url }))
    const over = new AbortController()
    const asking = [elsewhere, beside].map((agent) => asked(server, agent, over.signal))
    const appending = appended(requests, over.signal)
    await sleep(quietMs)
    const socket = connectSocket(server.port, '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
    socket.resume().write('CONNECT {"verbose":false,"pedantic":false}\r\n')
    const flooding = floods[flood](socket, deployment)
    await sleep(floodMs / 4)
    const suspendMs = await suspended(deployment)
    await flooding
    await sleep(floodMs / 2)
    over.abort()
    const [other = [], own = []] = await Promise.all(asking)
    const appends = await appending
    socket.destroy()
    requests.close()
    await requests.link.close()
    await Promise.all(workers.map((worker) => worker.stop()))
    await deployment.runtime.stop()
    return { flood, elsewhere: other, beside: own, appends, suspendMs }
  })
}

/** An agent whose shard is taken in with that of the one that floods, or not. */
function agentIn(same: boolean): string {
  const intakeOf = (agent: string): number => shards.indexOf(shardOf(agent)) % intakesMax
  for (let number = 0; ; number += 1) {
    const agent = `polite${number}`
    if ((intakeOf(agent) === intakeOf(flooder)) === same) return agent
  }
}

/** How long each verdict took, asked at a steady pace whatever becomes of those before. */
async function asked(
  { url }: NatsServer,
  agent: string,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const client = await connect({ log: url, as: agent, reads: 'own' })
  const under: Promise<number>[] = []
  while (!signal.aborted) {
    const intent = intentOf(under.length)
    under.push(took(() => client.ask(intent, { waitMs: askMsMax })))
    await sleep(everyMs)
  }
  const times = await Promise.all(under)
  await client.close()
  return times
}

/** How long an append of a worker's kind took; what it binds is void. */
async function appended(requests: Requests, signal: AbortSignal): Promise<readonly number[]> {
  const appends = new JetStreamAppends(requests)
  const under: Promise<number>[] = []
  const bytes = Buffer.alloc(500, 'x')
  for (let number = 0; !signal.aborted; number += 1) {
    const name = nameOf(place, 'fault', 'probe', number)
    const again = { waitMs: askMsMax, isWorthIt: () => true }
    under.push(took(() => untilTaken(() => appends.push({ name, bytes }), again)))
    await sleep(everyMs)
  }
  return Promise.all(under)
}

async function suspended({ runtime }: Deployment): Promise<number> {
  const operations = [{ op: 'suspend' as const, id: flooder }]
  const root = { id: 'root', privateKey: keys.root }
  // It resolves when it is folded here, and every stage folds the same log.
  return took(() => change(runtime, { kind: 'catalog', operations }, root))
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function junk(socket: Socket, perSecond: number): Promise<void> {
  const start = performance.now()
  let count = 0
  for (;;) {
    const elapsed = performance.now() - start
    if (elapsed > floodMs / 2) return
    const lines: string[] = []
    for (; count < (elapsed * perSecond) / 1_000; count += 1) {
      lines.push(published(nameOf(place, 'vlp', flooder, '-', `junk${count}`), 'x'))
    }
    socket.write(lines.join(''))
    await sleep(10)
  }
}

function published(name: string, body: string): string {
  return `PUB ${intakeSubject(name) ?? name} ${Buffer.byteLength(body)}\r\n${body}\r\n`
}
