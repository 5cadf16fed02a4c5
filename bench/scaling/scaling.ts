// What one, two and four of something give, where each process of ours has a part of a core and
// the server all that it needs: so a machine of two cores shows what else would bound them.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { setup as compile } from '../../test/support/vitest/compile.ts'
import { inFolder } from '../deployment.ts'
import {
  inRounds,
  ratioAtLeast,
  ratioAtMost,
  sized,
  type Bench,
  type Figure,
  type Options,
  type Sample,
} from '../harness.ts'
import { onServer } from '../nats/server.ts'
import { busySeconds, cpuSecondsOf, idsNaming } from '../process.ts'
import { openShares, type Shares } from './shares.ts'
import { connected, realmOn } from './realm.ts'
import { ways, type Stand, type Way } from './ways.ts'

/** Of a core, for each process: with a quarter, four and their server would fill two cores. */
const share = 0.15
const counts = [1, 2, 4]
const rounds = 3
/** Of each, before it is held: what the engine has not compiled yet costs many times as much. */
const warmUpEach = sized(2_500)
const warmUpMsMax = 30_000
const lookMs = 20
const windowMs = sized(4_000)

export const bench: Bench = {
  title: 'One, two and four of it, 0.15 of a core for each process of ours',
  needs: 'nats',
  isLong: true,
  async run({ parts = [] }: Options) {
    const names = ways.map(({ what }) => what)
    const unknown = parts.find((part) => !names.includes(part))
    if (unknown !== undefined) {
      throw new Error(`--part is one of ${names.join(', ')}, and not \`${unknown}\``)
    }
    const shares = openShares()
    if (shares === null) {
      process.stderr.write('`scaling` is left out: it needs control groups of version 1\n')
      return []
    }
    compile()
    const figures: Figure[] = []
    for (const way of ways.filter(({ what }) => parts.length === 0 || parts.includes(what))) {
      figures.push(...(await measured(way, shares)))
    }
    shares.dispose()
    return figures
  },
}

function measured(way: Way, shares: Shares): Promise<readonly Figure[]> {
  return onServer({}, (server) =>
    inFolder(async (folder) => {
      const connection = await connected(server)
      const stands: Stand[] = []
      for (const count of counts) {
        const stand = await way.stand(count, {
          connection,
          realm: (wanted) => realmOn(server, folder, { name: `of-${count}`, ...wanted }),
        })
        await warm(stand)
        for (const { id } of [...stand.each, ...stand.beside]) shares.hold(id, share)
        stands.push(stand)
      }
      const servers = idsNaming(server.folder)
      const ran = await inRounds(rounds, async () => {
        let sample: Sample = {}
        for (const stand of stands) sample = { ...sample, ...(await windowOf(stand, servers, way)) }
        return sample
      })
      const all = stands.flatMap(({ each, beside, free }) => [...each, ...beside, ...free])
      for (const one of all) await one.stop()
      await connection.close()
      return stands.flatMap(({ count }) => figuresOf(way, count, ran))
    }),
  )
}

async function warm({ count, load: begin }: Stand): Promise<void> {
  const load = begin()
  const until = performance.now() + warmUpMsMax
  while (load.answered() < warmUpEach * count && performance.now() < until) await sleep(lookMs)
  await load.stop()
}

/** What it is called of so many. */
function named({ what }: Way, count: number) {
  const of = `${what}, ${count}`
  return {
    rate: of,
    ours: `${of}: CPU of ours`,
    server: `${of}: CPU of the server`,
    most: `${of}: what following alone allows`,
    idle: `${of}: unused meanwhile`,
    others: `${of}: used by all else`,
  }
}

async function windowOf(stand: Stand, servers: readonly number[], way: Way): Promise<Sample> {
  const { count, each, beside, free, following } = stand
  const ours = [...each, ...beside, ...free].map(({ id }) => id)
  const used = () => ({
    ours: cpuSecondsOf(ours),
    server: cpuSecondsOf(servers),
    here: process.cpuUsage(),
    following: following === undefined ? 0 : cpuSecondsOf([following.id]),
    all: busySeconds(),
    at: performance.now(),
  })
  const load = stand.load()
  // Before as many are answered as wait, what waits still grows, and so what an answer takes.
  while (load.answered() < load.waiting) await sleep(lookMs)
  const [before, already] = [used(), load.answered()]
  await sleep(windowMs)
  const [after, asked] = [used(), load.answered() - already]
  const here = process.cpuUsage(before.here)
  await load.stop()
  const seconds = (after.at - before.at) / 1_000
  const [own, there] = [after.ours - before.ours, after.server - before.server]
  const known = own + there + (here.user + here.system) / 1e6
  const names = named(way, count)
  return {
    [names.rate]: asked / seconds,
    [names.ours]: (own * 1e6) / asked,
    [names.server]: (there * 1e6) / asked,
    [names.most]: (share * asked) / (after.following - before.following),
    [names.idle]: availableParallelism() - (after.all - before.all) / seconds,
    [names.others]: (after.all - before.all - known) / seconds,
  }
}

function figuresOf(
  way: Way,
  count: number,
  ran: Awaited<ReturnType<typeof inRounds>>,
): readonly Figure[] {
  const [names, one] = [named(way, count), named(way, 1)]
  const isMore = count > 1
  return [
    ran.figure(names.rate, '/s', {
      ...(isMore && { against: one.rate, aims: ratioAtLeast(way.least * count) }),
    }),
    ran.figure(names.ours, 'µs each', {
      ...(isMore && { against: one.ours, ...(way.isFlat && { aims: ratioAtMost(1.1) }) }),
    }),
    ran.figure(names.server, 'µs each', isMore ? { against: one.server } : {}),
    ...(way.follows ? [ran.figure(names.most, '/s')] : []),
    ran.figure(names.idle, 'cores'),
    ran.figure(names.others, 'cores'),
  ]
}
