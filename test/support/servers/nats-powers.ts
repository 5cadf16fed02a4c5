// A real server with the generated accounts, a user of every role, and an operator who has made
// stream, mirror and queues; and clients that know nothing of ours.
import { join } from 'node:path'
import {
  connect,
  headers,
  nkeyAuthenticator,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import { expect } from 'vitest'
import { inboxOf, newUserKey, type UserKey } from '#log/nats-config/nkeys'
import { serverConfig, type ServerOptions, type ServerUser } from '#log/nats-config/server-config'
import { allMirrors, apiOfMirror } from '#log/nats-config/mirror'
import {
  intakeName,
  intakeQueue,
  intakeQueueConfig,
  lanesOf,
  intakeSubject,
  shardOf,
  shards,
} from '#log/nats/intake'
import { intakeStream, logStream, mirrorStream, queueConfig, streamNames } from '#log/nats/stream'
import { queueOf, shapeOf, type Place } from '#record/names'
import { allRoles, powersOf } from '#record/roles'
import { freePort, startNats, until, type NatsServer } from './nats-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const realm = 'main'
export const place: Place = { realm, era: 1 }
export const { log, mirror } = streamNames(place)
export const operator = 'operator'

/** Who there is: one of every role, named as the role is, and a second agent and confirmer. */
const holders: readonly Omit<ServerUser, 'publicKey'>[] = [
  { role: operator, name: operator },
  // A door that speaks for one who is called like it, and one that speaks for the second agent.
  ...allRoles.map((role) => ({ role, name: role, ...(role === 'door' && { for: ['door'] }) })),
  { role: 'door', name: 'door-of-other', for: ['other'] },
  { role: 'agent', name: 'other' },
  { role: 'confirmer', name: 'olga@example.com' },
]

export interface Powers {
  readonly server: NatsServer
  readonly users: readonly ServerUser[]
  /** A plain client of that user, connected. */
  as(name: string, options?: NodeConnectionOptions): Promise<NatsConnection>
  keyOf(name: string): UserKey
  dispose(): Promise<void>
}

export interface PowersOptions {
  readonly era?: number
  /** How many cells there are: `agent` is in cell 1, `other` in cell 0. */
  readonly cells?: number
  readonly tls?: ServerOptions['tls']
  readonly mirrorApart?: boolean
  readonly client?: NodeConnectionOptions
}

export async function startPowers(options: PowersOptions = {}): Promise<Powers> {
  const keys = new Map(holders.map(({ name }) => [name, newUserKey()]))
  const keyOf = (name: string): UserKey => {
    const key = keys.get(name)
    if (key === undefined) throw new Error(`there is no user ${name}`)
    return key
  }
  const { era = 1, cells, tls, mirrorApart = true } = options
  const users = holders.map(({ role, name, for: others }) => ({
    role,
    name,
    for: others,
    publicKey: keyOf(name).publicKey,
    ...(cells !== undefined && role === 'agent' && { cell: name === 'other' ? 0 : 1 }),
  }))
  const port = await freePort()
  const config = serverConfig({
    realm,
    era,
    cells,
    users,
    mirrorApart,
    listen: `127.0.0.1:${port}`,
    storeFolder: join(await temporaryFolder(), 'store'),
    ...(tls !== undefined && { tls }),
  })
  const server = await startNats({ port, config })
  const open: NatsConnection[] = []
  const as: Powers['as'] = async (name, more = {}) => {
    const { seed, publicKey } = keyOf(name)
    const connection = await connect({
      port,
      authenticator: nkeyAuthenticator(Buffer.from(seed)),
      inboxPrefix: inboxOf(publicKey),
      ...options.client,
      ...more,
    })
    open.push(connection)
    return connection
  }
  const dispose = async () => {
    await Promise.all(open.map((connection) => connection.close()))
    await server.dispose()
  }
  return { server, users, as, keyOf, dispose }
}

/** What a queue takes jobs from, enough to try its rights. */
const queueKinds = {
  grounding: 'vlp',
  policy: 'grounding',
  confirmation: 'review',
  learning: 'hold',
  verification: 'outcome',
  projector: 'graph',
  sealer: 'verdict',
} as const

const intakes = 1

/** The stream that takes in what both agents say. */
export const intake = intakeName(realm, shards.indexOf(shardOf('agent')) % intakes)

/** The subject on which the fact of that name is published. */
export function subjectOf(name: string): string {
  return intakeSubject(name) ?? name
}

/** What `warrant nats init` makes, made by the plain client. */
export async function makeStreams(
  admin: NatsConnection,
  era = 1,
  mirrorApart = true,
  inTurns = true,
): Promise<void> {
  const at = { realm, era }
  const names = streamNames(at)
  const copy = mirrorStream(at, { replicas: 1, mirrorApart })
  for (let index = 0; index < intakes; index += 1) {
    const name = intakeName(realm, index)
    const config = intakeStream(realm, index, { replicas: 1, intakes, isLaned: inTurns })
    await made(admin, `$JS.API.STREAM.CREATE.${name}`, config)
    for (const lane of lanesOf(inTurns)) {
      const config = intakeQueueConfig(realm, index, lane)
      const subject = `$JS.API.CONSUMER.DURABLE.CREATE.${name}.${intakeQueue(lane)}`
      await made(admin, subject, { stream_name: name, config, action: 'create' })
    }
  }
  const config = logStream(at, { replicas: 1, intakes, inTurns })
  await made(admin, `$JS.API.STREAM.CREATE.${names.log}`, config)
  for (const at of mirrorApart ? allMirrors.map(apiOfMirror) : ['$JS.API'])
    await made(admin, `${at}.STREAM.CREATE.${names.mirror}`, copy)
  for (const [queue, kind] of Object.entries(queueKinds)) {
    const name = queueOf(queue, era)
    const config = queueConfig(name, [shapeOf(at, kind)])
    const request = { stream_name: names.log, config, action: 'create' }
    await made(admin, `$JS.API.CONSUMER.DURABLE.CREATE.${names.log}.${name}`, request)
  }
}

async function made(admin: NatsConnection, subject: string, request: unknown): Promise<void> {
  expect(await api(admin, subject, request)).not.toHaveProperty('error')
}

/** A question to the JetStream API, and its answer as JSON. */
export async function api(
  connection: NatsConnection,
  subject: string,
  request: unknown = '',
): Promise<Record<string, unknown>> {
  const body = request === '' ? '' : JSON.stringify(request)
  const answer = await connection.request(subject, body, { timeout: 5_000 })
  return answer.json()
}

/** What came of an attempt: an answer's text, or why there is none. */
export async function tried(
  connection: NatsConnection,
  subject: string,
  body: string | Uint8Array = '{}',
  header: Readonly<Record<string, string>> = {},
): Promise<string> {
  const all = headers()
  for (const [key, value] of Object.entries(header)) all.set(key, value)
  try {
    const answer = await connection.request(subject, body, { timeout: 5_000, headers: all })
    const { status, description } = statusOf(answer)
    return status === 0 ? answer.string() : `${status} ${description}`
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${error.name}: ${error.message}`
  }
}

/** Publishes with that reply subject, which no request of the client would have. */
export async function published(
  connection: NatsConnection,
  subject: string,
  options: { readonly reply?: string; readonly body?: string; readonly header?: object } = {},
): Promise<void> {
  const { reply, body = '', header = {} } = options
  const all = headers()
  for (const [key, value] of Object.entries(header)) all.set(key, String(value))
  connection.publish(subject, body, { headers: all, ...(reply !== undefined && { reply }) })
  // The server takes what a connection sends in order: with this answer it has taken all of it.
  await connection.flush()
}

function statusOf(message: Msg): { readonly status: number; readonly description: string } {
  const { headers: all } = message
  return { status: all?.code ?? 0, description: all?.description ?? '' }
}

/** The bytes bound under that name, as the log itself says; null where it is free. */
export async function boundAs(admin: NatsConnection, name: string): Promise<string | null> {
  const answer = await api(admin, `$JS.API.STREAM.MSG.GET.${log}`, { last_by_subj: name })
  const { message } = answer
  if (typeof message !== 'object' || message === null) return null
  const data = 'data' in message ? String(message.data) : ''
  return Buffer.from(data, 'base64').toString('utf8')
}

/** The same where the log has it a moment later. */
export async function boundSoonAs(admin: NatsConnection, name: string): Promise<string | null> {
  await until(async () => (await boundAs(admin, name)) !== null)
  return boundAs(admin, name)
}

/** How many facts there are, and whether the arithmetic of the log holds. */
export async function factCount(admin: NatsConnection): Promise<number> {
  const { state } = await api(admin, `$JS.API.STREAM.INFO.${log}`)
  if (typeof state !== 'object' || state === null) throw new Error('there is no log')
  const { messages, last_seq, num_subjects = 0 } = numbersIn(state)
  expect({ last_seq, num_subjects }).toEqual({ last_seq: messages, num_subjects: messages })
  return messages ?? 0
}

function numbersIn(value: object): Record<string, number> {
  const entries = Object.entries(value).filter(([, one]) => typeof one === 'number')
  return Object.fromEntries(entries)
}

/** Waits until the mirrors have everything. */
export async function mirrored(
  admin: NatsConnection,
  apis: readonly string[] = allMirrors.map(apiOfMirror),
): Promise<void> {
  const count = await factCount(admin)
  for (const at of apis) {
    await until(async () => {
      const { state } = await api(admin, `${at}.STREAM.INFO.${mirror}`)
      return typeof state === 'object' && state !== null && numbersIn(state)['messages'] === count
    })
  }
}

let last = 0

/** A token that no other test has. */
export function fresh(): string {
  last += 1
  return `t${last}`
}

/** Roles that read everything. */
export const readers = allRoles.filter((role) => powersOf(role).readsAll)

/** Publishes the names as one atomic batch; the answer to its last message. */
export async function batch(connection: NatsConnection, names: readonly string[]): Promise<string> {
  const id = fresh()
  const header = (index: number) => ({ 'Nats-Batch-Id': id, 'Nats-Batch-Sequence': `${index + 1}` })
  const rest = names.slice(0, -1)
  for (const [index, name] of rest.entries()) {
    await published(connection, name, { body: 'said', header: header(index) })
  }
  const commit = { ...header(rest.length), 'Nats-Batch-Commit': '1' }
  return tried(connection, names.at(-1) ?? '', 'said', commit)
}

/** What the server holds against this connection, from now on. */
export function complaintsTo(connection: NatsConnection): readonly string[] {
  const received: string[] = []
  const listen = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error') received.push(status.error.message)
    }
  }
  void listen()
  return received
}
