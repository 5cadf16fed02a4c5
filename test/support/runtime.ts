// A whole runtime in memory for tests: a genesis catalog with a policy admin, an agent with its
// owner, two more people, and whatever a test adds.
import { generateKeyPairSync } from 'node:crypto'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { systemClock, systemTimer } from '#system/clock'
import { ulidIds } from '#system/ids'
import { memoryLog } from '#log/memory/log'
import { digestOf } from '#record/digest'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Stage } from '#stages/stage'
import type { Callbacks } from '#ports/callbacks'
import type { Log } from '#ports/log'
import { change } from '#authoring/change'
import { silentLogger } from '#runtime/reporting/logger'
import { startRuntime } from '#wiring/open'
import type { Parts, Runtime } from '#runtime/engine/runtime'
import type { CatalogFile, CatalogOperation } from '#schemas/catalog'
import type { GraphFile, GraphOperation } from '#schemas/graph'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { stages as allStages } from '#workers/stages'
import { signedStartOf, testKey, type Setup } from '#testing/setup'
import type { z } from 'zod'

export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Private keys of the people whom every test catalog has. */
export const keys = {
  root: testKey('root'),
  olga: testKey('olga'),
  piet: testKey('piet'),
  quin: testKey('quin'),
}

const people = [
  { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] },
  { id: 'olga', keys: [publicKeyOf(keys.olga)] },
  { id: 'piet', keys: [publicKeyOf(keys.piet)] },
  { id: 'quin', keys: [publicKeyOf(keys.quin)] },
  { id: 'bot', roles: ['writer'], owner: 'olga' },
  // Someone else, with nothing of its own.
  { id: 'honest' },
]

export interface TestSetup {
  readonly catalog?: z.input<typeof CatalogFile>
  readonly graph?: z.input<typeof GraphFile>
  /** Source text of the callback module. */
  readonly module?: string
  readonly stages?: readonly Stage[]
  readonly log?: Log
  readonly parts?: Partial<Parts>
}

export interface TestRuntime {
  readonly runtime: Runtime
  readonly bot: Warrant
  readonly log: Log
}

/** A runtime whose log begins with the catalog and the graph of the setup. */
export async function testRuntime(setup: TestSetup = {}): Promise<TestRuntime> {
  const log = setup.log ?? memoryLog()
  const runtime = await startRuntime(testParts(log, setup), setup.stages ?? allStages)
  if (runtime.follower.state.catalogRevision === 0) await genesis(runtime, setup)
  const bot = await connect({ as: 'bot', runtime })
  return { runtime, bot, log }
}

export function testParts(log: Log, setup: TestSetup): Parts {
  return {
    log,
    place: { realm: 'main', era: 1 },
    rootKey: null,
    folder: null,
    callbacks: moduleCallbacks(setup.module),
    clock: systemClock,
    timer: systemTimer,
    ids: ulidIds(),
    logger: silentLogger,
    id: 'test',
    ...setup.parts,
  }
}

export async function genesis(runtime: Runtime, setup: TestSetup): Promise<void> {
  const { author, changes } = signedStartOf(peopled(setup))
  for (const each of changes) await change(runtime, each, author)
}

/** Callbacks of that source text, in threads of their own. */
export function moduleCallbacks(module: string | undefined): Callbacks {
  return threadCallbacks((digest) => {
    return Promise.resolve(module !== undefined && digestOf(module) === digest ? module : null)
  })
}

/** The setup with the people of every test, as the testing kit takes it. */
export function peopled({ catalog, graph, module }: TestSetup): Setup {
  return {
    agent: 'bot',
    session: null,
    testKeys: false,
    ...(graph !== undefined && { graph }),
    catalog: {
      ...catalog,
      principals: [...people, ...(catalog?.principals ?? [])],
      ...(module !== undefined && { callbacks: digestOf(module) }),
    },
  }
}

const root = { id: 'root', privateKey: keys.root }

/** A change set of the catalog by its policy admin. */
export async function changeCatalog(
  runtime: Runtime,
  ...operations: CatalogOperation[]
): Promise<void> {
  await change(runtime, { kind: 'catalog', operations }, root)
}

/** A change set of the graph by the policy admin. */
export async function changeGraph(
  runtime: Runtime,
  ...operations: GraphOperation[]
): Promise<void> {
  await change(runtime, { kind: 'graph', operations }, root)
}
