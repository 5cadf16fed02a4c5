// What one, two and four of something give, where each process of ours has a part of a core and
// the server all that it needs: so a machine of two cores shows what else would bound them.
import { availableParallelism, tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { setup as compile } from '../../test/support/vitest/compile.ts'
import { inFolder } from '../deployment.ts'
import {
  inRounds,
  ratioAtLeast,
  ratioAtMost,
  sized,
  type Bench,
  type Figure,
  type Options,
  type Sample,
} from '../harness.ts'
import { onServer } from '../nats/server.ts'
import { busySeconds, cpuSecondsOf, idsNaming, type Running } from '../process.ts'
import { connected, realmOn, loadOn, type Load, type Realm, type Wanted } from './realm.ts'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { NatsConnection } from '@nats-io/transport-node'
import { assert } from '#record/fault'
import { intentOf } from '../../test/support/intents.ts'
import { freePort, until } from '../../test/support/servers/nats-server.ts'
import { posted } from '../doors/served.ts'

/** Of a core, for each process: with a quarter, four and their server would fill two cores. */
const share = 0.15
const counts = [1, 2, 4]
const rounds = 3
/** Of each, before it is held: what the engine has not compiled yet costs many times as much. */
const warmUpEach = sized(2_500)
const warmUpMsMax = 30_000
const lookMs = 20
const windowMs = sized(4_000)

export const bench: Bench = {
  title: 'One, two and four of it, 0.15 of a core for each process of ours',
  needs: 'nats',
  isLong: true,
  async run({ parts = [] }: Options) {
    const names = ways.map(({ what }) => what)
    const unknown = parts.find((part) => !names.includes(part))
    if (unknown !== undefined) {
      throw new Error(`--part is one of ${names.join(', ')}, and not \`${unknown}\``)
    }
    const shares = openShares()
    if (shares === null) {
      process.stderr.write('`scaling` is left out: it needs control groups of version 1\n')
      return []
    }
    compile()
    const figures: Figure[] = []
    for (const way of ways.filter(({ what }) => parts.length === 0 || parts.includes(what))) {
      figures.push(...(await measured(way, shares)))
    }
    shares.dispose()
    return figures
  },
}

function measured(way: Way, shares: Shares): Promise<readonly Figure[]> {
  return onServer({}, (server) =>
    inFolder(async (folder) => {
      const connection = await connected(server)
      const stands: Stand[] = []
      for (const count of counts) {
        const stand = await way.stand(count, {
          connection,
          realm: (wanted) => realmOn(server, folder, { name: `of-${count}`, ...wanted }),
        })
        await warm(stand)
        for (const { id } of [...stand.each, ...stand.beside]) shares.hold(id, share)
        stands.push(stand)
      }
      const servers = idsNaming(server.folder)
      const ran = await inRounds(rounds, async () => {
        let sample: Sample = {}
        for (const stand of stands) sample = { ...sample, ...(await windowOf(stand, servers, way)) }
        return sample
      })
      const all = stands.flatMap(({ each, beside, free }) => [...each, ...beside, ...free])
      for (const one of all) await one.stop()
      await connection.close()
      return stands.flatMap(({ count }) => figuresOf(way, count, ran))
    }),
  )
}

async function warm({ count, load: begin }: Stand): Promise<void> {
  const load = begin()
  const end = performance.now() + warmUpMsMax
  while (load.answered() < warmUpEach * count && performance.now() < end) await sleep(lookMs)
  await load.stop()
}

/** What it is called of so many. */
function named({ what }: Way, count: number) {
  const of = `${what}, ${count}`
  return {
    rate: of,
    ours: `${of}: CPU of ours`,
    server: `${of}: CPU of the server`,
    most: `${of}: what following alone allows`,
    idle: `${of}: unused meanwhile`,
    others: `${of}: used by all else`,
  }
}

async function windowOf(stand: Stand, servers: readonly number[], way: Way): Promise<Sample> {
  const { count, each, beside, free, following } = stand
  const ours = [...each, ...beside, ...free].map(({ id }) => id)
  const used = () => ({
    ours: cpuSecondsOf(ours),
    server: cpuSecondsOf(servers),
    here: process.cpuUsage(),
    following: following === undefined ? 0 : cpuSecondsOf([following.id]),
    all: busySeconds(),
    at: performance.now(),
  })
  const load = stand.load()
  // Before as many are answered as wait, what waits still grows, and so what an answer takes.
  while (load.answered() < load.waiting) await sleep(lookMs)
  const [before, already] = [used(), load.answered()]
  await sleep(windowMs)
  const [after, asked] = [used(), load.answered() - already]
  const here = process.cpuUsage(before.here)
  await load.stop()
  const seconds = (after.at - before.at) / 1_000
  const [own, there] = [after.ours - before.ours, after.server - before.server]
  const known = own + there + (here.user + here.system) / 1e6
  const names = named(way, count)
  return {
    [names.rate]: asked / seconds,
    [names.ours]: (own * 1e6) / asked,
    [names.server]: (there * 1e6) / asked,
    [names.most]: (share * asked) / (after.following - before.following),
    [names.idle]: availableParallelism() - (after.all - before.all) / seconds,
    [names.others]: (after.all - before.all - known) / seconds,
  }
}

function figuresOf(
  way: Way,
  count: number,
  ran: Awaited<ReturnType<typeof inRounds>>,
): readonly Figure[] {
  const [names, one] = [named(way, count), named(way, 1)]
  const isMore = count > 1
  return [
    ran.figure(names.rate, '/s', {
      ...(isMore && { against: one.rate, aims: ratioAtLeast(way.least * count) }),
    }),
    ran.figure(names.ours, 'µs each', {
      ...(isMore && { against: one.ours, ...(way.isFlat && { aims: ratioAtMost(1.1) }) }),
    }),
    ran.figure(names.server, 'µs each', isMore ? { against: one.server } : {}),
    ...(way.follows ? [ran.figure(names.most, '/s')] : []),
    ran.figure(names.idle, 'cores'),
    ran.figure(names.others, 'cores'),
  ]
}

// Parts of a core for processes, by limits of the kernel (control groups of version 1): so it shows
// on two cores what more of something gives. Groups, and what had to be mounted for them, go with
// this process.

interface Shares {
  /** Gives that process, with all its threads, so much of one core. */
  hold(process: number, share: number): void
  /** Lets all of them go, and takes away what was made for it. */
  dispose(): void
}

/** Short beside what an answer takes, so that no process stands still for long. */
const periodUs = 10_000
const turnMs = 20
const turnsMax = 100

/** Null where this machine gives no one parts of a core. */
function openShares(): Shares | null {
  for (const open of [mountedAlready, mountedHere]) {
    const opened = open()
    if (opened !== null) return sharesAt(opened)
  }
  return null
}

interface Root {
  readonly root: string
  readonly unmount: () => void
}

function mountedAlready(): Root | null {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  for (const [, root = '', type, options = ''] of mounts.map((line) => line.split(' '))) {
    const isOfCpu = type === 'cgroup' && options.split(',').includes('cpu')
    if (isOfCpu && takesGroups(root)) return { root, unmount: () => undefined }
  }
  return null
}

function mountedHere(): Root | null {
  const root = mkdtempSync(join(tmpdir(), 'warrant-bench-cpu-'))
  const run = (program: string, words: readonly string[]): boolean => {
    try {
      execFileSync(program, words, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  const isMounted = run('mount', ['-t', 'cgroup', '-o', 'cpu', 'cgroup', root])
  const unmount = (): void => {
    if (isMounted) run('umount', [root])
    rmdirSync(root)
  }
  if (isMounted && takesGroups(root)) return { root, unmount }
  unmount()
  return null
}

function takesGroups(root: string): boolean {
  try {
    const group = join(root, `warrant-bench-${process.pid}`)
    mkdirSync(group)
    rmdirSync(group)
    return true
  } catch {
    return false
  }
}

function sharesAt({ root, unmount }: Root): Shares {
  const groups: string[] = []
  const dispose = (): void => {
    process.off('exit', dispose)
    for (const group of groups.splice(0)) remove(group, root)
    unmount()
  }
  process.once('exit', dispose)
  for (const left of leftIn(root)) remove(left, root)
  return {
    hold(id, part) {
      const group = join(root, `warrant-bench-${process.pid}-${id}`)
      mkdirSync(group)
      groups.push(group)
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(periodUs * part)))
      move(String(id), group)
    },
    dispose,
  }
}

/** Those of a bench that was killed before it could take them away. */
function leftIn(root: string): readonly string[] {
  return readdirSync(root).flatMap((name) => {
    const [, id] = /^warrant-bench-(\d+)/.exec(name) ?? []
    return id === undefined || existsSync(`/proc/${id}`) ? [] : [join(root, name)]
  })
}

/** One whose processes are ending is taken a moment later. */
function remove(group: string, root: string): void {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    try {
      const held = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n')
      for (const id of held.filter((line) => line !== '')) move(id, root)
      rmdirSync(group)
      return
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, turnMs)
    }
  }
}

function move(id: string, group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), id)
  } catch {
    // It has ended, and is in no group.
  }
}

// What may be added where something is slow, each on realms of its own: cells, workers of a stage
// whose rules are costly, servers of HTTP, and proxies before tools.

/** So many of it, which share nothing with others. */
interface Stand {
  readonly count: number
  /** That there are so many of. */
  readonly each: readonly Running[]
  /** That stand beside them, and are held too. */
  readonly beside: readonly Running[]
  /** That have all that they need, as the server has. */
  readonly free: readonly Running[]
  /** Of all these one that follows the log, and does nothing else. */
  readonly following?: Running
  /** Asks as fast as it is answered. */
  readonly load: () => Load
}

interface Way {
  readonly what: string
  /** Of as many times of what one gives. */
  readonly least: number
  /** Whether each answer costs as much, however many there are. */
  readonly isFlat: boolean
  /** Whether all of them follow one log, which bounds them. */
  readonly follows: boolean
  readonly stand: (count: number, at: At) => Promise<Stand>
}

interface At {
  readonly connection: NatsConnection
  readonly realm: (wanted: Omit<Wanted, 'name'>) => Promise<Realm>
}

const fixture = join(import.meta.dirname, '../../test/mcp/fixture-server.mjs')
/** So long does a rule take that is costly, on this machine. */
const ruleMs = 2
const sampleMs = 300

const cells: Way = {
  what: 'cells',
  least: 0.9,
  isFlat: true,
  follows: false,
  async stand(count, { connection, realm }) {
    const { places, started } = await realm(count > 1 ? { cells: count } : {})
    const each = places.map((_, index) =>
      started('up', ...(count > 1 ? ['--cells', String(index)] : [])),
    )
    return { count, each, beside: [], free: [], load: () => loadOn(connection, places) }
  },
}

const policies: Way = {
  what: 'policy workers',
  least: 0.8,
  isFlat: false,
  follows: true,
  async stand(count, { connection, realm }) {
    const { places, started } = await realm({ rule: costly() })
    const each = Array.from({ length: count }, () => started('up', 'policy'))
    const following = started('up', 'learning')
    const beside = [started('up', 'grounding', 'confirmation'), following]
    const load = (): Load => loadOn(connection, places)
    return { count, each, beside, free: [], following, load }
  },
}

/** So many wait at each door at any time. */
const lanesEach = 16

const doors: Way = {
  what: 'HTTP doors',
  least: 0.8,
  isFlat: false,
  follows: true,
  async stand(count, { realm }) {
    const { places, called, started } = await realm({ via: 'http' })
    const agent = places[0]?.agents[0] ?? ''
    const token = (await called('tokens', 'create', agent, '--tokens', 'tokens.ndjson')).trim()
    const urls: string[] = []
    const each: Running[] = []
    for (let index = 0; index < count; index += 1) {
      const listen = `127.0.0.1:${await freePort()}`
      urls.push(`http://${listen}`)
      const open = ['--rate', '1000000', '--tokens', 'tokens.ndjson']
      each.push(started('up', 'http', '--listen', listen, ...open))
      await until(() => answersAt(`http://${listen}`))
    }
    const lanes = urls.flatMap((url) =>
      Array.from({ length: lanesEach }, () => (n: number) => {
        const { tool, args } = intentOf(n)
        return posted(`${url}/v1/intents`, token, JSON.stringify({ tool, args }))
      }),
    )
    return beforeStages(each, lanes, started)
  },
}

/** What callers come through, before stages that are held by nothing. */
function beforeStages(
  each: readonly Running[],
  lanes: readonly ((n: number) => Promise<unknown>)[],
  started: Realm['started'],
): Stand {
  const following = started('up', 'learning')
  const free = [started('up', 'grounding', 'policy', 'confirmation'), following]
  return { count: each.length, each, beside: [], free, following, load: () => loadOf(lanes) }
}

async function answersAt(url: string): Promise<boolean> {
  try {
    await fetch(url)
    return true
  } catch {
    return false
  }
}

const mcpTool = 'test_simple_text'
const callsEach = 16
const versionNegotiation = { mode: 'auto', probe: { timeoutMs: 60_000 } } as const

const proxies: Way = {
  what: 'MCP proxies',
  least: 0.8,
  isFlat: false,
  follows: true,
  async stand(count, { realm }) {
    const tool = {
      id: mcpTool,
      description: 'Answers',
      safetyClass: 'READ',
      argsSchema: { type: 'object' },
    }
    const { places, command, started } = await realm({ tool })
    const clients: Client[] = []
    const each: Running[] = []
    for (let index = 0; index < count; index += 1) {
      const agent = places[0]?.agents[index] ?? ''
      const [words, { cwd, env }] = command('mcp', '--as', agent)
      const args = [...words, '--', process.execPath, fixture, 'runs']
      const transport = new StdioClientTransport({
        command: process.execPath,
        args,
        cwd,
        env: { ...getDefaultEnvironment(), ...env },
        stderr: 'inherit',
      })
      const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation })
      await client.connect(transport)
      clients.push(client)
      each.push({ id: transport.pid ?? 0, stop: () => client.close() })
    }
    const lanes = clients.flatMap((client) =>
      Array.from({ length: callsEach }, () => async (n: number) => {
        const { isError, content } = await client.callTool({ name: mcpTool, arguments: { n } })
        assert(isError !== true, `each call is carried out: ${JSON.stringify(content)}`)
      }),
    )
    return beforeStages(each, lanes, started)
  },
}

/** Calls each again and again. */
function loadOf(lanes: readonly ((n: number) => Promise<unknown>)[]): Load {
  let [next, answered] = [0, 0]
  const stopping = new AbortController()
  const go = async (call: (n: number) => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) {
      await call((next += 1))
      answered += 1
    }
  }
  const ended = Promise.all(lanes.map(go))
  return {
    waiting: lanes.length,
    answered: () => answered,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

const ways: readonly Way[] = [cells, policies, doors, proxies]

/** The body of a rule that takes so long, by arithmetic alone: a rule may ask no clock. */
function costly(): string {
  const step = 'x = (x * 16807) % 2147483647'
  let [x, turns] = [1, 0]
  const began = process.cpuUsage().user
  for (; process.cpuUsage().user < began + sampleMs * 1_000; turns += 10_000) {
    for (let index = 0; index < 10_000; index += 1) x = (x * 16_807) % 2_147_483_647
  }
  const each = Math.round((turns / sampleMs) * ruleMs)
  return `let x = ${x}\nfor (let i = 0; i < ${each}; i += 1) ${step}\nreturn { passed: x > 0 }`
}
