// Realms on one server with processes of the compiled program, as people start them, and what they
// are asked, by the library of NATS alone.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { intakeSubject } from '#log/nats/intake'
import { assert } from '#record/fault'
import type { Entry } from '#ports/log'
import { realmOfCell, type Place } from '#record/names'
import { cellByKey } from '#rules/catalog/cells'
import { capability, file, messagesIn } from '../../test/support/intents.ts'
import type { NatsServer } from '../../test/support/servers/nats-server.ts'
import { builtFile } from '../../test/support/vitest/built.ts'
import { printed, running, type Running } from '../process.ts'

export interface Realm {
  readonly name: string
  /** Its logs, each with agents of its own. */
  readonly places: readonly Asked[]
  /** Its words for a process of Node, and what it is started with. */
  readonly command: (...words: readonly string[]) => readonly [readonly string[], StartedWith]
  /** Starts one of its processes. */
  readonly started: (...words: readonly string[]) => Running
  /** What a command prints. */
  readonly called: (...words: readonly string[]) => Promise<string>
}

interface StartedWith {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

interface Asked extends Place {
  readonly agents: readonly string[]
  /** What they ask, no two things alike. */
  readonly entries: Generator<Entry>
}

export interface Wanted {
  readonly name: string
  /** One log if not given. */
  readonly cells?: number
  /** A rule that each call waits for: a module with this body of its function. */
  readonly rule?: string
  /** The door that its agents come through, if through one. */
  readonly via?: string
  /** The tool, where it is not the usual one. */
  readonly tool?: object
}

/** So many wait for their verdicts in each log at any time. */
const waitingEach = 256
const agentsEach = 8
const admin = 'root'

export async function realmOn(
  { url }: Pick<NatsServer, 'url'>,
  folder: string,
  { name, cells, rule, via, tool: given = capability }: Wanted,
): Promise<Realm> {
  const seed = join(folder, name)
  mkdirSync(seed)
  const within = {
    cwd: seed,
    env: {
      WARRANT_LOG: url,
      WARRANT_KEYS: join(seed, 'keys'),
      WARRANT_HOME: join(seed, 'home'),
      WARRANT_LOG_LEVEL: 'error',
    },
  }
  const main = builtFile('services/cli/main.ts')
  const command: Realm['command'] = (...words) => [[main, '--realm', name, ...words], within]
  const called: Realm['called'] = (...words) => printed(...command(...words))
  const key = await called('keys', 'new', admin, '--no-passphrase', '--json')
  const places = placesIn(name, cells)
  const agents = places.flatMap((place) => place.agents)
  const door = via === undefined ? {} : { via: [via] }
  const principals = [
    { id: admin, roles: ['policy-admin'], keys: [publicKeyIn(key)] },
    ...agents.map((id) => ({ id, owner: admin, attributes: { fleet: id }, ...door })),
  ]
  const limits = [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 }]
  const catalog = { ...(cells !== undefined && { cells }), principals, limits }
  const tool = rule === undefined ? given : { ...given, concepts: ['read', file.name] }
  write(seed, 'catalog.json', { ...catalog, capabilities: [tool] })
  write(seed, 'graph.json', { primitives: rule === undefined ? [file] : [file, reading] })
  if (rule !== undefined) writeFileSync(join(seed, 'callbacks.ts'), moduleOf(rule))
  const many = cells === undefined ? [] : ['--cells', String(cells)]
  await called('nats', 'init', ...many)
  await called('seed', seed, '--key', admin, '--yes')
  return { name, places, command, called, started: (...words) => running(...command(...words)) }
}

const callback = 'isFine'
const policies = [{ name: 'costly', requiresConfirmation: false, callback }]
/** What is done to a file, with a policy that asks the rule. */
const reading = {
  name: 'read',
  depths: [
    { level: 0 },
    {
      level: 1,
      properties: { is: 'to look at all of it' },
      relata: [{ type: 'APPLIES_TO', target: file.name, targetDepth: 1, policies }],
    },
  ],
}

function moduleOf(body: string): string {
  return `export function ${callback}() {\n${body}\n}\n`
}

function write(folder: string, name: string, content: object): void {
  writeFileSync(join(folder, name), JSON.stringify(content))
}

function publicKeyIn(text: string): string {
  const [key] = /ed25519:[A-Za-z0-9_-]{43}/.exec(text) ?? []
  assert(key !== undefined, 'a new key prints its public key')
  return key
}

function placesIn(name: string, cells?: number): readonly Asked[] {
  const named = Array.from({ length: 64 * (cells ?? 1) }, (_, index) => `bot${index}`)
  const agentsOf = (isThere: (agent: string) => boolean) =>
    named.filter(isThere).slice(0, agentsEach)
  if (cells === undefined)
    return [
      askedIn(
        name,
        agentsOf(() => true),
      ),
    ]
  return Array.from({ length: cells }, (_, index) =>
    askedIn(
      realmOfCell({ of: name, index }),
      agentsOf((agent) => cellByKey(cells, `fleet ${agent}`) === index),
    ),
  )
}

function askedIn(realm: string, agents: readonly string[]): Asked {
  const place = { realm, era: 1 }
  return { ...place, agents, entries: messagesIn(place, Number.MAX_SAFE_INTEGER, { agents }) }
}

/** What is asked again and again until it is stopped. */
export interface Load {
  /** So many wait for their answers at any time. */
  readonly waiting: number
  readonly answered: () => number
  /** Resolves when all have their answers. */
  readonly stop: () => Promise<void>
}

/** Asks in all of these logs, each as fast as it answers. */
export function loadOn(connection: NatsConnection, places: readonly Asked[]): Load {
  let [answered, isStopped] = [0, false]
  const ask = async (place: Asked): Promise<void> => {
    const verdicts = connection.subscribe(`${place.realm}.${place.era}.verdict.>`)
    await connection.flush()
    const waiting = new Set<string>()
    const publish = (): void => {
      const next = place.entries.next()
      if (next.done === true) return
      const { name, bytes } = next.value
      waiting.add(tail(name))
      connection.publish(intakeSubject(name) ?? '', bytes)
    }
    for (let index = 0; index < waitingEach; index += 1) publish()
    for await (const { subject, data } of verdicts) {
      if (!waiting.delete(tail(subject))) continue
      const text = Buffer.from(data)
      assert(text.includes('"outcome":"allow"'), `all are allowed: ${text.toString()}`)
      answered += 1
      if (!isStopped) publish()
      if (waiting.size === 0) break
    }
  }
  const ended = Promise.all(places.map(ask))
  return {
    waiting: waitingEach * places.length,
    answered: () => answered,
    async stop() {
      isStopped = true
      await ended
    },
  }
}

function tail(name: string): string {
  return name.split('.').slice(3).join('.')
}

export function connected({ url }: Pick<NatsServer, 'url'>): Promise<NatsConnection> {
  return connect({ servers: url })
}
