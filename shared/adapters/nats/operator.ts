// What only an operator's own credential may do: make the stream of an era with its mirror and
// queues, and seal it. It never changes nor removes what is there; a difference is refused.
import { Fault } from '#core/fault'
import type { Place } from '#core/names'
import { operate, problems, queueInfo, streamInfo, type StreamInfo } from './api.ts'
import { demandConfig, demandMirror, queueNamesIn } from './wholeness.ts'
import type { Requests } from './requests.ts'
import { logStream, mirrorStream, queueConfig, streamNames } from './stream.ts'
import type { StreamConfig, StreamOptions } from './stream.ts'

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

/** Makes the stream, its mirror and its queues, each where it is not there yet. */
export async function makeLog(
  requests: Requests,
  place: Place,
  options: LogToMake,
): Promise<readonly Made[]> {
  const { log, mirror } = streamNames(place)
  const made = [
    await makeStream(requests, log, logStream(place, options), demandConfig),
    await makeStream(requests, mirror, mirrorStream(place, options), demandMirror),
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
    throw new Fault('queue_differs', 'never', message)
  }
  const config = queueConfig(name, names, ackWaitMs)
  const body = { stream_name: stream, config, action: 'create' }
  await operate(requests, `CONSUMER.DURABLE.CREATE.${stream}.${name}`, body)
  return { name, isNew: true }
}

async function demanded(requests: Requests, name: string): Promise<StreamInfo> {
  const info = await streamInfo(requests, name)
  if (info !== null) return info
  throw new Fault(
    'no_log',
    'never',
    `there is no stream \`${name}\`: make it by \`warrant nats init\``,
  )
}
