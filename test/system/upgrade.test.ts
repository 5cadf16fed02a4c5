// Workers of two versions on one log, as when an operator upgrades them one by one: what an older
// version wrote changes nothing, and what a newer one writes an older one reads.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { jetStreamLog } from '#log/jetstream/log'
import { sqliteLog } from '#log/sqlite/log'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import type { Fact, Job, Log } from '#ports/log'
import { startRuntime } from '#wiring/open'
import { replay } from '#replay/replay'
import { jobsOf } from '#runtime/engine/era-watch'
import { connect } from '#client/connect'
import { stages } from '#workers/stages'
import { ended, says } from '../support/cli-process.ts'
import { goldenModule, readGolden } from '../golden/golden-log.ts'
import { untilWorked } from '../support/kill-realm.ts'
import { natsBinary, startNats } from '../support/servers/nats-server.ts'
import { genesis, testParts } from '../support/runtime.ts'
import { look } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = { realm: 'main', era: 1 }

/** The log with the times at which its facts were first appended, which a copy cannot have. */
function withTimes(log: Log, times: readonly number[]): Log {
  const timed = (fact: Fact): Fact => {
    return { ...fact, appendedAt: times[fact.position - 1] ?? fact.appendedAt }
  }
  const job = ({ fact, attempt, ...ends }: Job): Job => ({ ...ends, fact: timed(fact), attempt })
  return {
    append: async (entry) => {
      const { appended, fact } = await log.append(entry)
      return { appended, fact: timed(fact) }
    },
    get: async (name) => {
      const fact = await log.get(name)
      return fact && timed(fact)
    },
    async *read(range, names) {
      for await (const fact of log.read(range, names)) yield timed(fact)
    },
    async *follow(from, signal) {
      for await (const fact of log.follow(from, signal)) yield timed(fact)
    },
    async *work(queue, names, options) {
      for await (const each of log.work(queue, names, options)) yield job(each)
    },
    head: () => log.head(),
    close: () => log.close(),
  }
}

test.skipIf(natsBinary === null)(
  'today’s stages have nothing to add to the golden log of an older version, but what it may learn',
  async () => {
    // The one of a single era: a second one would be a stream of its own.
    const folder = join(root, 'test', 'golden', '0.2.0-crowd')
    const facts = await readGolden(folder)
    const server = await startNats()
    const operator = new Requests(await NatsLink.open({ servers: server.url }))
    const queues = stages.map((stage) => {
      const { queue, names } = jobsOf(stage, place)
      return { name: queue, names }
    })
    const subjects = ['main.>']
    await makeLog(operator, place, { replicas: 1, subjects, queues })
    const link = await NatsLink.open({ servers: server.url })
    const stored = await jetStreamLog(link, { realm: 'main', subjects })
    for (const { name, bytes } of facts) await stored.append({ name, bytes })
    const log = withTimes(
      stored,
      facts.map(({ appendedAt }) => appendedAt),
    )
    const callbacks = threadCallbacks((digest) => goldenModule(folder, digest))
    const runtime = await startRuntime({ ...testParts(log, {}), callbacks }, stages)
    await untilWorked({ operator, place })
    const { position: end } = await stored.head()
    for await (const { name } of stored.read({ from: facts.length + 1 })) {
      expect(name).toMatch(/^main\.1\.proposal\./)
    }
    const again = threadCallbacks((digest) => goldenModule(folder, digest))
    const report = await replay({ log, place, rootKey: null, stages, callbacks: again })
    expect(report).toMatchObject({ first: null, differences: 0, open: 0, facts: end })
    await again.close()
    await runtime.stop()
    operator.close()
    await operator.link.close()
    await server.dispose()
  },
)

/** The first version of this format. Where its history is not here, it cannot be tried. */
const older = 'e85a856'
const olderIsHere =
  spawnSync('git', ['cat-file', '-e', `${older}^{commit}`], { cwd: root }).status === 0

const intentsOfEach = 40

const file = 'log.db'
const running: ChildProcess[] = []

afterAll(() => {
  // Where a test failed in the middle, its process goes on.
  for (const child of running) child.kill('SIGKILL')
})

/** The command line of the older version, in a folder that has nothing else of it. */
async function olderVersion(): Promise<{ readonly cwd: string; readonly flags: string[] }> {
  const cwd = await temporaryFolder()
  const parts = ['package.json', 'tsconfig.json', 'schemas', 'shared', 'services', 'seeds']
  const archive = spawnSync('git', ['archive', older, ...parts], { cwd: root, maxBuffer: 2 ** 28 })
  spawnSync('tar', ['x'], { cwd, input: archive.stdout })
  await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'))
  const main = join(cwd, 'services', 'cli', 'main.ts')
  const tsx = ['--import', import.meta.resolve('tsx')]
  return { cwd, flags: ['--conditions=warrant-source', ...tsx, main, '--log', file] }
}

describe.runIf(isFull && olderIsHere)('beside workers of an older version', () => {
  test('each reads what the other wrote, and both derive all of it', async () => {
    const { cwd, flags } = await olderVersion()
    const limit = { safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 } as const
    const setup = { catalog: { capabilities: [look], limits: [limit] } }
    const run = async (newer: string, id: string): Promise<void> => {
      const parts = { ...testParts(await sqliteLog(join(cwd, file)), setup), id }
      const own = stages.filter(({ name }) => name === newer)
      const runtime = await startRuntime(parts, own)
      if (runtime.follower.state.catalogRevision === 0) await genesis(runtime, setup)
      const others = stages.map(({ name }) => name).filter((name) => name !== newer)
      const old = spawn(process.execPath, [...flags, 'up', ...others], { cwd })
      running.push(old)
      const end = ended(old)
      await says(old, 'stderr', 'stages running')
      const bot = await connect({ as: 'bot', runtime })
      const asked = Array.from({ length: intentsOfEach }, () => bot.ask({ tool: 'look' }))
      const allowed = (await Promise.all(asked)).filter(({ outcome }) => outcome === 'allow')
      expect(allowed).toHaveLength(intentsOfEach)
      old.kill('SIGTERM')
      expect(await end).toMatchObject({ code: 0 })
      await runtime.stop()
    }
    await run('policy', 'newer1')
    await run('grounding', 'newer2')
    const log = await sqliteLog(join(cwd, file))
    const callbacks = threadCallbacks(() => Promise.resolve(null))
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    const groundings = await byWhom(log, 'grounding')
    expect(groundings.filter((id) => id === 'newer2')).toHaveLength(intentsOfEach)
    expect(groundings).toHaveLength(2 * intentsOfEach)
    const verdicts = await byWhom(log, 'verdict')
    expect(verdicts.filter((id) => id === 'newer1')).toHaveLength(intentsOfEach)
    expect(verdicts).toHaveLength(2 * intentsOfEach)
    await callbacks.close()
    await log.close()
    expect(report).toMatchObject({ first: null, differences: 0, open: 0, voidCount: 0 })
    const theirs = spawnSync(process.execPath, [...flags, 'replay', '--json'], { cwd })
    const { facts, derived } = report
    const same = { facts, derived, differences: 0, open: 0, voidCount: 0 }
    expect(JSON.parse(theirs.stdout.toString())).toMatchObject(same)
  })
})

/** Of each fact of that kind, the id of the worker that wrote it. */
async function byWhom(log: Log, kind: string): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { bytes } of log.read({}, [`main.1.${kind}.>`])) {
    const { source }: { source: string } = JSON.parse(Buffer.from(bytes).toString('utf8'))
    ids.push(source.split('/').at(-1) ?? '')
  }
  return ids
}
