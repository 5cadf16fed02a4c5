// A few agents say more at once than the stages can answer in a while; another asks now and then:
// nothing is lost, the oldest comes first anyone who asked it, and workers do not grow with the
// queue.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, nameOf } from '#record/names'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { expectWorked, newRealm, untilWorked } from '../support/kill-realm.ts'
import { messageOf } from './kill-stubborn.ts'
import { Victim, type Weight } from './kill-victim.ts'
import { natsBinary, startNats, type NatsServer, until } from '../support/servers/nats-server.ts'
import { builtFile } from '../support/vitest/built.ts'

const flood = Number(process.env['WARRANT_OVERLOAD'] ?? 6_000)
const warmUp = 500
/** One agent alone may not have so many open: what is beyond 1,024 counts for nothing. */
const floodingAgents = 8
const togetherMax = 1_000
const quietMs = 250
const stageNames = ['grounding', 'policy', 'confirmation'] as const
/** As many jobs may a worker have under way, and so many stages an intent goes through here. */
const [inFlightMax, stagesOnTheWay] = [256, 2]
/** A job that is tried again is overtaken by what its worker takes up meanwhile, too. */
const tries = 2
/** An intent that waits is kept by every fold, with its grounding: about so much. */
const heapBytesOfOpen = 3_000
const heapBytesSlack = 24_000_000
const flooding = Array.from({ length: floodingAgents }, (_none, index) => `ann${index}`)

describe.skipIf(natsBinary === null)('on a nats-server', () => {
  let server: NatsServer
  const script = builtFile('test/system/kill-worker.ts')

  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(async () => {
    await server.dispose()
  })

  test('a flood of a few agents delays another by what was before it, and no more', async () => {
    const realm = await newRealm({ url: server.url, realm: 'flood', ackWaitMs: 30_000 })
    const runtime = await realm.open([])
    const workers = stageNames.map(() => new Victim(script))
    for (const [index, stage] of stageNames.entries()) {
      const order = { kind: 'work', url: server.url, realm: 'flood', stage } as const
      await workers[index]?.report(order)
    }
    const weighAll = (): Promise<readonly Weight[]> =>
      Promise.all(workers.map((worker) => worker.weigh()))
    await say(runtime, flooding, { from: 0, many: warmUp })
    await untilOpen(runtime, 0)
    const before = await weighAll()

    const quiet = askNowAndThen(runtime)
    await say(runtime, flooding, { from: warmUp, many: flood })
    await untilOpen(runtime, flood / 2)
    const under = await weighAll()
    await untilOpen(runtime, 1)
    await quiet.end()
    await untilOpen(runtime, 0)
    await untilWorked(realm, stageNames)
    let after = await weighAll()
    // What a worker has been given and not folded yet, it still holds.
    await until(async () => {
      after = await weighAll()
      return after.every(({ heapBytes }, index) => {
        return heapBytes - (before[index]?.heapBytes ?? 0) < heapBytesSlack
      })
    })

    const { facts, counts } = await expectWorked(realm)
    expect(counts).toMatchObject({ verdict: warmUp + flood + quiet.asked.length })
    expect(quiet.asked.length).toBeGreaterThan(3)
    expect(overtaken(facts, ['ben'])).toBeLessThanOrEqual(inFlightMax * stagesOnTheWay)
    const most = inFlightMax * stagesOnTheWay * tries
    expect(overtaken(facts, [...flooding, 'ben'])).toBeLessThanOrEqual(most)
    for (const [index, { heapBytes }] of before.entries()) {
      const grown = (weights: readonly Weight[]): number =>
        (weights[index]?.heapBytes ?? Infinity) - heapBytes
      expect(grown(under)).toBeLessThan(flood * heapBytesOfOpen + heapBytesSlack)
      expect(grown(after)).toBeLessThan(heapBytesSlack)
    }
    if (process.env['WARRANT_OVERLOAD'] !== undefined) {
      const waits = quiet.asked.map((name) => waitOf(facts, name)).toSorted((a, b) => a - b)
      process.stderr.write(`${JSON.stringify({ before, under, after, waits })}\n`)
    }
    await Promise.all(workers.map((worker) => worker.stop()))
    await realm.dispose()
  })
})

/** By how many later intents, of anyone, the unluckiest of these agents was overtaken. */
function overtaken(facts: readonly Fact[], of: readonly string[]): number {
  const rank = new Map<string, number>()
  let most = 0
  let decided = 0
  for (const { name } of facts) {
    const [, , kind = '', ...address] = name.split('.')
    const key = address.join('.')
    if (kind === 'vlp') rank.set(key, rank.size)
    if (kind !== 'verdict') continue
    if (of.includes(address[0] ?? '')) {
      most = Math.max(most, decided - (rank.get(key) ?? Infinity))
    }
    decided += 1
  }
  return most
}

function waitOf(facts: readonly Fact[], name: string): number {
  const timeOf = (wanted: string): number =>
    facts.find((fact) => fact.name === wanted)?.appendedAt ?? Number.NaN
  return timeOf(name.replace('.vlp.', '.verdict.')) - timeOf(name)
}

async function say(
  { log, place }: Runtime,
  agents: readonly string[],
  { from, many }: { readonly from: number; readonly many: number },
): Promise<void> {
  for (let next = from; next < from + many; next += togetherMax) {
    const some = Math.min(togetherMax, from + many - next)
    await Promise.all(
      Array.from({ length: some }, (_none, index) => {
        const agent = agents[(next + index) % agents.length] ?? ''
        const name = nameOf(place, 'vlp', addressOf(agent, null, `u${next + index}`))
        return log.append({
          name,
          bytes: messageOf(agent, next + index, { tool: 'look', args: {} }),
        })
      }),
    )
  }
}

function askNowAndThen(runtime: Runtime) {
  const asked: string[] = []
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      await say(runtime, ['ben'], { from: asked.length, many: 1 })
      asked.push(nameOf(runtime.place, 'vlp', addressOf('ben', null, `u${asked.length}`)))
      await new Promise((resolve) => setTimeout(resolve, quietMs))
    }
  })()
  return {
    asked,
    async end(): Promise<void> {
      over.abort()
      await asking
    },
  }
}

/** Resolves when no more than so many intents are without a verdict. */
async function untilOpen({ follower, log }: Runtime, most: number): Promise<void> {
  await follower.reached((await log.head()).position)
  await until(() => follower.state.intents.size <= most)
}
