// What only an operator's own credential may do: make the stream of an era with its mirror and
// queues, and seal it. It never changes nor removes what is there; a difference is refused.
import { Fault } from '#record/fault'
import type { Place } from '#record/names'
import type { NatsAccess } from '../nats/access.ts'
import { operate, queueInfo, type StreamInfo } from '../nats/api.ts'
import { intakesMax } from '../nats/intake.ts'
import { NatsLink } from '../nats/link.ts'
import { problems } from '../nats/problems.ts'
import { Requests } from '../nats/requests.ts'
import { intakesOf, makeIntakes } from './intakes.ts'
import { demanded, demandedEra, makeStream, type Demand, type Made } from './making.ts'
import { allMirrors, apiOfMirror, type MirrorOf } from '../nats-config/mirror.ts'
import { demandConfig, demandMirror, limitsFollowers, queueNamesIn } from '../nats/wholeness.ts'
import { logLike, logStream, mirrorStream, queueConfig, streamNames } from '../nats/stream.ts'
import type { StreamConfig, StreamOptions } from '../nats/stream.ts'

export interface Queue {
  readonly name: string
  readonly names: readonly string[]
}

export interface LogToMake extends StreamOptions {
  readonly queues: readonly Queue[]
  readonly ackWaitMs?: number
}

/** Where a mirror is, and whose: everyone's on a server without accounts. */
export interface MirrorPlace {
  readonly of: MirrorOf | 'everyone'
  readonly requests: Requests
}

/** An operator's connections: where the log is, and where its mirrors are. */
export interface Operator {
  readonly atLog: Requests
  readonly mirrors: readonly MirrorPlace[]
  close(): Promise<void>
}

/**
 * With an nkey the server has the accounts of `warrant nats-config`, where the mirrors are apart;
 * without one it has none.
 */
export async function openOperator(access: NatsAccess): Promise<Operator> {
  // Where the streams are an operator is at home, and needs no account's imports.
  const open = async (api: string): Promise<Requests> =>
    new Requests(await NatsLink.open({ ...access, api }))
  const atLog = await open('$JS.API')
  const mirrors: MirrorPlace[] = []
  if (access.nkeyFile === undefined) mirrors.push({ of: 'everyone', requests: atLog })
  else for (const of of allMirrors) mirrors.push({ of, requests: await open(apiOfMirror(of)) })
  const close = async (): Promise<void> => {
    for (const requests of new Set([atLog, ...mirrors.map(({ requests: at }) => at)])) {
      requests.close()
      await requests.link.close()
    }
  }
  return { atLog, mirrors, close }
}

/** Makes the stream, its mirrors and its queues, each where it is not there yet. */
export async function makeLog(
  requests: Requests,
  place: Place,
  options: LogToMake,
  mirrors: readonly MirrorPlace[] = [{ of: 'everyone', requests }],
): Promise<readonly Made[]> {
  const { replicas, subjects } = options
  const intakes = await intakesFor(requests, place.realm, options)
  const made = [...(await makeIntakes(requests, place.realm, { replicas, intakes }))]
  const wanted = logStream(place, { ...options, intakes })
  const { log } = streamNames(place)
  const demand: Demand = (name, _, found) =>
    demandConfig(name, subjects === undefined ? logLike(place, found) : wanted, found)
  made.push(await makeStream(requests, log, wanted, demand))
  made.push(...(await makeMirrors(mirrors, place, options)))
  for (const queue of options.queues)
    made.push(await makeQueue(requests, log, queue, options.ackWaitMs))
  return made
}

/** As many as there are; a log of other names has none. */
async function intakesFor(
  requests: Requests,
  realm: string,
  { subjects, isControl, intakes = subjects === undefined ? intakesMax : 0 }: LogToMake,
): Promise<number> {
  if (isControl === true) return 0
  return intakes === 0 ? 0 : (await intakesOf(requests, realm)) || intakes
}

/** Makes the mirrors of an era, each where it is not there yet. */
export async function makeMirrors(
  mirrors: readonly MirrorPlace[],
  place: Place,
  options: StreamOptions,
): Promise<readonly Made[]> {
  const { mirror } = streamNames(place)
  const made: Made[] = []
  for (const { of, requests } of mirrors) {
    const mirrorApart = of !== 'everyone'
    const wanted = mirrorStream(place, { ...options, mirrorApart })
    const { isNew } = await makeStream(requests, mirror, wanted, demandLimited)
    made.push({ name: mirrorApart ? `${mirror} of ${of}` : mirror, isNew })
  }
  return made
}

/** Removes the mirrors of an era: they hold nothing of their own, and followers find the next. */
export async function removeMirrors(mirrors: readonly MirrorPlace[], place: Place): Promise<void> {
  for (const { requests } of mirrors) {
    const subject = `STREAM.DELETE.${streamNames(place).mirror}`
    await operate(requests, subject, undefined, [problems.streamMissing])
  }
}

// A start goes on with a mirror that does not limit followers yet; making one does not.
function demandLimited(stream: string, wanted: StreamConfig, found: StreamConfig): void {
  demandMirror(stream, wanted, found)
  if (limitsFollowers(found)) return
  const fix = 'make it again: `warrant nats init --remake-mirrors`'
  throw new Fault('log_differs', `the mirror \`${stream}\` keeps followers for ever: ${fix}`)
}

/** Seals the era: it takes no fact any more, for ever. Resolves with what it holds. */
export async function sealLog(requests: Requests, place: Place): Promise<StreamInfo> {
  const { log } = streamNames(place)
  const before = await demandedEra(requests, place)
  if (before.config['sealed'] !== true) {
    const { sources: _sources, ...config } = before.config
    await operate(requests, `STREAM.UPDATE.${log}`, { ...config, sealed: true })
  }
  return demanded(requests, log)
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
