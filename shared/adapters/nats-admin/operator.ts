// What only an operator's own credential may do: make the stream of an era with its mirror and
// queues, and seal it. It never changes nor removes what is there; a difference is refused.
import { Fault } from '#core/kernel/fault'
import type { Place } from '#core/kernel/names'
import type { NatsAccess } from '../nats/access.ts'
import { operate, queueInfo, streamInfo, type StreamInfo } from '../nats/api.ts'
import { NatsLink } from '../nats/link.ts'
import { problems } from '../nats/problems.ts'
import { Requests } from '../nats/requests.ts'
import { apiOfMirror } from './server-config-mirror.ts'
import { demandConfig, demandMirror, queueNamesIn } from '../nats/wholeness.ts'
import { logStream, mirrorStream, queueConfig, streamNames } from '../nats/stream.ts'
import type { StreamConfig, StreamOptions } from '../nats/stream.ts'

export interface Queue {
  readonly name: string
  readonly names: readonly string[]
}

export interface LogToMake extends StreamOptions {
  readonly queues: readonly Queue[]
  readonly ackWaitMs?: number
}

/** What was made, and what was there already, by its name. */
export interface Made {
  readonly name: string
  readonly isNew: boolean
}

/** An operator's connections: where the log is, and where its mirror is. */
export interface Operator {
  readonly atLog: Requests
  readonly atMirror: Requests
  close(): Promise<void>
}

/**
 * With an nkey the server has the accounts of `warrant nats-config`, where the mirror is apart;
 * without one it has none.
 */
export async function openOperator(access: NatsAccess): Promise<Operator> {
  // Where the streams are an operator is at home, and needs no account's imports.
  const open = async (api: string): Promise<Requests> =>
    new Requests(await NatsLink.open({ ...access, api }))
  const atLog = await open('$JS.API')
  const atMirror = access.nkeyFile === undefined ? atLog : await open(apiOfMirror)
  const close = async (): Promise<void> => {
    for (const requests of new Set([atLog, atMirror])) {
      requests.close()
      await requests.link.close()
    }
  }
  return { atLog, atMirror, close }
}

/** Makes the stream, its mirror and its queues, each where it is not there yet. */
export async function makeLog(
  requests: Requests,
  place: Place,
  options: LogToMake,
  atMirror: Requests = requests,
): Promise<readonly Made[]> {
  const { log, mirror } = streamNames(place)
  const mirrorApart = atMirror !== requests
  const made = [
    await makeStream(requests, log, logStream(place, options), demandConfig),
    await makeStream(
      atMirror,
      mirror,
      mirrorStream(place, { ...options, mirrorApart }),
      demandMirror,
    ),
  ]
  for (const queue of options.queues)
    made.push(await makeQueue(requests, log, queue, options.ackWaitMs))
  return made
}

/** Seals the era: it takes no fact any more, for ever. Resolves with what it holds. */
export async function sealLog(requests: Requests, place: Place): Promise<StreamInfo> {
  const { log } = streamNames(place)
  const before = await demanded(requests, log)
  if (before.config['sealed'] !== true) {
    await operate(requests, `STREAM.UPDATE.${log}`, { ...before.config, sealed: true })
  }
  return demanded(requests, log)
}

async function makeStream(
  requests: Requests,
  name: string,
  wanted: StreamConfig,
  demand: typeof demandConfig,
): Promise<Made> {
  const isNew = await operate(requests, `STREAM.CREATE.${name}`, wanted, [problems.nameInUse])
  demand(name, wanted, (await demanded(requests, name)).config)
  return { name, isNew }
}

async function makeQueue(
  requests: Requests,
  stream: string,
  { name, names }: Queue,
  ackWaitMs?: number,
): Promise<Made> {
  const found = await queueInfo(requests, stream, name)
  if (found !== null) {
    const [has, wanted] = [queueNamesIn(found), names].map((each) => each.toSorted().join(' '))
    if (has === wanted) return { name, isNew: false }
    const message = `queue \`${name}\` has the names \`${has}\`, and \`${wanted}\` are needed`
    throw new Fault('queue_differs', message)
  }
  const config = queueConfig(name, names, ackWaitMs)
  const body = { stream_name: stream, config, action: 'create' }
  await operate(requests, `CONSUMER.DURABLE.CREATE.${stream}.${name}`, body)
  return { name, isNew: true }
}

async function demanded(requests: Requests, name: string): Promise<StreamInfo> {
  const info = await streamInfo(requests, name)
  if (info !== null) return info
  throw new Fault('no_log', `there is no stream \`${name}\`: make it by \`warrant nats init\``)
}
