// Measures what an intent that waits for people costs in the heap of each process that folds: what
// the fold keeps of it, without the caches, which are bounded. Run as a file it is that process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { MemoryStore } from '#adapters/memory/log'
import { systemClock, systemTimer } from '#adapters/system/clock'
import { assert } from '#core/kernel/fault'
import { addressOf, nameOf } from '#core/kernel/names'
import { messageLimits } from '#core/messages/check'
import { evolve } from '#core/state/fold/evolve'
import { newState } from '#core/state/state'
import { testRuntime } from '../../test/support/runtime.ts'
import type { Report } from '../figures.ts'

const agents = 20
const each = { ordinary: 100, dearest: 10 }
const askedMsMax = 60_000
const ordinaryBytesMax = 3_000
const dearestBytesMax = 64_000
const kinds = ['ordinary', 'dearest'] as const
type MessageKind = (typeof kinds)[number]

const longest = (prefix: string): string => prefix.padEnd(256, 'x')

/** What one agent says; the dearest is as large in every part as a message may be. */
function intentOf(kind: MessageKind): unknown {
  if (kind === 'ordinary') return { tool: 'erase', args: { path: 'notes/a.txt' } }
  // Three of them, and what else the message holds.
  const list = Array.from({ length: messageLimits.valuesMax / 3 - 32 }, () => ({}))
  return {
    tool: 'erase',
    args: { list, text: 'x'.repeat(50_000) },
    goal: 'x'.repeat(8_000),
    justification: 'x'.repeat(8_000),
    scope: { list, text: 'x'.repeat(20_000) },
    constraints: { list, text: 'x'.repeat(20_000) },
  }
}

export async function benchOpenIntents(): Promise<Report> {
  const costs = new Map<MessageKind, number>()
  for (const kind of kinds) costs.set(kind, await measured(kind))
  const [ordinary = Number.NaN, dearest = Number.NaN] = kinds.map((kind) => costs.get(kind))
  return {
    title: 'heap of an open intent',
    head: ['message', 'bytes of heap an open intent'],
    rows: kinds.map((kind) => [kind, (costs.get(kind) ?? Number.NaN).toFixed(0)]),
    notes: [
      `${agents} agents, intents with open reviews, after garbage was collected, caches aside`,
    ],
    targets: [
      {
        claim: 'an ordinary one costs at most 3 kB',
        met: ordinary <= ordinaryBytesMax,
        figures: `${ordinary.toFixed(0)} bytes`,
      },
      {
        claim: 'the dearest one costs at most 64 kB',
        met: dearest <= dearestBytesMax,
        figures: `${dearest.toFixed(0)} bytes`,
      },
    ],
  }
}

async function measured(kind: MessageKind): Promise<number> {
  const args = ['--expose-gc', ...process.execArgv, import.meta.filename, kind]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  let bytes = Number.NaN
  for await (const line of createInterface(child.stdout)) bytes = Number(line)
  if (child.exitCode === null) await once(child, 'exit')
  assert(child.exitCode === 0, 'the process came to its end')
  return bytes
}

async function opened(kind: MessageKind): Promise<MemoryStore> {
  const store = new MemoryStore({ clock: systemClock, timer: systemTimer })
  const ids = Array.from({ length: agents }, (_, n) => longest(`agent${n}`))
  const erase = {
    id: 'erase',
    safetyClass: 'READ' as const,
    concepts: ['file'],
    confirmation: 'two',
    argsSchema: {},
  }
  const policies = [{ name: 'ask' }]
  const { runtime } = await testRuntime({
    log: store.open(),
    catalog: {
      capabilities: [erase],
      principals: ids.map((id) => ({ id })),
      groups: [{ id: 'desk', members: ['piet', 'quin'] }],
      confirmations: [{ id: 'two', tier: 'four_eyes', sessionless: true, group: 'desk' }],
      limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 1 }],
    },
    graph: {
      primitives: [
        { name: 'file', depths: [{ level: 0 }, { level: 1, properties: { is: 'bytes' } }] },
        {
          name: 'read',
          depths: [
            {
              level: 0,
              relata: [{ type: 'APPLIES_TO', target: 'file', targetDepth: 0, policies }],
            },
          ],
        },
      ],
    },
  })
  const log = store.open()
  for (let n = 0; n < each[kind]; n += 1) for (const id of ids) await publish(log, kind, { id, n })
  const start = performance.now()
  while (runtime.follower.state.intents.size < agents * each[kind] || !isAsked(runtime)) {
    assert(performance.now() - start < askedMsMax, 'people are asked about all of them')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await runtime.stop()
  return store
}

function isAsked({ follower }: { readonly follower: Following }): boolean {
  return [...follower.state.intents.values()].every(({ review }) => review !== null)
}

type Following = Awaited<ReturnType<typeof testRuntime>>['runtime']['follower']
type MemoryLog = ReturnType<MemoryStore['open']>

async function publish(
  log: MemoryLog,
  kind: MessageKind,
  { id, n }: { readonly id: string; readonly n: number },
): Promise<void> {
  const session = kind === 'dearest' ? longest(`S${n}`) : `S-2026-01-01-bot-${n}`
  const name = nameOf({ realm: 'main', era: 1 }, 'vlp', addressOf(id, session, `u${n}`))
  const message = {
    id: kind === 'dearest' ? longest(`MSG-${n}`) : `MSG-${n}`,
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender: id,
    content: 'may I',
    confidence: 0.5,
    session_id: session,
    safety: { level: 'review', issues: [] },
    payload: { intent: intentOf(kind) },
  }
  await log.append({ name, bytes: Buffer.from(JSON.stringify(message)) })
}

async function measure(kind: MessageKind): Promise<void> {
  const store = await opened(kind)
  const facts = []
  for await (const fact of store.open().read({})) facts.push(fact)
  const state = newState({ realm: 'main', era: 1 })
  const before = heap()
  for (const fact of facts) evolve(state, fact)
  const { size } = state.intents
  const after = heap()
  assert(size === agents * each[kind] && facts.length > 0, 'all of them are open')
  process.stdout.write(`${(after - before) / size}\n`)
}

function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const [, program, kind] = process.argv
if (program === import.meta.filename && (kind === 'ordinary' || kind === 'dearest')) {
  await measure(kind)
}
