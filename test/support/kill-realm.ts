// A realm of its own on a NATS server with the queues of the stages, agents that ask for three
// kinds of capabilities and people who answer, and what must be true when all of it has ended.
import { expect } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { jetStreamLog } from '#log/jetstream/log'
import { queueInfo, streamInfo } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import { streamNames } from '#log/nats/stream'
import { missingIn } from '#log/nats/wholeness'
import type { Stage } from '#stages/stage'
import type { Fact } from '#ports/log'
import { startRuntime } from '#wiring/open'
import type { Parts, Runtime } from '#runtime/engine/runtime'
import { replay } from '#replay/replay'
import { jobsOf } from '#runtime/engine/era-watch'
import { stages } from '#workers/stages'
import { until } from './servers/nats-server.ts'
import { genesis, testParts, type TestSetup } from './runtime.ts'
import { deletion, look } from './scene.ts'

const count = { ...look, id: 'count' }
const erase = { ...look, id: 'erase', concepts: ['delete', 'file'] }

/** `look` is free, each use of `count` is counted, and a person is asked before `erase`. */
const three: TestSetup = {
  catalog: {
    principals: [
      { id: 'ann', owner: 'olga' },
      { id: 'ben', owner: 'olga' },
    ],
    capabilities: [look, count, erase],
    limits: [
      { safetyClass: 'READ', uses: 'unlimited', windowMs: 3_600_000 },
      { capability: 'count', uses: 100_000, windowMs: 3_600_000 },
    ],
  },
  graph: deletion({ name: 'ask first', requiresConfirmation: true }),
}

export interface RealmOptions {
  readonly url: string
  readonly realm: string
  readonly ackWaitMs: number
  readonly replicas?: number
  /** What its catalog and graph begin with, if not with the three capabilities. */
  readonly setup?: TestSetup
}

export interface Realm {
  readonly place: { readonly realm: string; readonly era: number }
  readonly operator: Requests
  /** A runtime with those stages, as a process of its own would have it. */
  open(stages: readonly Stage[], parts?: Partial<Parts>): Promise<Runtime>
  dispose(): Promise<void>
}

/** Makes the log and its queues, and binds the genesis. */
export async function newRealm(options: RealmOptions): Promise<Realm> {
  const { url, realm, ackWaitMs, replicas = 1, setup = three } = options
  const place = { realm, era: 1 }
  const operator = new Requests(await NatsLink.open({ servers: url }))
  const queues = stages.map((stage) => {
    const { queue, names } = jobsOf(stage, place)
    return { name: queue, names }
  })
  await makeLog(operator, place, { replicas, queues, ackWaitMs })
  const opened: Runtime[] = []
  const open: Realm['open'] = async (some, parts) => {
    const log = await jetStreamLog(await NatsLink.open({ servers: url }), { realm })
    const runtime = await startRuntime(testParts(log, { parts: { place, ...parts } }), some)
    opened.push(runtime)
    return runtime
  }
  await genesis(await open([]), setup)
  return {
    place,
    operator,
    open,
    async dispose() {
      await Promise.all(opened.map((runtime) => runtime.stop()))
      operator.close()
      await operator.link.close()
    },
  }
}

/** Resolves when no queue of these stages has a job left, out or waiting. */
export async function untilWorked(
  { operator, place }: Pick<Realm, 'operator' | 'place'>,
  running: readonly string[] = stages.map(({ name }) => name),
): Promise<void> {
  const { log } = streamNames(place)
  for (const name of new Set(running)) {
    await until(async () => {
      const queue = await queueInfo(operator, log, name)
      return queue?.num_pending === 0 && queue.num_ack_pending === 0
    })
  }
}

export interface Worked {
  readonly facts: readonly Fact[]
  /** How many facts there are of each kind. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Every intent has one grounding and one verdict, and nothing was lost, doubled or set aside; all
 * of it is derived again to the byte.
 */
export async function expectWorked(on: Realm): Promise<Worked> {
  const runtime = await on.open([])
  const { log, place } = runtime
  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  expect(facts.map(({ position }) => position)).toEqual(facts.map((_fact, index) => index + 1))
  expect(new Set(facts.map(({ name }) => name)).size).toBe(facts.length)
  const tokens = facts.map(({ name }) => name.split('.').slice(2))
  const about = (kind: string): readonly string[] =>
    tokens
      .filter(([first]) => first === kind)
      .map(([, agent, session, ulid]) => `${agent}.${session}.${ulid}`)
      .toSorted()
  const intents = about('vlp')
  expect(about('grounding')).toEqual(intents)
  expect(about('verdict')).toEqual(intents)
  const users = facts.filter((_fact, index) => tokens[index]?.[0] === 'rate').map(userOf)
  expect(new Set(users).size).toBe(users.length)
  const info = await streamInfo(on.operator, streamNames(place).log)
  expect(info === null ? 'no stream' : missingIn(info)).toBeNull()
  expect(info?.state.messages).toBe(facts.length)
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  const report = await replay({ log, place, rootKey: null, stages, callbacks })
  await callbacks.close()
  expect(report).toMatchObject({ first: null, differences: 0, open: 0, voidCount: 0 })
  const counts: Record<string, number> = {}
  for (const [kind = ''] of tokens) counts[kind] = (counts[kind] ?? 0) + 1
  expect(counts['fault'] ?? 0).toBe(0)
  const derived = ['grounding', 'rate', 'review', 'verdict']
  expect(report.derived).toBe(derived.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0))
  return { facts, counts }
}

/** The intent that took this use. */
function userOf({ bytes }: Fact): string {
  const { data }: { data: { intent: { address: string } } } = JSON.parse(
    Buffer.from(bytes).toString('utf8'),
  )
  return data.intent.address
}
