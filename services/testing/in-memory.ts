// A whole runtime in the memory of a test: a log, its stages, a client, and a time that only the
// test moves. What it binds is what any runtime would bind.
import { MemoryStore } from '#log/memory/log'
import { ulidIds } from '#system/ids'
import { Fault } from '#record/fault'
import { covering } from '#record/pattern'
import type { Log } from '#ports/log'
import { change } from '#authoring/change'
import type { Parts, Runtime } from '#runtime/engine/runtime'
import type { RunnableStage } from '#runtime/engine/worker'
import { silentLogger } from '#runtime/reporting/logger'
import { startRuntime } from '#wiring/open'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { stages as allStages } from '#workers/stages'
import { callbacksInPlace } from './call.ts'
import { boundFact, type BoundFact } from './expected.ts'
import { FakeTime } from './fake-time.ts'
import type { Decision } from './people.ts'
import { agentDefault, signedStartOf, nowDefault, testKey, testPublicKey } from './setup.ts'
import type { Setup } from './setup.ts'
import { Watch } from './watched-log.ts'

export interface MemorySetup extends Setup {
  /** All stages by default. */
  readonly stages?: readonly RunnableStage[]
  /** Puts something between the runtime and its log. */
  readonly wrap?: (log: Log) => Log
  /** Parts of the runtime that are not the kit’s. */
  readonly parts?: Partial<Parts>
}

export interface InMemory {
  /** Speaks as the agent of the setup. */
  readonly client: Warrant
  readonly log: Log
  readonly runtime: Runtime
  /** `time.pass(ms)` lets time pass; `time.now` is the time of the log. */
  readonly time: FakeTime
  /** What the log keeps: each handle opened on it is a process of its own. */
  readonly store: MemoryStore
  /** Knows which facts are still a job of a stage. */
  readonly watch: Watch
  /** A client that speaks as that principal, and signs with its test key if it has one. */
  as(principal: string): Promise<Warrant>
  /** A person answers the review of that intent, signed with a test key. */
  decide(intent: string, by: string, given?: Pick<Decision, 'answers' | 'note'>): Promise<void>
  /** Resolves when the stages have nothing left to do until time passes or a message comes. */
  settled(): Promise<void>
  /** The facts whose names the pattern covers, such as `main.1.verdict.>`; all by default. */
  facts(pattern?: string): Promise<readonly BoundFact[]>
  /** The first fact whose name the pattern covers, as soon as it is bound. */
  bound(pattern: string): Promise<BoundFact>
  /** Another process on the same log, with these parts of the setup changed. */
  another(changed?: MemorySetup): Promise<InMemory>
  stop(): Promise<void>
}

interface Shared {
  readonly time: FakeTime
  readonly store: MemoryStore
  readonly watch: Watch
}

/** Opens a runtime on a log of its own. Stop it when the test has ended. */
export function inMemory(setup: MemorySetup = {}): Promise<InMemory> {
  const time = new FakeTime(setup.now ?? nowDefault)
  return openOn({ time, store: new MemoryStore(time), watch: new Watch() }, setup)
}

const itself = (log: Log): Log => log

async function openOn(shared: Shared, setup: MemorySetup): Promise<InMemory> {
  const { time, store, watch } = shared
  const { wrap = itself, stages = allStages, agent = agentDefault } = setup
  const log = watch.over(wrap(store.open()))
  const runtime = await startRuntime(partsFor(log, time, setup), stages)
  if (runtime.follower.state.catalogRevision === 0) await begin(runtime, setup)
  const as = (principal: string): Promise<Warrant> => {
    const { keys = [] } = runtime.follower.state.catalog.principals.get(principal) ?? {}
    const isKeyed = keys.includes(testPublicKey(principal))
    return connect({ as: principal, runtime, ...(isKeyed && { privateKey: testKey(principal) }) })
  }
  const client = await as(agent)
  return {
    client,
    log,
    runtime,
    time,
    store,
    watch,
    as,
    async decide(intent, by, { answers = true, note } = {}) {
      const { position } = await log.head()
      await runtime.follower.reached(position)
      const of = { intent, confirmer: by, privateKey: testKey(by), answers }
      await client.decide({ ...of, ...(note !== undefined && { note }) })
    },
    async settled() {
      await watch.settled(log)
      // What the client shows is what it has folded.
      await runtime.follower.reached((await log.head()).position)
    },
    facts: (pattern) => factsIn(log, runtime, pattern),
    bound: (pattern) => firstFact(log, runtime, pattern),
    another: (changed = {}) => openOn(shared, { ...setup, ...changed }),
    stop: () => runtime.stop(),
  }
}

function partsFor(log: Log, { clock, timer }: FakeTime, setup: MemorySetup): Parts {
  return {
    log,
    place: { realm: 'main', era: 1 },
    rootKey: null,
    folder: null,
    callbacks: callbacksInPlace(setup.callbacks),
    clock,
    timer,
    ids: ulidIds(),
    logger: silentLogger,
    id: 'test',
    ...setup.parts,
  }
}

async function begin(runtime: Runtime, setup: MemorySetup): Promise<void> {
  const { author, changes } = signedStartOf(setup)
  for (const each of changes) await change(runtime, each, author)
}

async function factsIn(
  log: Log,
  { place }: Runtime,
  pattern: string | undefined,
): Promise<readonly BoundFact[]> {
  const found: BoundFact[] = []
  const patterns = pattern === undefined ? undefined : [pattern]
  for await (const fact of log.read({}, patterns)) found.push(boundFact(fact, place))
  return found
}

async function firstFact(log: Log, { place }: Runtime, pattern: string): Promise<BoundFact> {
  const covers = covering([pattern])
  const abort = new AbortController()
  try {
    for await (const fact of log.follow(1, abort.signal)) {
      if (covers(fact.name)) return boundFact(fact, place)
    }
  } finally {
    abort.abort()
  }
  throw new Fault('log_closed', `the log ended without \`${pattern}\``)
}
