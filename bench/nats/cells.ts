// What a verdict costs where a realm has one log, and where it has several cells: each stage of a
// cell has a process of its own, and all of them together get the same load.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { OwnLog } from '#adapters/jetstream/own-log'
import { jetStreamLog } from '#adapters/jetstream/log'
import { NatsLink } from '#adapters/nats/link'
import { makeRealm } from '#adapters/nats-admin/cells'
import { openOperator } from '#adapters/nats-admin/operator'
import { cellOf } from '#core/catalog/cells'
import { emptyCatalog } from '#core/catalog/catalog'
import { realmOfCell, type Place } from '#core/kernel/names'
import type { Log } from '#ports/log'
import { jobsOf } from '#runtime/engine/era-watch'
import { stages } from '#services/stages'
import type { NatsServer } from '../../test/support/servers/nats-server.ts'
import { testRuntime } from '../../test/support/runtime.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'
import { capability, file, messagesIn } from './deployment.ts'
import { onServer } from './server.ts'
import { startWorker, type NatsWorker } from './worker.ts'

const sides = [1, 2, 4, 8]
const rounds = 3
/** All agents together ask so often a second, one by one. */
const perSecond = 400
const pacedCount = 4_000
/** So many at once, and the next when there was time for these. */
const burst = 800
const burstMs = 2_000
const burstsCount = 8 * burst
/** So many are decided before, since each process compiles for itself. */
const warmUpCount = 8 * burst
/** In the end so many wait for a person. */
const openCount = 3_200
const agentCount = 16
const realm = 'main'

interface Measured {
  readonly cells: number
  /** Of a verdict where many come at once, of it the server's, and where they come one by one. */
  readonly cpuMicros: number
  readonly serverMicros: number
  readonly pacedMicros: number
  /** Facts that a worker folded, and of how many bytes its heap grew over that of an empty log. */
  readonly folded: number
  readonly heapBytes: number
}

export async function benchNatsCells(): Promise<Report> {
  const measured: Measured[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const cells of round % 2 === 0 ? sides : sides.toReversed()) {
      measured.push(await measure(cells))
    }
  }
  const of = (cells: number, part: Exclude<keyof Measured, 'cells'>): readonly number[] =>
    measured.filter((one) => one.cells === cells).map((one) => one[part])
  const ratio = (cells: number, part: Exclude<keyof Measured, 'cells'>): readonly number[] =>
    of(cells, part).map((one, round) => one / (of(1, part)[round] ?? Number.NaN))
  const dearest = Math.max(...sides.map((cells) => median(ratio(cells, 'cpuMicros'))))
  return {
    title: 'one log and several cells under the same load',
    head: [
      'cells',
      'processes',
      'CPU µs a verdict',
      'of one log',
      'of it the server',
      'one by one',
      'of one log',
      'facts a worker',
      'of one log',
      'heap MB a worker',
      'of one log',
    ],
    rows: sides.map((cells) => [
      cells,
      cells * stages.length,
      spread(of(cells, 'cpuMicros'), whole),
      spread(ratio(cells, 'cpuMicros'), fixed(2)),
      whole(median(of(cells, 'serverMicros'))),
      whole(median(of(cells, 'pacedMicros'))),
      fixed(2)(median(ratio(cells, 'pacedMicros'))),
      whole(median(of(cells, 'folded'))),
      fixed(3)(median(ratio(cells, 'folded'))),
      fixed(1)(median(of(cells, 'heapBytes')) / 1_000_000),
      fixed(2)(median(ratio(cells, 'heapBytes'))),
    ]),
    notes: [
      `${rounds} rounds on a new server each; CPU of the server and of all workers: of`,
      `${whole(burstsCount)} verdicts, ${whole(burst)} at once every ${burstMs / 1_000} s, then of`,
      `${whole(pacedCount)} one by one, ${perSecond} a second.`,
      `Facts of both. Then ${whole(openCount)} more wait for a person: the heap of a worker after`,
      'collection, above what it was on the empty log',
    ],
    targets: [
      {
        claim: 'a verdict costs at most 1.15 times what it costs with one log',
        met: dearest <= 1.15,
        figures: fixed(2)(dearest),
      },
    ],
  }
}

function measure(cells: number): Promise<Measured> {
  return onServer({}, async (server) => {
    const realms = await made(server, cells)
    const agents = agentsIn(cells)
    const base = await begun(server, realms, agents)
    const workers = await workersIn(server, realms)
    const measured = () => Promise.all(workers.map((worker) => worker.measure()))
    const logs = await Promise.all(realms.map((of) => logIn(server, of)))
    let wanted = base
    const decided = async (load: Omit<Load, 'realms' | 'agents'>): Promise<void> => {
      await asked(server, { realms, agents, ...load })
      // A message, its grounding, and its verdict or its review.
      wanted += (3 * load.count) / realms.length
      await until(logs, wanted)
    }
    const empty = await measured()
    await decided({ count: warmUpCount, atOnce: burst })
    const begin = await measured()
    const serverBegin = cpuOfServer(server)
    await decided({ count: burstsCount, atOnce: burst })
    const serverMs = cpuOfServer(server) - serverBegin
    const middle = await measured()
    const cpuMs = cpuBetween(begin, middle) + serverMs
    const serverMiddle = cpuOfServer(server)
    await decided({ count: pacedCount, atOnce: 1 })
    const pacedServerMs = cpuOfServer(server) - serverMiddle
    const end = await measured()
    const pacedMs = cpuBetween(middle, end) + pacedServerMs
    await decided({ count: openCount, atOnce: burst, isDoubtful: true })
    const last = await measured()
    await Promise.all([
      ...workers.map((worker) => worker.stop()),
      ...logs.map((log) => log.close()),
    ])
    const grown = last.map(({ heapBytes }, at) => heapBytes - (empty[at]?.heapBytes ?? 0))
    const folded = end.map(({ position }, at) => position - (begin[at]?.position ?? 0))
    return {
      cells,
      cpuMicros: (cpuMs * 1_000) / burstsCount,
      serverMicros: (serverMs * 1_000) / burstsCount,
      pacedMicros: (pacedMs * 1_000) / pacedCount,
      folded: median(folded),
      heapBytes: median(grown),
    }
  })
}

type Usage = Awaited<ReturnType<NatsWorker['measure']>>

function cpuBetween(before: readonly Usage[], after: readonly Usage[]): number {
  return after.reduce((sum, { cpuMs }, at) => sum + cpuMs - (before[at]?.cpuAfterMs ?? 0), 0)
}

/** The realms in which agents are: the one, or each cell of it. */
async function made({ url }: NatsServer, cells: number): Promise<readonly string[]> {
  const operator = await openOperator({ servers: url })
  const queuesIn = (place: Place) =>
    stages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
  const several = cells === 1 ? {} : { cells }
  await makeRealm(operator, realm, { ...several, replicas: 1, queuesIn })
  await operator.close()
  return cells === 1
    ? [realm]
    : Array.from({ length: cells }, (_, index) => realmOfCell({ of: realm, index }))
}

interface BenchAgent {
  readonly id: string
  readonly cell: number
}

/** As many agents in each cell. */
function agentsIn(cells: number): readonly BenchAgent[] {
  const catalog = { ...emptyCatalog, cells }
  const agents: BenchAgent[] = []
  const room = agentCount / cells
  for (let number = 0; agents.length < agentCount; number += 1) {
    const id = `bot${number}`
    // Without an owner an agent is placed by itself.
    const cell = cells === 1 ? 0 : (cellOf(catalog, id) ?? 0)
    if (agents.filter((one) => one.cell === cell).length < room) agents.push({ id, cell })
  }
  return agents
}

/** Begins the catalog, and says how many facts each log has when it has come there. */
async function begun(
  server: NatsServer,
  realms: readonly string[],
  agents: readonly BenchAgent[],
): Promise<number> {
  const cells = realms.length
  const ask = { id: 'ask_first', safetyClass: 'READ' as const, confirmation: 'pair' }
  const { runtime } = await testRuntime({
    log: await logIn(server, realm),
    stages: [],
    catalog: {
      capabilities: [capability, { ...ask, argsSchema: capability.argsSchema }],
      confirmations: [{ id: 'pair', tier: 'four_eyes', group: 'desk', sessionless: true }],
      groups: [{ id: 'desk', members: ['piet', 'quin'] }],
      principals: agents.map(({ id }) => ({ id })),
      limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 }],
      ...(cells > 1 && { cells }),
    },
    graph: { primitives: [file] },
  })
  const { position } = await runtime.log.head()
  await runtime.stop()
  return position
}

async function logIn({ url }: NatsServer, of: string): Promise<Log> {
  return jetStreamLog(await NatsLink.open({ servers: url }), { realm: of })
}

async function workersIn(
  server: NatsServer,
  realms: readonly string[],
): Promise<readonly NatsWorker[]> {
  const workers: NatsWorker[] = []
  for (const of of realms) {
    for (const { name } of stages) workers.push(await startWorker(server.url, name, of))
  }
  return workers
}

interface Load {
  readonly realms: readonly string[]
  readonly agents: readonly BenchAgent[]
  readonly count: number
  /** How many are published at the same moment. */
  readonly atOnce: number
  /** Whether each is to wait for a person. */
  readonly isDoubtful?: boolean
}

/** Agents ask in turns, at the same rate however many cells there are. */
async function asked(
  server: NatsServer,
  { realms, agents, count, atOnce, isDoubtful = false }: Load,
): Promise<void> {
  const logs = await Promise.all(
    realms.map(async (of) => new OwnLog(await NatsLink.open({ servers: server.url }), of)),
  )
  const began = performance.now()
  const published: Promise<void>[] = []
  for (let index = 0; index < count; index += 1) {
    const due =
      began + (atOnce === 1 ? (index * 1_000) / perSecond : Math.floor(index / atOnce) * burstMs)
    if (performance.now() < due) await sleep(due - performance.now())
    const agent = agents[index % agents.length]
    const of = realms[agent?.cell ?? 0] ?? realm
    const [entry] = messagesIn({ realm: of, era: 1 }, 1, {
      agents: [agent?.id ?? ''],
      isDoubtful,
      ...(isDoubtful && { tool: 'ask_first' }),
    })
    if (entry !== undefined) published.push(logs[agent?.cell ?? 0]?.publish(entry) ?? sleep(0))
  }
  await Promise.all(published)
  await Promise.all(logs.map((log) => log.close()))
}

async function until(logs: readonly Log[], position: number): Promise<void> {
  for (const log of logs) {
    // A machine with too many processes answers late.
    const at = () => log.head().catch(() => ({ position: 0 }))
    while ((await at()).position < position) await sleep(200)
  }
}

/** Milliseconds of CPU that the server has used; not a number where no system reports it. */
function cpuOfServer({ folder }: NatsServer): number {
  const ticksPerSecond = 100
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (!command.includes(folder)) continue
      const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
      const [user = '', system = ''] = after.split(' ').slice(11, 13)
      return ((Number(user) + Number(system)) * 1_000) / ticksPerSecond
    }
  } catch {
    // A process that has ended meanwhile, or a system without such files.
  }
  return Number.NaN
}
