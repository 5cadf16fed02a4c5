// What there is to see of the streams that take in what speakers publish, and which of them stand
// still: the log takes nothing of such a one for a while, and messages wait.
import { setTimeout as sleep } from 'node:timers/promises'
import { cellIn, controlPlace, type Place } from '#record/names'
import {
  look,
  messageOf,
  queueInfo,
  streamInfo,
  type QueueInfo,
  type Seen,
  type StreamInfo,
} from '../nats/api.ts'
import {
  intakeQueue,
  isInTurn,
  laneOf,
  lanePattern,
  mayBeLeftOut,
  sourceName,
  takenOf,
  type Lane,
  type Taken,
} from '../nats/intake.ts'
import type { Requests } from '../nats/requests.ts'
import { streamNames } from '../nats/stream.ts'
import { isStalled } from './stalled.ts'

/** A stream in which speakers' messages are taken in. */
export interface IntakeSeen {
  readonly name: string
  readonly info: Seen<StreamInfo>
  /** Up to which position the log says that it has taken it, before it was looked at. */
  readonly claimed: number
  /** The queues by which the log takes it in its turn; none where it takes what arrives. */
  readonly queues: readonly LaneSeen[]
  /** Null where the log takes what comes. */
  readonly standing: StandingSeen | null
}

/** The queue of a lane. */
export interface LaneSeen {
  readonly lane: Lane
  readonly queue: Seen<QueueInfo>
}

/** What all cells share, as the log of a cell sources it. */
export interface SharedSeen {
  /** The control log's stream. */
  readonly name: string
  readonly info: Seen<StreamInfo>
  readonly claimed: number
}

export interface StandingSeen {
  /** The subjects of the lane that stands. */
  readonly subjects: string
  /** The log has everything up to this position, and nothing after it. */
  readonly taken: number
  /** How many messages stand after it, at most. */
  readonly waiting: number
  /** False where this credential may not see whether they are such as a log leaves out. */
  readonly isSure: boolean
  /** Whether no message is to blame: its queue counts as under way what the log has. */
  readonly isStalled: boolean
}

/** A log that has other intakes to take first, or whose server started, takes that long. */
export const standsMs = 10_000
const lookEveryMs = 500
/** After so many that the log may have left out, no more are looked at. */
const leftOutMax = 1_000

/** Looks again at each of which something waits, until the log has taken from it. */
export async function inspectIntakes(
  requests: Requests,
  place: Place,
): Promise<readonly IntakeSeen[]> {
  // INVARIANT: asked before the intakes are, so what is taken already is never ahead of them.
  const log = await look(() => streamInfo(requests, streamNames(place).log))
  const before = seenTaken(place, log)
  const config = log.is === 'there' ? log.value.config : {}
  const seen: IntakeSeen[] = []
  const standing = new Map<Taken, StandingSeen>()
  for (const name of new Set(before.map((one) => one.name))) {
    const lanes = before.filter((one) => one.name === name)
    const info = await look(() => streamInfo(requests, name))
    const queues: LaneSeen[] = []
    for (const lane of queuedIn(config, name)) {
      queues.push({ lane, queue: await look(() => queueInfo(requests, name, intakeQueue(lane))) })
    }
    const claimed = Math.max(...lanes.map(({ seq }) => seq))
    seen.push({ name, info, claimed, queues, standing: null })
    if (info.is !== 'there') continue
    for (const lane of lanes) {
      const waiting = await waitingIn(requests, place, info.value, { ...lane, claimed })
      if (waiting !== null) standing.set(lane, waiting)
    }
  }
  const end = performance.now() + standsMs
  while (standing.size > 0 && performance.now() < end) {
    await sleep(lookEveryMs)
    const moved = (await takenIn(requests, place)).filter((now) => {
      return before.some((then) => isSameLane(then, now) && then.seq !== now.seq)
    })
    for (const [one, { isSure }] of standing) {
      // Who sees no lane sees only whether the log goes on with the intake.
      if (moved.some((now) => (isSure ? isSameLane(one, now) : one.name === now.name))) {
        standing.delete(one)
      }
    }
  }
  for (const [lane, stands] of standing) {
    standing.set(lane, { ...stands, isStalled: await standsByQueue(requests, lane) })
  }
  return seen
    .map((one) => {
      const [stands] = [...standing].filter(([{ name }]) => name === one.name)
      return { ...one, standing: stands?.[1] ?? null }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** False, too, where this credential may not see the queue. */
async function standsByQueue(requests: Requests, { name, lane, seq }: Taken): Promise<boolean> {
  const queue = await look(() => queueInfo(requests, name, intakeQueue(lane)))
  return queue.is === 'there' && isStalled(queue.value, seq)
}

function isSameLane(one: Taken, other: Taken): boolean {
  return one.name === other.name && one.lane === other.lane
}

/**
 * How far the log of that era has taken each intake; one that it does not take is not in it. What a
 * source says of its lag is no help: it does not count the message that it is tried with.
 */
async function takenIn(requests: Requests, place: Place): Promise<readonly Taken[]> {
  return seenTaken(place, await look(() => streamInfo(requests, streamNames(place).log)))
}

function seenTaken(place: Place, log: Seen<StreamInfo>): readonly Taken[] {
  return log.is === 'there' ? takenOf(place, log.value) : []
}

/** The lanes of that intake that the log takes by a queue. */
function queuedIn({ sources }: StreamInfo['config'], name: string): readonly Lane[] {
  if (!Array.isArray(sources)) return []
  return sources.filter((one) => isInTurn(one) && sourceName(one) === name).map(laneOf)
}

/** The control log that a cell sources; null for any other log. */
export async function inspectShared(requests: Requests, place: Place): Promise<SharedSeen | null> {
  if (cellIn(place.realm) === null) return null
  const { log: name } = streamNames(controlPlace(place.realm))
  // INVARIANT: the cell is asked before the control log is, so it never has more of it.
  const log = await look(() => streamInfo(requests, streamNames(place).log))
  const source = log.is === 'there' ? log.value.sources.find((one) => one.name === name) : undefined
  if (source === undefined) return null
  return { name, claimed: source.seq, info: await look(() => streamInfo(requests, name)) }
}

/**
 * What the log has yet to take of that lane; null where there is nothing. A credential that may not
 * see whose messages these are sees what is behind all that was taken of the intake.
 */
async function waitingIn(
  requests: Requests,
  { realm }: Place,
  { config, state }: StreamInfo,
  { lane, seq, claimed }: Taken & { readonly claimed: number },
): Promise<StandingSeen | null> {
  // Before its first, an era has nothing of what the one before took and was removed.
  const taken = Math.max(seq, state.first_seq - 1)
  // Of all its lanes: only an operator could count those of one.
  const waiting = state.last_seq - taken
  if (waiting <= 0) return null
  const stream = String(config['name'])
  const next_by_subj = lanePattern(realm, lane)
  const none = { subjects: next_by_subj, isStalled: false }
  for (let [at, looked] = [taken + 1, 0]; looked < leftOutMax; looked += 1) {
    const found = await look(() => messageOf(requests, stream, { seq: at, next_by_subj }))
    if (found.is === 'hidden') {
      const behind = { taken: Math.max(claimed, taken), isSure: false }
      const more = state.last_seq - behind.taken
      return more > 0 ? { ...none, ...behind, waiting: more } : null
    }
    if (found.is === 'missing') return null
    const { name, header, position } = found.value
    if (!mayBeLeftOut(name, header)) return { ...none, taken, waiting, isSure: true }
    at = position + 1
  }
  return { ...none, taken, waiting, isSure: false }
}
