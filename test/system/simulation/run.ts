// One simulated life of a deployment: several workers a stage that crash and come back, agents that
// ask and withdraw, people who answer or do not, policy admins who change what is known.
import { MemoryStore } from '#log/memory/log'
import { startRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { replay, type ReplayReport } from '#replay/replay'
import { change } from '#authoring/change'
import { rotate } from '#replay/eras/rotate'
import { connect } from '#client/connect'
import type { Callbacks } from '#ports/callbacks'
import { stages } from '#workers/stages'
import { genesis, keys, testParts, type TestSetup } from '../../support/runtime.ts'
import { Invariants } from './invariants.ts'
import { scheduledLog } from './scheduled-log.ts'
import { Scheduler } from './scheduler.ts'
import { rule, type Ruling } from '#runtime/learning/rule'
import type { Candidate, Template } from '#schemas/learning'
import { filling } from '../../support/learning-scene.ts'

export interface Simulated {
  readonly steps: number
  readonly crashes: number
  readonly facts: number
  readonly intents: number
  readonly eras: number
  /** Change sets that followed from rulings. */
  readonly added: number
  readonly report: ReplayReport
}

const intentsMax = 14
const workersEach = 2
const crashPercent = 2
const crashesMax = 10
const stepsMax = 200_000
const limit = { uses: 3, windowMs: 5_000 }

const schema = { type: 'object' }
const setup: TestSetup = {
  catalog: {
    capabilities: [
      { id: 'look', safetyClass: 'READ', concepts: ['file'], argsSchema: schema },
      { id: 'erase', safetyClass: 'READ', concepts: ['delete', 'file'], argsSchema: schema },
    ],
    confirmations: [{ id: 'quick', tier: 'confirm', decideWithinMs: 2_000, useWithinMs: 60_000 }],
    limits: [{ safetyClass: 'READ', ...limit }],
    learning: true,
  },
  graph: {
    primitives: [
      { name: 'file', depths: [{ level: 0 }, { level: 1, properties: { what: 'bytes' } }] },
      {
        name: 'delete',
        depths: [
          { level: 0 },
          {
            level: 1,
            properties: { what: 'gone' },
            relata: [
              {
                type: 'APPLIES_TO',
                target: 'file',
                targetDepth: 1,
                policies: [
                  { name: 'ask', confirmation: 'quick', callback: 'even' },
                  { name: 'odd', requiresConfirmation: false, callback: 'even' },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
}

const callbacks: Callbacks = {
  run: ({ context }) => {
    const passed = JSON.stringify(context).includes('"n":3') === false
    return Promise.resolve({ answer: { passed }, recorded: false })
  },
  has: () => Promise.resolve(true),
  close: () => Promise.resolve(),
}

export async function simulate(seed: number): Promise<Simulated> {
  const scheduler = new Scheduler(seed)
  const { clock, ids } = scheduler
  const store = new MemoryStore({ clock, timer: scheduler.timer('store') })
  const invariants = new Invariants(limit)
  const start = async (actor: string, own: typeof stages): Promise<Runtime> => {
    const log = scheduledLog(store, scheduler, actor)
    const ports = { clock, ids, callbacks, timer: scheduler.timer(actor), id: actor }
    return startRuntime({ ...testParts(log, setup), ...ports }, own)
  }

  let crashes = 0
  const actors: string[] = []
  const spawn = (index: number): void => {
    const stage = stages[index % stages.length]
    if (stage === undefined) return
    const name = `${stage.name}-${index}-${crashes}`
    actors[index] = name
    void start(name, [stage]).then((runtime) => living.set(name, runtime))
  }
  const living = new Map<string, Runtime>()
  const crash = (): void => {
    const index = scheduler.below(actors.length)
    const actor = actors[index] ?? ''
    const runtime = living.get(actor)
    if (runtime === undefined) return
    crashes += 1
    scheduler.kill(actor)
    // What the store sees of a dead process: its jobs are redelivered.
    void runtime.log.close()
    living.delete(actor)
    spawn(index)
  }

  for (let index = 0; index < stages.length * workersEach; index += 1) spawn(index)
  const people = peopleOf(scheduler, start)
  const rotations = turnsOf(scheduler, start, people.seeded)
  const reader = store.open()
  let checked = 0
  while (await scheduler.step()) {
    if (scheduler.steps > stepsMax) throw new Error(`seed ${seed} does not come to rest`)
    for await (const fact of reader.read({ from: checked + 1 })) {
      invariants.check(fact)
      checked = fact.position
    }
    if (scheduler.chance(crashPercent) && crashes < crashesMax) crash()
  }
  await people.ended
  await rotations
  invariants.checkEnd()
  const place = { realm: 'main', era: 1 }
  const { added } = invariants
  const report = await replay({ log: reader, place, rootKey: null, stages, callbacks })
  const intents = invariants.intents.size
  const { eras } = invariants
  return { steps: scheduler.steps, crashes, facts: checked, intents, eras, added, report }
}

const rotationsMax = 2

// Eras are rotated while everyone works; a rotation may be stopped anywhere, and the next
// one who comes ends it.
async function turnsOf(
  scheduler: Scheduler,
  start: (actor: string, own: typeof stages) => Promise<Runtime>,
  seeded: Promise<void>,
): Promise<void> {
  await seeded
  for (let turn = 0; turn < rotationsMax; turn += 1) {
    for (let left = scheduler.below(100); left > 0; left -= 1) await scheduler.turn('patience')
    const actor = `rotator-${turn}`
    const runtime = await start(actor, [])
    const isStopped = turn < rotationsMax - 1 && scheduler.chance(40)
    const ended = rotate(runtime, { id: 'root', privateKey: keys.root }, null)
    if (!isStopped) {
      await ended
      continue
    }
    for (let left = scheduler.below(30); left > 0; left -= 1) await scheduler.turn('patience')
    scheduler.kill(actor)
    void runtime.log.close()
    // What it was about ends with the log that was closed under it, or never.
    void ended.catch(() => undefined)
  }
}

// Everyone who is no worker: they never crash here, since a dead agent just stops asking.
function peopleOf(
  scheduler: Scheduler,
  start: (actor: string, own: typeof stages) => Promise<Runtime>,
) {
  let seed: () => void = () => undefined
  const seeded = new Promise<void>((resolve) => {
    seed = resolve
  })
  const live = async (): Promise<void> => {
    const runtime = await start('people', [])
    await genesis(runtime, setup)
    seed()
    const client = await connect({ as: 'bot', runtime })
    runtime.follower.listen((_fact, { parts }) => {
      if (parts?.kind !== 'review' || parts.address === null || scheduler.chance(25)) return
      const yes = scheduler.chance(75)
      const answer = {
        intent: parts.address,
        confirmer: 'olga',
        privateKey: keys.olga,
        answers: yes,
      }
      // The review may be settled by the time the answer comes.
      void client.decide(answer).catch(() => undefined)
    })
    curators(runtime, scheduler)
    for (let n = 0; n < intentsMax; n += 1) {
      const tool = scheduler.chance(50) ? 'look' : 'erase'
      const concepts = scheduler.chance(40) ? ['moon', 'sun', 'mars'].slice(scheduler.below(3)) : []
      const onGap = scheduler.chance(60) ? ('learn' as const) : ('deny' as const)
      const intent = { args: { n: scheduler.below(5) }, concepts, tool, onGap }
      const content = `use ${tool}`
      const { address } = await client.publish({ type: 'query', content, payload: { intent } })
      if (scheduler.chance(15)) await client.withdraw(address)
      if (scheduler.chance(10)) await learnMore(runtime, n)
    }
  }
  return { ended: live(), seeded }
}

async function learnMore(runtime: Runtime, n: number): Promise<void> {
  const properties = { what: `described for the ${n}th time` }
  const name = n % 2 === 0 ? 'file' : 'delete'
  const operations = [{ op: 'describe' as const, name, level: 1, properties }]
  await change(runtime, { kind: 'graph', operations }, { id: 'root', privateKey: keys.root })
}

// People whom learning asks: they say what is known, leave it open, will not have it, or never
// answer.

function curators(runtime: Runtime, scheduler: Scheduler): void {
  const { follower } = runtime
  follower.listen((_fact, { parts }) => {
    if (parts?.kind !== 'proposal' || scheduler.chance(15)) return
    const [proposal = ''] = parts.tokens
    const template = follower.state.learning.open.get(proposal)?.data.template
    if (template === undefined) return
    const word = scheduler.below(8)
    const by = { proposal, confirmer: 'root', privateKey: keys.root }
    const ruling: Ruling =
      word === 0
        ? { ...by, ruling: 'rejected' }
        : word === 1
          ? { ...by, ruling: 'skipped' }
          : { ...by, ruling: 'modified', candidate: addedBy(template) }
    // The graph may have moved on by the time it comes, or the log been closed.
    void rule(runtime, ruling).catch(() => undefined)
  })
}

function addedBy(template: Template): Candidate {
  if (template.kind !== 'REACHABILITY') return filling(template)
  const { primitive, others } = template
  const edge = { source: others[0] ?? '', target: primitive, type: 'INCLUDES' as const }
  return { levels: [], edge: { ...edge, sourceLevel: 0, targetLevel: 0 } }
}
