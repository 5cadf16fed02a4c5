// What may be added where something is slow, each on realms of its own: cells, workers of a stage
// whose rules are costly, servers of HTTP, and proxies before tools.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { NatsConnection } from '@nats-io/transport-node'
import { assert } from '#record/fault'
import { intentOf } from '../../test/support/intents.ts'
import { freePort, until } from '../../test/support/servers/nats-server.ts'
import { posted } from '../doors/served.ts'
import type { Running } from '../process.ts'
import { loadOn, type Load, type Realm, type Wanted } from './realm.ts'

/** So many of it, which share nothing with others. */
export interface Stand {
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

export interface Way {
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

export const ways: readonly Way[] = [cells, policies, doors, proxies]

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
