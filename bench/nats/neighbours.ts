// What polite agents wait for beside one that floods, on a NATS server that syncs every message,
// against the same agents without a flood: those who share its intake, and others.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import { shardOf } from '#log/nats/intake'
import { bufferedMax } from '#log/nats-config/server-config'
import type { Log } from '#ports/log'
import { changeCatalog } from '../../test/support/runtime.ts'
import { place } from '../../test/support/scene.ts'
import { deployFor } from '../deployment.ts'
import { inRounds, percentiles, ratioAtMost, sized, timed, type Bench } from '../harness.ts'
import { printedHere } from '../process.ts'
import { makeLogOn, onServer } from './server.ts'
import type { Flood, Order } from './flooding.ts'

/** What became of each intent of a polite agent; times are those of the machine's clock. */
const Asked = z.array(z.object({ address: z.string(), scheduled: z.number(), taken: z.number() }))
type Asked = z.infer<typeof Asked>

const flooding = 'mallory'
const other = 'bot0'
const polite = { count: sized(75), perSecond: 5 }
/** The polite begin before the flood does, and the suspension comes in the middle of it. */
const beforeMs = sized(2_000)
const suspendedMs = sized(5_000)

const quiet = 'no flood'
const floods: Readonly<Record<string, Flood | null>> = {
  [quiet]: null,
  '20 000 in one write': { count: sized(20_000) },
  '1 000 a second': { count: sized(15_000), perSecond: 1_000 },
  '20 000 a second of junk': { count: sized(200_000), perSecond: 20_000, isJunk: true },
}

/** Agents by where they publish, beside the one that floods. */
const neighbours: Readonly<Record<string, readonly string[]>> = {
  'same intake': namesIn((shard) => shard === shardOf(flooding), 2),
  'other intakes': namesIn((shard) => shard !== shardOf(flooding), 4),
}
const agents = Object.values(neighbours).flat()
const program = fileURLToPath(new URL('flooding.ts', import.meta.url))

export const bench: Bench = {
  title: 'Polite agents beside one that floods, on NATS, every message synced',
  needs: 'nats',
  isLong: true,
  run: async () => {
    const ran = await inRounds(1, async () => {
      const samples: Readonly<Record<string, number>>[] = []
      for (const [name, flood] of Object.entries(floods)) samples.push(await measured(name, flood))
      return Object.fromEntries(samples.flatMap((sample) => Object.entries(sample)))
    })
    return Object.keys(floods).flatMap((name) => [
      ...Object.keys(neighbours).flatMap((where) => [
        ...ran.times(`${name}: verdict, ${where}`, `${quiet}: verdict, ${where}`),
        ...ran.times(`${name}: taken in, ${where}`, `${quiet}: taken in, ${where}`),
      ]),
      ran.figure(`${name}: a suspension`, 'ms', {
        against: `${quiet}: a suspension`,
        aims: name === quiet ? [] : ratioAtMost(100),
      }),
    ])
  },
}

function namesIn(isThere: (shard: string) => boolean, count: number): readonly string[] {
  const all = Array.from({ length: 1_000 }, (_, index) => `polite${index}`)
  return all.filter((name) => isThere(shardOf(name))).slice(0, count)
}

function measured(name: string, flood: Flood | null) {
  return onServer({ syncAlways: true, bufferedMax }, async (server) => {
    await makeLogOn(server)
    const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), place)
    const runtime = await deployFor([flooding, other, ...agents], log)
    const run = (order: Omit<Order, 'url'>): Promise<string> =>
      printedHere(program, [JSON.stringify({ url: server.url, ...order })])
    await run({ agent: other, polite: { count: sized(400), perSecond: 400 } })
    const asking = agents.map(async (agent) => {
      return Asked.parse(JSON.parse(await run({ agent, polite })))
    })
    await sleep(beforeMs)
    const flooded = flood === null ? null : run({ agent: flooding, flood })
    await sleep(suspendedMs)
    const suspended = await timed(() => changeCatalog(runtime, { op: 'suspend', id: other }))
    const asked = await Promise.all(asking)
    await flooded
    const answered = await answeredAt(log, asked.flat())
    await runtime.stop(0)
    const of = (names: readonly string[]): Asked =>
      asked.flatMap((each, index) => (names.includes(agents[index] ?? '') ? each : []))
    const waits = Object.entries(neighbours).map(([where, names]) => ({
      ...percentiles(
        `${name}: verdict, ${where}`,
        of(names).map(({ address, scheduled }) => (answered.get(address) ?? NaN) - scheduled),
      ),
      ...percentiles(
        `${name}: taken in, ${where}`,
        of(names).map(({ scheduled, taken }) => taken - scheduled),
      ),
    }))
    const samples = [{ [`${name}: a suspension`]: suspended }, ...waits]
    return Object.fromEntries(samples.flatMap((sample) => Object.entries(sample)))
  })
}

/** When each got its verdict, by the server's clock, which is that of this machine. */
async function answeredAt(log: Log, asked: Asked): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  const wanted = new Set(asked.map(({ address }) => address))
  for await (const { name, appendedAt } of log.follow(1, new AbortController().signal)) {
    const [, , kind, ...address] = name.split('.')
    const key = address.join('.')
    if (kind === 'verdict' && wanted.has(key)) times.set(key, appendedAt)
    if (times.size === wanted.size) break
  }
  return times
}
