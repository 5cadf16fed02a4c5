// What an operator does with the streams in which speakers' messages are taken in: makes them, lets
// the log of an era source them from where the one before stopped, and removes what it had taken.
import { assert, Fault } from '#record/fault'
import { cellIn, controlPlace, type Place } from '#record/names'
import { messageOf, operate, streamInfo, streamNamesOf, type StreamInfo } from '../nats/api.ts'
import { erasOf } from '../nats/eras.ts'
import {
  intakeName,
  intakeQueue,
  intakeQueueConfig,
  intakesBeside,
  intakesMax,
  hasWildcard,
  isIntake,
  mayBeLeftOut,
  sourcesOf,
  takesTurns,
} from '../nats/intake.ts'
import type { Requests } from '../nats/requests.ts'
import {
  controlShapes,
  controlSource,
  intakesIn,
  intakeStream,
  streamNames,
  takesFromSpeakers,
  type StreamConfig,
} from '../nats/stream.ts'
import { demandConfig } from '../nats/wholeness.ts'
import { demandedEra, makeStream, type Made } from './making.ts'

export interface IntakesToMake {
  readonly replicas: number
  readonly intakes: number
}

/** Makes each where it is not there yet, with its queue where the log takes them in turns. */
export async function makeIntakes(
  requests: Requests,
  realm: string,
  { replicas, intakes }: IntakesToMake,
): Promise<readonly Made[]> {
  const made: Made[] = []
  const log = intakes === 0 ? null : await newestLog(requests, realm)
  for (let index = 0; index < intakes; index += 1) {
    const name = intakeName(realm, index)
    const wanted = intakeStream(realm, index, { replicas, intakes })
    const first = beginningIn(log, name)
    const begun = { ...wanted, ...(first > 1 && { first_seq: first }) }
    made.push(await makeStream(requests, name, begun, demandIntake))
    if (!takesTurns(replicas)) continue
    const body = { stream_name: name, config: intakeQueueConfig(realm, index), action: 'create' }
    await operate(requests, `CONSUMER.DURABLE.CREATE.${name}.${intakeQueue}`, body)
  }
  return made
}

// One that was made again begins behind what the log has of the one before.
function demandIntake(name: string, wanted: StreamConfig, found: StreamConfig): void {
  demandConfig(name, withoutFirst(wanted), withoutFirst(found))
}

function withoutFirst({ first_seq: _first, ...config }: StreamConfig): StreamConfig {
  return config
}

/**
 * How many intakes there are to be; none yet in a realm that was made before there were any. The
 * log's sources say it, and each intake by what it takes: one that is gone is counted all the same.
 */
export async function intakesOf(requests: Requests, realm: string): Promise<number> {
  const sourced = intakesIn(realm, (await newestLog(requests, realm))?.config ?? {})
  if (sourced > 0) return sourced
  const names = (await streamNamesOf(requests)).filter((name) => isIntake(realm, name))
  for (const name of names) {
    const info = await streamInfo(requests, name)
    const count = intakesBeside(info?.config['subjects'])
    if (count > 0) return count
  }
  return 0
}

async function newestLog(requests: Requests, realm: string): Promise<StreamInfo | null> {
  const era = (await erasOf(requests, realm)).at(-1)
  return era === undefined ? null : streamInfo(requests, streamNames({ realm, era }).log)
}

/**
 * Where an intake that is made again begins: behind what the log has of the one that is gone, or
 * the server would pass over as much of what comes.
 */
function beginningIn(log: StreamInfo | null, name: string): number {
  const claimed = log?.sources.find((source) => source.name === name)?.seq ?? 0
  return claimed < claimedMax ? claimed + 1 : 1
}

/** No intake took so many: who knows the server can have a log claim it. */
const claimedMax = 1_000_000_000_000

/**
 * Removes from the intakes what the era before has taken, and lets the log of that era take in the
 * rest. Resolves with false where it takes it already.
 */
export async function admit(requests: Requests, place: Place): Promise<boolean> {
  const { log } = streamNames(place)
  const { realm, era } = place
  const { config } = await demandedEra(requests, place)
  if (config['sealed'] === true || takesFromSpeakers(place, config)) return false
  if (config['sources'] !== undefined) return false
  const replicas = Number(config['num_replicas'])
  const inTurns = takesTurns(replicas)
  const intakes = (await intakesOf(requests, realm)) || intakesMax
  await makeIntakes(requests, realm, { replicas, intakes })
  const sealed = { realm, era: era - 1 }
  const from: number[] = []
  for (let index = 0; index < intakes; index += 1) {
    const name = intakeName(realm, index)
    const seq = await firstUntaken(requests, sealed, index)
    if (seq > 1) await operate(requests, `STREAM.PURGE.${name}`, { seq })
    if (inTurns) await operate(requests, `CONSUMER.RESET.${name}.${intakeQueue}`, { seq })
    from.push(seq)
  }
  const shared =
    cellIn(realm) === null ? [] : [controlSource(place, await controlUntaken(requests, sealed))]
  const sources = [...shared, ...sourcesOf(place, from, inTurns)]
  return operate(requests, `STREAM.UPDATE.${log}`, { ...config, sources })
}

/**
 * The position in the intake of the first message that the sealed log of that era has yet to take.
 * A log takes them in order, so it is found by halving; what it may have left out shows nothing.
 */
async function firstUntaken(requests: Requests, sealed: Place, index: number): Promise<number> {
  const stream = intakeName(sealed.realm, index)
  const info = await streamInfo(requests, stream)
  assert(info !== null, 'the intake is there')
  let first = Math.max(info.state.first_seq, 1)
  let end = info.state.last_seq + 1
  while (first < end) {
    const middle = Math.floor((first + end) / 2)
    let at = middle
    let taken = await isTaken(requests, sealed, stream, at)
    while (taken === null && at + 1 < end)
      taken = await isTaken(requests, sealed, stream, (at += 1))
    if (taken === true) first = at + 1
    else end = middle
  }
  return first
}

/** Null where that cannot be known by it, or where it would be left out in any case. */
async function isTaken(
  requests: Requests,
  { realm, era }: Place,
  stream: string,
  position: number,
): Promise<boolean | null> {
  const found = await messageOf(requests, stream, { seq: position })
  // What is not there was removed by an operator.
  if (found === null || hasWildcard(found.name)) return null
  const [, , , ...rest] = found.name.split('.')
  const name = [realm, String(era), ...rest].join('.')
  const { log } = streamNames({ realm, era })
  if ((await messageOf(requests, log, { last_by_subj: name })) !== null) return true
  return mayBeLeftOut(found.name, found.header) ? null : false
}

/**
 * The position in the control log of the first fact that the cell's logs do not have, up to that
 * era: what stands before it was sourced by one of them. Throws a Fault `no_log` where an era is
 * gone that would show it: what all share must come into a cell once.
 */
async function controlUntaken(requests: Requests, { realm, era }: Place): Promise<number> {
  const control = streamNames(controlPlace(realm)).log
  let last = 0
  for (let before = era; before > 0 && last === 0; before -= 1) {
    const { log } = streamNames({ realm, era: before })
    if ((await streamInfo(requests, log)) === null) {
      const what = `the stream \`${log}\` shows from where the next era goes on, and is gone`
      throw new Fault('no_log', `${what}: restore it from its archive`)
    }
    for (const shape of controlShapes({ realm, era: before })) {
      const fact = await messageOf(requests, log, { last_by_subj: shape })
      if (fact === null) continue
      const there = await messageOf(requests, control, { last_by_subj: fact.name })
      last = Math.max(last, there?.position ?? 0)
    }
  }
  return last + 1
}
