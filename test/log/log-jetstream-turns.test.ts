// Jobs of a queue on a server in turns over agents: a worker that has its fill of one agent reads
// on past what else that one has waiting, and finds the job of another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { queueInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog, openOperator, type Operator } from '#log/nats-admin/operator'
import { streamNames } from '#log/nats/stream'
import { patternOf, type Place } from '#record/names'
import type { Job, Log } from '#ports/log'
import { canStartNats, startNats, until, type NatsServer } from '../support/servers/nats-server.ts'

const inFlightMax = 80
const greedyCount = 400
const roomForAll = 256
const queue = 'policy'

describe.skipIf(!canStartNats)('the jobs of a queue', () => {
  let server: NatsServer
  let operator: Operator

  beforeAll(async () => {
    server = await startNats()
    operator = await openOperator({ servers: server.url })
  })
  afterAll(async () => {
    await operator.close()
    await server.dispose()
  })

  async function stand(realm: string) {
    const place: Place = { realm, era: 1 }
    const names = [patternOf(place, 'grounding', '>')]
    const queues = [{ name: queue, names }]
    await makeLog(operator.atLog, place, { replicas: 1, intakes: 1, queues })
    const log = await jetStreamLog(await NatsLink.open({ servers: server.url }), place)
    const append = (agent: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          log.append({ name: `${realm}.1.grounding.${agent}.-.u${n}.1`, bytes: Buffer.from('{}') }),
        ),
      )
    /** How many jobs workers have, under way or not. */
    const out = async (): Promise<number> => {
      const info = await queueInfo(operator.atLog, streamNames(place).log, queue)
      return info?.num_ack_pending ?? 0
    }
    return { log, names, append, out }
  }

  /** Jobs that are taken, and not ended if not asked to, until it leaves. */
  function taking(
    log: Log,
    names: readonly string[],
    most = inFlightMax,
    onJob?: (job: Job) => Promise<void>,
  ) {
    const abort = new AbortController()
    const seen: Job[] = []
    const worked = (async () => {
      for await (const job of log.work(queue, names, {
        inFlightMax: most,
        signal: abort.signal,
      })) {
        seen.push(job)
        await onJob?.(job)
      }
    })()
    const leave = async (): Promise<void> => {
      abort.abort()
      await worked
    }
    return { seen, leave }
  }

  test('of an agent with few comes before the rest of one with very many', async () => {
    const { log, names, append, out } = await stand('turns')
    await append('greedy', greedyCount)
    await append('polite', 1)
    const { seen, leave } = taking(log, names)
    await until(async () => seen.length === inFlightMax && (await out()) === greedyCount + 1)
    const agents = (): readonly string[] => seen.map(({ fact }) => fact.name.split('.')[3] ?? '')
    expect(new Set(agents())).toEqual(new Set(['greedy']))
    await seen[0]?.done()
    await until(() => seen.length > inFlightMax)
    expect(agents()[inFlightMax]).toBe('polite')
    // While others ask too, few of the crowd are under way.
    for (const job of seen.slice(1, 20)) await job.done()
    await append('other', 1)
    await until(() => agents().includes('other'))
    expect(seen.length).toBe(inFlightMax + 2)
    // What it has not shown yet is another worker's at once.
    await leave()
    const second = taking(log, names, greedyCount)
    await until(() => second.seen.length === greedyCount + 2 - seen.length)
    await second.leave()
    await log.close()
  })

  test('of many agents no more are out than may be under way', async () => {
    const { log, names, append, out } = await stand('many')
    for (let agent = 0; agent < 20; agent += 1) await append(`agent${agent}`, 20)
    const { seen, leave } = taking(log, names)
    await until(() => seen.length === inFlightMax)
    await append('last', 1)
    expect(await out()).toBe(inFlightMax)
    await leave()
    await log.close()
  })

  test('are shared by workers that have room for all of them', async () => {
    const { log, names, append } = await stand('shared')
    let isHeld = false
    const end = async (job: Job): Promise<void> => (isHeld ? undefined : await job.done())
    const workers = [1, 2].map(() => taking(log, names, roomForAll, end))
    const seen = (): readonly number[] => workers.map((worker) => worker.seen.length)
    const sum = (): number => seen().reduce((all, one) => all + one, 0)
    let count = 0
    const give = async (agents: number, each: number): Promise<void> => {
      const first = count
      count += agents * each
      const all = Array.from({ length: agents }, (_, n) => append(`bot${first + n}`, each))
      await Promise.all(all)
      await until(() => sum() === count)
    }
    while (seen().includes(0)) await give(1, 1)
    for (let round = 0; round < 3; round += 1) {
      // Each learns that there is much to do, and asks for as many as it may.
      await give(20, 20)
      const before = seen()
      isHeld = true
      await give(20, 7)
      const got = seen().map((now, index) => now - (before[index] ?? 0))
      expect(Math.min(...got)).toBeGreaterThan(0)
      isHeld = false
      for (const { seen: jobs } of workers) await Promise.all(jobs.map((job) => job.done()))
    }
    for (const worker of workers) await worker.leave()
    await log.close()
  })
})
