// What an operator does with the streams in which speakers' messages are taken in: makes them, lets
// the log of an era source them from where the one before stopped, and removes what it had taken.
import { assert } from '#core/kernel/fault'
import type { Place } from '#core/kernel/names'
import {
  messageOf,
  operate,
  queueInfo,
  streamInfo,
  streamNamesOf,
  type QueueInfo,
} from '../nats/api.ts'
import {
  intakeName,
  intakeQueue,
  intakeQueueConfig,
  intakesMax,
  sourcesOf,
} from '../nats/intake.ts'
import { problems } from '../nats/problems.ts'
import type { Requests } from '../nats/requests.ts'
import { intakeStream, streamNames, takesFromSpeakers } from '../nats/stream.ts'
import { demandConfig } from '../nats/wholeness.ts'
import { demanded, makeStream, type Made } from './making.ts'

export interface IntakesToMake {
  readonly replicas: number
  readonly intakes: number
}

/** Makes each with the queue of that era, where it is not there yet. */
export async function makeIntakes(
  requests: Requests,
  place: Place,
  { replicas, intakes }: IntakesToMake,
  first: (index: number) => Promise<number> = () => Promise.resolve(1),
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (let index = 0; index < intakes; index += 1) {
    const name = intakeName(place.realm, index)
    const wanted = intakeStream(place.realm, index, { replicas, intakes })
    made.push(await makeStream(requests, name, wanted, demandConfig))
    if ((await queueInfo(requests, name, intakeQueue(place.era))) !== null) continue
    const config = intakeQueueConfig(place, index, await first(index))
    const body = { stream_name: name, config, action: 'create' }
    await operate(requests, `CONSUMER.DURABLE.CREATE.${name}.${intakeQueue(place.era)}`, body)
  }
  return made
}

/** How many intakes there are; none yet in a realm that was made before there were any. */
export async function intakesOf(requests: Requests, realm: string): Promise<number> {
  const names = new Set(await streamNamesOf(requests))
  let count = 0
  while (names.has(intakeName(realm, count))) count += 1
  return count
}

/**
 * Lets the log of that era take in what speakers publish, from where the era before stopped, and
 * removes from the intakes what that one had taken. Resolves with false where it takes it already.
 */
export async function admit(requests: Requests, place: Place): Promise<boolean> {
  const { log } = streamNames(place)
  const { realm, era } = place
  const { config } = await demanded(requests, log)
  if (config['sealed'] === true || takesFromSpeakers(place, config)) return false
  const sealed = { realm, era: era - 1 }
  const isNew = config['sources'] === undefined
  if (isNew) {
    const replicas = Number(config['num_replicas'])
    const intakes = (await intakesOf(requests, realm)) || intakesMax
    const first = (index: number): Promise<number> => firstUntaken(requests, sealed, index)
    await makeIntakes(requests, place, { replicas, intakes }, first)
    const sources = sourcesOf(place, intakes)
    await operate(requests, `STREAM.UPDATE.${log}`, { ...config, sources })
  }
  if (era > 1) await removeTaken(requests, sealed)
  return isNew
}

/** What the log of an era that is sealed has taken, under names of its own, and its queues. */
async function removeTaken(requests: Requests, sealed: Place): Promise<void> {
  const intakes = await intakesOf(requests, sealed.realm)
  for (let index = 0; index < intakes; index += 1) {
    const stream = intakeName(sealed.realm, index)
    const seq = startOf(await queueInfo(requests, stream, intakeQueue(sealed.era + 1)))
    if (seq > 1) await operate(requests, `STREAM.PURGE.${stream}`, { seq })
    const subject = `CONSUMER.DELETE.${stream}.${intakeQueue(sealed.era)}`
    await operate(requests, subject, undefined, [problems.queueMissing])
  }
}

/**
 * The position in the intake of the first message that the sealed log of that era has not. A log
 * takes them in order, so it is found by halving.
 */
async function firstUntaken(requests: Requests, sealed: Place, index: number): Promise<number> {
  const stream = intakeName(sealed.realm, index)
  const info = await streamInfo(requests, stream)
  assert(info !== null, 'the intake is there')
  const queue = await queueInfo(requests, stream, intakeQueue(sealed.era))
  let first = Math.max(info.state.first_seq, startOf(queue))
  let end = info.state.last_seq + 1
  while (first < end) {
    const middle = Math.floor((first + end) / 2)
    if (await isTaken(requests, sealed, stream, middle)) first = middle + 1
    else end = middle
  }
  return first
}

function startOf(queue: QueueInfo | null): number {
  return Number(queue?.config['opt_start_seq'] ?? 1)
}

async function isTaken(
  requests: Requests,
  { realm, era }: Place,
  stream: string,
  position: number,
): Promise<boolean> {
  const found = await messageOf(requests, stream, { seq: position })
  // What an operator removed from the intake was taken before.
  if (found === null) return true
  const [, , , ...rest] = found.name.split('.')
  const name = [realm, String(era), ...rest].join('.')
  const { log } = streamNames({ realm, era })
  return (await messageOf(requests, log, { last_by_subj: name })) !== null
}
