// Stages, people and agents on a real server: all on a plain one, or each by its own
// credential where the server holds each role to its own.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jetStreamLog } from '#log/jetstream/log'
import type { NatsAccess } from '#log/nats/access'
import { NatsLink } from '#log/nats/link'
import { natsNotices } from '#log/nats/notices'
import { makeLog, openOperator } from '#log/nats-admin/operator'
import { OwnLog } from '#log/jetstream/own-log'
import { natsRotation } from '#log/nats-admin/rotation'
import type { Role } from '#record/roles'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Stage } from '#stages/stage'
import { startRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { rotate } from '#replay/eras/rotate'
import { jobsOf } from '#runtime/engine/era-watch'
import { connect } from '#client/connect'
import type { ConnectOptions, Warrant } from '#client/warrant'
import { allStages } from '#workers/all-stages'
import { stages } from '#workers/stages'
import { startPowers } from '../support/servers/nats-powers.ts'
import { startNats, type NatsServer } from '../support/servers/nats-server.ts'
import { genesis, keys, newKey, testParts, type TestSetup } from '../support/runtime.ts'
import { deletion, erase, look } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export type User = Role | 'operator' | 'other' | 'door-of-other' | 'olga@example.com'

export interface Deployment {
  readonly url: string
  readonly hasRoles: boolean
  /** The file with the seed of that user; undefined where everyone is welcome. */
  readonly seedFile: (user: User) => Promise<string | undefined>
  link(user: User): Promise<NatsLink>
  ownLog(user: User): Promise<OwnLog>
  /** Runs these stages with that user's credential. */
  run(user: User, some: readonly Stage[], hint?: 'notices' | 'no_notices'): Promise<Runtime>
  /** A client as a program of that user would have it. */
  client(user: User, options?: ConnectOptions): Promise<Warrant>
  /** The next era begins. */
  turn(): Promise<void>
  /** The server fails, and comes back. */
  crash(meanwhile: () => void): Promise<void>
  /** How often the server has noted that someone asked for what it may not. */
  violations(): number
  dispose(): Promise<void>
}

const realm = 'main'

export const confirmerKey = newKey()
export const agentsSetup = {
  catalog: {
    capabilities: [look, erase],
    principals: [
      { id: 'confirmer', keys: [publicKeyOf(confirmerKey)] },
      { id: 'agent', owner: 'confirmer' },
      { id: 'other', owner: 'confirmer' },
    ],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 1 }],
  },
  graph: deletion({ name: 'ask' }),
}

/** Every stage, each by its own role. */
export async function startStages(
  on: Deployment,
  hint?: 'no_notices',
): Promise<readonly Runtime[]> {
  const running: Runtime[] = []
  for (const stage of stages) running.push(await on.run(stage.name, [stage], hint))
  return running
}

type Has = 'roles' | 'no_roles'

/** `era`: the newest that the users of roles may ask for. */
export async function deploy(has: Has, setup: TestSetup, era = 2): Promise<Deployment> {
  const server = await serverOf(has, era)
  const closing: (() => Promise<unknown>)[] = []
  const access = async (user: User): Promise<NatsAccess> => {
    return { servers: server.url, nkeyFile: await server.seedFile(user) }
  }
  const link = async (user: User): Promise<NatsLink> => {
    const opened = await NatsLink.open(await access(user))
    closing.push(() => opened.close())
    return opened
  }
  const dispose = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close()
    await server.dispose()
  }
  const operator = await openOperator(await access('operator'))
  closing.push(() => operator.close())
  const options = { replicas: 1, queues: queues() }
  await makeLog(operator.atLog, { realm, era: 1 }, options, operator.mirrors)
  const run: Deployment['run'] = async (user, some, hint = 'notices') => {
    const own = await link(user)
    const log = await jetStreamLog(own, { realm })
    const notices = hint === 'notices' ? { notices: natsNotices(own, realm) } : {}
    const runtime = await startRuntime({ ...testParts(log, setup), ...notices }, some)
    closing.push(() => runtime.stop())
    return runtime
  }
  let policyAdmin: Runtime
  try {
    policyAdmin = await run('policy-admin', [])
    await genesis(policyAdmin, setup)
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    url: server.url,
    hasRoles: has === 'roles',
    seedFile: (user) => server.seedFile(user),
    link,
    run,
    ownLog: async (user) => {
      const log = new OwnLog(await link(user), realm)
      closing.push(() => log.close())
      return log
    },
    client: async (user, options = {}) => {
      const seedFile = await server.seedFile(user)
      const client = await withSeed(seedFile, () =>
        connect({ log: server.url, as: user, ...options }),
      )
      closing.push(() => client.close())
      return client
    },
    turn: async () => {
      const rotation = natsRotation(await access('policy-admin'), await access('operator'))
      await rotate(policyAdmin, { id: 'root', privateKey: keys.root }, rotation)
    },
    violations: () => violationsIn(join(server.nats.folder, 'server.log')),
    crash: async (meanwhile) => {
      await server.nats.kill()
      meanwhile()
      await server.nats.start()
    },
    dispose,
  }
}

let opening: Promise<unknown> = Promise.resolve()

/** A process has one credential, which is named in its environment: one at a time is opened. */
function withSeed<T>(file: string | undefined, use: () => Promise<T>): Promise<T> {
  const opened = opening.then(() => inEnvironment(file, use))
  opening = opened.catch(() => undefined)
  return opened
}

async function inEnvironment<T>(file: string | undefined, use: () => Promise<T>): Promise<T> {
  const name = 'WARRANT_NATS_NKEY_FILE'
  const before = process.env[name]
  process.env[name] = file ?? ''
  try {
    return await use()
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}

function violationsIn(file: string): number {
  return readFileSync(file, 'utf8').split('Publish Violation').length - 1
}

interface Served {
  readonly url: string
  readonly nats: NatsServer
  seedFile(user: User): Promise<string | undefined>
  dispose(): Promise<void>
}

async function serverOf(has: Has, era: number): Promise<Served> {
  if (has === 'no_roles') {
    const nats = await startNats()
    const dispose = (): Promise<void> => nats.dispose()
    return { url: nats.url, nats, dispose, seedFile: async () => undefined }
  }
  const powers = await startPowers({ era })
  const folder = await temporaryFolder()
  const written = async (user: User): Promise<string> => {
    const file = join(folder, `${user}.nk`)
    await writeFile(file, powers.keyOf(user).seed, { mode: 0o600 })
    return file
  }
  // Written once: two who open at once would read what the other has half written.
  const files = new Map<User, Promise<string>>()
  return {
    url: powers.server.url,
    nats: powers.server,
    seedFile: (user) => {
      const file = files.get(user) ?? written(user)
      files.set(user, file)
      return file
    },
    dispose: () => powers.dispose(),
  }
}

function queues() {
  return allStages.map((stage) => {
    const { queue, names } = jobsOf(stage, { realm, era: 1 })
    return { name: queue, names }
  })
}
