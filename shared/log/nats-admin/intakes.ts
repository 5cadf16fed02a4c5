// What an operator does with the streams in which speakers' messages are taken in: makes them, lets
// the log of an era source them from where the one before stopped, and removes what it had taken.
import { Fault } from '#record/fault'
import { cellIn, controlPlace, type Place } from '#record/names'
import {
  messageOf,
  operate,
  streamInfo,
  streamNamesOf,
  type Sent,
  type StreamInfo,
} from '../nats/api.ts'
import { erasOf } from '../nats/eras.ts'
import {
  intakeName,
  intakeQueue,
  intakeQueueConfig,
  intakesBeside,
  intakesMax,
  hasWildcard,
  isIntake,
  lanePattern,
  lanesOf,
  mayBeLeftOut,
  publishedSubject,
  sourcesOf,
  takesTurns,
  unlanedPatterns,
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
import { layOut, moveOver } from './relaying.ts'
import { demanded, demandedEra, makeStream, type Made } from './making.ts'

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
  const isLaned = isLanedBy(realm, log, replicas)
  for (let index = 0; index < intakes; index += 1) {
    const name = intakeName(realm, index)
    const wanted = intakeStream(realm, index, { replicas, intakes, isLaned })
    const first = beginningIn(log, name)
    const begun = { ...wanted, ...(first > 1 && { first_seq: first }) }
    made.push(await makeStream(requests, name, begun, demandIntake))
    if (!takesTurns(replicas)) continue
    const making = lanesOf(isLaned).map((lane) => {
      const config = intakeQueueConfig(realm, index, lane)
      const body = { stream_name: name, config, action: 'create' }
      return operate(requests, `CONSUMER.DURABLE.CREATE.${name}.${intakeQueue(lane)}`, body)
    })
    await Promise.all(making)
  }
  return made
}

/** As the log takes them; where it takes none yet, as it is to. */
function isLanedBy(realm: string, log: StreamInfo | null, replicas: number): boolean {
  const { count, isLaned } = intakesIn(realm, log?.config ?? {})
  return count > 0 ? isLaned : takesTurns(replicas)
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
  const { count: sourced } = intakesIn(realm, (await newestLog(requests, realm))?.config ?? {})
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
  const own = log?.sources.filter((source) => source.name === name) ?? []
  const claimed = Math.max(0, ...own.map(({ seq }) => seq))
  return claimed < claimedMax ? claimed + 1 : 1
}

/** No intake took so many: who knows the server can have a log claim it. */
const claimedMax = 1_000_000_000_000

/**
 * Removes from the intakes what the era before has taken, makes them as they are made today, and
 * lets the log of that era take in the rest. Resolves with false where it takes it already.
 */
export async function admit(requests: Requests, place: Place): Promise<boolean> {
  const { log } = streamNames(place)
  const { realm, era } = place
  const { config } = await demandedEra(requests, place)
  if (config['sealed'] === true || takesFromSpeakers(place, config)) return false
  if (config['sources'] !== undefined) return false
  const replicas = Number(config['num_replicas'])
  const inTurns = takesTurns(replicas)
  const sealed = { realm, era: era - 1 }
  const before = await intakesOf(requests, realm)
  for (let index = 0; index < before; index += 1) await removeTaken(requests, sealed, index)
  const layout = { replicas, isLaned: inTurns }
  await layOut(requests, realm, before, layout)
  await makeIntakes(requests, realm, { replicas, intakes: intakesMax })
  for (let index = 0; index < before; index += 1) await moveOver(requests, realm, index, layout)
  const from: number[] = []
  for (let index = 0; index < intakesMax; index += 1) {
    const name = intakeName(realm, index)
    const { state } = await demanded(requests, name)
    const seq = Math.max(state.first_seq, 1)
    from.push(seq)
    if (!inTurns) continue
    const resetting = lanesOf(inTurns).map((lane) =>
      operate(requests, `CONSUMER.RESET.${name}.${intakeQueue(lane)}`, { seq }),
    )
    await Promise.all(resetting)
  }
  const shared =
    cellIn(realm) === null ? [] : [controlSource(place, await controlUntaken(requests, sealed))]
  const sources = [...shared, ...sourcesOf(place, { from, inTurns, isLaned: inTurns })]
  return operate(requests, `STREAM.UPDATE.${log}`, { ...config, sources })
}

/** Removes from that intake what the sealed log has taken; of each lane it took the first ones. */
async function removeTaken(requests: Requests, sealed: Place, index: number): Promise<void> {
  const stream = intakeName(sealed.realm, index)
  const info = await streamInfo(requests, stream)
  if (info === null || info.state.messages === 0) return
  const { realm } = sealed
  const isLaned = info.config['subject_transform'] !== undefined
  // Where it was interrupted before, it may hold what it took in without lanes as well.
  const filters = [
    ...lanesOf(isLaned).map((lane) => lanePattern(realm, lane)),
    ...(isLaned ? unlanedPatterns(realm) : []),
  ]
  const removing = filters.map(async (filter) => {
    const seq = await firstUntaken(requests, sealed, info, filter)
    if (seq > 1) await operate(requests, `STREAM.PURGE.${stream}`, { seq, filter })
  })
  await Promise.all(removing)
}

/**
 * The position in the intake of the first such message that the sealed log has yet to take. It took
 * those of a lane in order, so that is found by halving; what it may have left out shows nothing.
 */
async function firstUntaken(
  requests: Requests,
  sealed: Place,
  { config, state }: StreamInfo,
  next_by_subj: string,
): Promise<number> {
  const stream = String(config['name'])
  let first = Math.max(state.first_seq, 1)
  let end = state.last_seq + 1
  while (first < end) {
    const middle = Math.floor((first + end) / 2)
    let at = middle
    let taken: boolean | null = null
    while (taken === null && at < end) {
      const found = await messageOf(requests, stream, { seq: at, next_by_subj })
      at = found?.position ?? end
      if (found !== null && at < end) taken = await isTaken(requests, sealed, found)
      at += 1
    }
    if (taken === true) first = at
    else end = middle
  }
  return first
}

/** Null where that cannot be known by it, or where it would be left out in any case. */
async function isTaken(
  requests: Requests,
  { realm, era }: Place,
  found: Sent,
): Promise<boolean | null> {
  if (hasWildcard(found.name)) return null
  const [, , , ...rest] = publishedSubject(found.name).subject.split('.')
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
