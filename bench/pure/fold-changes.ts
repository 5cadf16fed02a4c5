// A process of its own that folds change sets of mixed operations on a graph, and keeps what they
// come to as a snapshot. It prints one line of figures.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { z } from 'zod'
import type { GraphOperation } from '#schemas/graph'
import { jsonOf } from '#core/kernel/canonical'
import { digestOf } from '#core/kernel/digest'
import { writeEvent } from '#core/kernel/event'
import { assert } from '#core/kernel/fault'
import { nameOf } from '#core/kernel/names'
import { bytesOf, inSets } from '#core/authoring/change-sets'
import { signData } from '#core/kernel/crypto/private-key'
import { evolve } from '#core/state/fold/evolve'
import { newState, type State } from '#core/state/state'
import type { Fact } from '#ports/log'
import { believedState, writeFoldSnapshot } from '#runtime/cache/store'
import { setBytesMax } from '#runtime/authoring/graph-plan'
import { silentLogger } from '#runtime/reporting/logger'
import { keys, testRuntime } from '../../test/support/runtime.ts'

export const ChangesMeasured = z.object({
  operations: z.number(),
  facts: z.number(),
  bytes: z.number(),
  foldSeconds: z.number(),
  /** `JSON.parse` of the same bytes. */
  parseSeconds: z.number(),
  /** Of the state, on the heap. */
  heapBytes: z.number(),
  primitives: z.number(),
  /** Change sets of one operation each. */
  singles: z.number(),
  singlesSeconds: z.number(),
  writeSeconds: z.number(),
  /** The longest that the writing held up everyone else. */
  stallMs: z.number(),
  snapshotBytes: z.number(),
  readSeconds: z.number(),
  readHeapBytes: z.number(),
})
export type ChangesMeasured = z.infer<typeof ChangesMeasured>

const place = { realm: 'main', era: 1 }
const singlesCount = 2_000
/** Operations about each primitive. */
const each = 10

/** What becomes of one primitive, and of those before it; each may be applied after the last. */
function* changesOf(count: number): Generator<GraphOperation> {
  const edge = (target: string, targetDepth: number) => ({
    target,
    targetDepth,
    metadata: {},
    policies: [],
  })
  for (let index = 0; index < count / each; index += 1) {
    const [name, half] = [`concept ${index}`, `concept ${index >> 1}`]
    const properties = (what: string) => ({ what, index, of: 'a thing that people know' })
    yield { op: 'add', name: `draft ${index}` }
    yield { op: 'describe', name: `draft ${index}`, level: 0, properties: {} }
    yield { op: 'rename', name: `draft ${index}`, to: name }
    yield { op: 'describe', name, level: 1, properties: properties('what it is') }
    yield { op: 'describe', name, level: 2, properties: properties('what it can do') }
    yield { op: 'relate', name, level: 1, relatum: { type: pulling(index), ...edge(half, 1) } }
    yield { op: 'relate', name, level: 2, relatum: { type: 'INCLUDES', ...edge(name, 1) } }
    yield { op: 'unrelate', name, level: 2, type: 'INCLUDES', target: name }
    yield { op: 'describe', name: half, level: 1, properties: properties('what it is now') }
    yield { op: 'erase', name, level: 2 }
  }
}

// The first leads to itself, which no pulling edge may.
function pulling(index: number): 'INCLUDES' | 'REQUIRES' {
  return index === 0 ? 'INCLUDES' : 'REQUIRES'
}

/** The first catalog of these facts is one that counts. */
function logIdIn(facts: readonly Fact[]): string | null {
  const first = facts.find(({ name }) => name === nameOf(place, 'catalog', 1))
  return first === undefined ? null : digestOf(first.bytes)
}

/** The change sets as their policy admin would bind them after these facts. */
function factsOf(
  sets: readonly (readonly GraphOperation[])[],
  before: readonly Fact[],
  revisionsBefore: number,
): readonly Fact[] {
  const log = logIdIn(before)
  return sets.map((operations, index) => {
    const revision = revisionsBefore + index + 1
    const name = nameOf(place, 'graph', revision)
    const content = { by: 'root', operations, revision }
    const signature = signData({ log, name }, jsonOf(content), keys.root)
    const position = before.length + index + 1
    const time = '2026-01-01T00:00:00.000Z'
    const stamp = { source: 'warrant/policy-admin', time, basis: position - 1 }
    const bytes = writeEvent('graph', name, jsonOf({ ...content, signature }), stamp)
    return { name, bytes, position, appendedAt: position }
  })
}

async function measure(operations: number, folder: string): Promise<ChangesMeasured> {
  const { runtime, log } = await testRuntime({ stages: [] })
  const genesis: Fact[] = []
  for await (const fact of log.read({})) genesis.push(fact)
  await runtime.stop()
  const sets = inSets(
    [...changesOf(operations)].map((one) => [[one]]),
    bytesOf,
    setBytesMax,
  )
  const facts = [...genesis, ...factsOf(sets, genesis, 0)]
  const bytes = facts.reduce((sum, fact) => sum + fact.bytes.length, 0)
  secondsOf(() => parse(facts))
  const heapBefore = heap()
  const state = newState(place)
  const foldSeconds = secondsOf(() => fold(state, facts))
  assert(state.graphRevision === sets.length, 'every change set counts')
  const heapBytes = heap() - heapBefore
  const parseSeconds = secondsOf(() => parse(facts))
  const kept = await keep(state, facts, folder)
  const singles = factsOf(singleSets(), facts, sets.length)
  const singlesSeconds = secondsOf(() => fold(state, singles))
  assert(state.graphRevision === sets.length + singlesCount, 'every change set counts')
  const figures = { operations, facts: facts.length, bytes, foldSeconds, parseSeconds, heapBytes }
  return { ...figures, ...kept, singles: singlesCount, singlesSeconds }
}

function singleSets(): readonly (readonly GraphOperation[])[] {
  return Array.from({ length: singlesCount }, (_, n) => {
    return [{ op: 'describe', name: 'concept 1', level: 3, properties: { n } } as const]
  })
}

type Kept = Pick<
  ChangesMeasured,
  'primitives' | 'writeSeconds' | 'stallMs' | 'snapshotBytes' | 'readSeconds' | 'readHeapBytes'
>

async function keep(state: State, facts: readonly Fact[], folder: string): Promise<Kept> {
  const last = facts.at(-1)
  assert(last !== undefined, 'there is something to keep')
  const log = {
    read: async function* ({ from = 1, to = facts.length }) {
      yield* facts.slice(from - 1, to)
    },
    head: () => Promise.resolve(last),
    get: (name: string) => Promise.resolve(facts.find((fact) => fact.name === name)),
  }
  const of = { log, realm: 'main', rootKey: null, folder, logger: silentLogger }
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const start = performance.now()
  const now = { now: Date.now(), signal: new AbortController().signal }
  const written = await writeFoldSnapshot(of, state, now)
  const writeSeconds = (performance.now() - start) / 1_000
  delays.disable()
  assert(written !== null, 'it is written')
  const heapBefore = heap()
  const startOfRead = process.cpuUsage()
  const copy = await believedState(of)
  const readSeconds = secondsSince(startOfRead)
  const readHeapBytes = heap() - heapBefore
  assert(copy?.graph.size === state.graph.size, 'it is read back')
  const { size } = state.graph
  const stallMs = delays.max / 1e6
  const snapshotBytes = written.bytes
  return { primitives: size, writeSeconds, stallMs, snapshotBytes, readSeconds, readHeapBytes }
}

function fold(state: State, facts: readonly Fact[]): void {
  for (const fact of facts) evolve(state, fact)
}

function parse(facts: readonly Fact[]): void {
  for (const { bytes } of facts) JSON.parse(Buffer.from(bytes).toString('utf8'))
}

/** Seconds of a CPU, collecting garbage included: others on the machine do not count. */
function secondsOf(work: () => void): number {
  const start = process.cpuUsage()
  work()
  return secondsSince(start)
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const [, program, operations, folder] = process.argv
if (program === import.meta.filename && folder !== undefined) {
  process.stdout.write(`${JSON.stringify(await measure(Number(operations), folder))}\n`)
}
