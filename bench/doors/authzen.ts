// A decision point over HTTP: recorded evaluations a second, one by one and in batches, and how
// long one takes at half of that, beside a bare server, other deciders, and publish to verdict.
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { newestRules } from '#rules/catalog/rules-version'
import { routes } from '#schemas/http/routes'
import { messagesIn } from '../../test/support/intents.ts'
import { inFolder } from '../deployment.ts'
import {
  atLeast,
  atMost,
  ratioAtMost,
  cpuOf,
  inRounds,
  isQuick,
  percentiles,
  sized,
  type Bench,
} from '../harness.ts'
import { openLoop } from '../open-loop.ts'
import { printedHere } from '../process.ts'
import { bareServer, served } from './served.ts'
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assert } from '#record/fault'
import { freePort, until } from '../../test/support/servers/nats-server.ts'

const rounds = 3
const inRound = sized(6_000)
const inBatch = 20
const lanes = { one: 64, batch: 12 }
const openCount = sized(5_000)

const users = Array.from({ length: 8 }, (_, index) => `user${index}`)
const subjects = [{ type: 'user', who: { role: 'staff' } }]
/** One asks about staff, who may read files. */
export const evaluatingSetup = {
  agent: 'gate',
  session: null,
  catalog: {
    rules: newestRules,
    principals: [
      { id: 'gate', via: ['http'], evaluates: { subjects } },
      ...users.map((id) => ({ id, roles: ['staff'] })),
    ],
    capabilities: [
      { id: 'file.read', safetyClass: 'READ' as const, argsSchema: { type: 'object' } },
    ],
    limits: [{ capability: 'file.read', uses: 'unlimited' as const, windowMs: 60_000 }],
  },
}

/** A server, and how it is asked. */
interface Side {
  readonly name: string
  readonly shape: 'authzen' | Decider['shape']
  readonly url: string
  readonly path: string
  readonly token?: string
}

const bare = 'a bare server of the same library'
const [published, ours] = ['publish to verdict', 'the decision point']
const cpu = 'CPU of its process'
const open = 'at half of that, open loop'
const [batched, besideBatched] = ['in batches of 20', 'Cerbos in batches of 20']

export const bench: Bench = {
  title: 'Evaluations over HTTP, each recorded; caller and server in two processes',
  run: () =>
    inFolder(async (folder) => {
      const { runtime, url, token, close } = await served(folder, evaluatingSetup)
      const plain = await bareServer(routes.evaluation.path, 100)
      const deciders = await startDeciders(folder)
      const own = { name: ours, shape: 'authzen', url, token } as const
      const one: Side = { ...own, path: routes.evaluation.path }
      const batch: Side = { ...own, path: routes.evaluations.path }
      const beside: Side[] = [{ ...one, name: bare, url: plain.url }, ...deciders]
      const cerbos = deciders.find(({ shape }) => shape === 'cerbos')
      const inTurn = await inRounds(rounds, async () => {
        const sample: Record<string, number> = {}
        const used = await cpuOf(async () => (sample[ours] = await rateOf(one, 1)))
        sample[cpu] = used / inRound
        for (const side of beside) sample[side.name] = await rateOf(side, 1)
        sample[batched] = await rateOf(batch, inBatch)
        if (cerbos !== undefined) sample[besideBatched] = await rateOf(cerbos, inBatch)
        return sample
      })
      const opposite = deciders[0]?.name ?? bare
      const ones = inTurn.figure(ours, '/s', { against: opposite, aims: atLeast(3_000) })
      const half = isQuick ? 100 : Math.round((ones.values[0] ?? 0) / 2)
      const loop = await inRounds(1, async () => {
        const asking = { agents: users, tool: 'file.read' }
        const entries = [...messagesIn(runtime.place, openCount, asking)]
        return {
          ...percentiles(open, (await askedEvaluations(one, openCount, 1, half)).slice(0, -1)),
          ...percentiles(published, await openLoop(runtime, entries, half)),
        }
      })
      for (const other of deciders) other.stop()
      plain.cut()
      await close()
      return [
        ones,
        inTurn.figure(cpu, 'µs an evaluation', { aims: atMost(210) }),
        ...beside.map(({ name }) => inTurn.figure(name, '/s')),
        inTurn.figure(batched, '/s', {
          aims: atLeast(6_000),
          ...(cerbos !== undefined && { against: besideBatched }),
        }),
        loop.figure(`${open}, p50`, 'ms', { against: `${published}, p50` }),
        loop.figure(`${open}, p99`, 'ms', { against: `${published}, p99`, aims: ratioAtMost(2) }),
      ]
    }),
}

const client = fileURLToPath(new URL('evaluating-client.ts', import.meta.url))
const Times = z.array(z.number())

/** As another process asks, on a schedule if at a rate; the last is how long all of it took. */
export async function askedEvaluations(
  side: Side,
  count: number,
  each = 1,
  rate = 0,
): Promise<readonly number[]> {
  const { shape, url, token = '', path } = side
  const atOnce = each === 1 ? lanes.one : lanes.batch
  const words = [shape, url, token, path, each, count, atOnce, rate].map(String)
  return Times.parse(JSON.parse(await printedHere(client, words)))
}

/** Evaluations a second. */
async function rateOf(side: Side, each: number): Promise<number> {
  const count = Math.ceil(inRound / each)
  const times = await askedEvaluations(side, count, each)
  return (count * each * 1_000) / (times.at(-1) ?? 0)
}

// Other deciders that a team could ask instead, as servers of their own with their decision logs
// on: OPA and Cerbos, where their programs are given by WARRANT_OPA and WARRANT_CERBOS. Each holds
// the one rule that the bench of evaluations asks about: staff may read files.

interface Decider {
  readonly name: string
  /** The shape of its requests: see the client. */
  readonly shape: 'opa' | 'cerbos'
  readonly url: string
  readonly path: string
  stop(): void
}

/** Those whose programs are given; each runs in a folder of its own, and writes its log there. */
async function startDeciders(folder: string): Promise<readonly Decider[]> {
  const { WARRANT_OPA: opa = '', WARRANT_CERBOS: cerbos = '' } = process.env
  const found: Decider[] = []
  if (opa !== '') found.push(await startOpa(opa, join(folder, 'opa')))
  if (cerbos !== '') found.push(await startCerbos(cerbos, join(folder, 'cerbos')))
  return found
}

const opaRule = `package bench
allow if {
  input.subject.role == "staff"
  input.action.name == "read"
  input.resource.type == "file"
}
`

async function startOpa(program: string, folder: string): Promise<Decider> {
  await mkdir(folder)
  await writeFile(join(folder, 'rule.rego'), opaRule)
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const logs = ['--set', 'decision_logs.console=true']
  const args = ['run', '--server', '--addr', address, ...logs, 'rule.rego']
  const stop = await started(program, args, { folder, health: `${url}/health` })
  return { name: 'OPA', shape: 'opa', url, path: '/v1/data/bench/allow', stop }
}

const cerbosRule = {
  apiVersion: 'api.cerbos.dev/v1',
  resourcePolicy: {
    version: 'default',
    resource: 'file',
    rules: [{ actions: ['read'], effect: 'EFFECT_ALLOW', roles: ['staff'] }],
  },
}

async function startCerbos(program: string, folder: string): Promise<Decider> {
  await mkdir(join(folder, 'policies'), { recursive: true })
  const [address, grpc] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const url = `http://${address}`
  // JSON is YAML, too.
  await writeFile(join(folder, 'policies', 'file.yaml'), JSON.stringify(cerbosRule))
  const settings = {
    server: { httpListenAddr: address, grpcListenAddr: grpc },
    storage: { driver: 'disk', disk: { directory: join(folder, 'policies') } },
    audit: {
      enabled: true,
      accessLogsEnabled: false,
      decisionLogsEnabled: true,
      backend: 'local',
      local: { storagePath: join(folder, 'audit') },
    },
    telemetry: { disabled: true },
  }
  await writeFile(join(folder, 'settings.yaml'), JSON.stringify(settings))
  const args = ['server', '--config', 'settings.yaml']
  const stop = await started(program, args, { folder, health: `${url}/_cerbos/health` })
  return { name: 'Cerbos', shape: 'cerbos', url, path: '/api/check/resources', stop }
}

/** Resolves when it is there, with what ends it. */
async function started(
  program: string,
  args: readonly string[],
  { folder, health }: { readonly folder: string; readonly health: string },
): Promise<() => void> {
  const out = openSync(join(folder, 'out.log'), 'a')
  const server = spawn(program, args, { cwd: folder, stdio: ['ignore', out, out] })
  const end = (): void => void server.kill('SIGKILL')
  process.once('exit', end)
  await until(async () => {
    assert(server.exitCode === null, `\`${program}\` runs: see ${folder}`)
    return (await fetch(health).catch(() => null))?.ok === true
  })
  return end
}
