// Makes the intakes of a realm what they are in one that is made today, while no log takes them: an
// earlier version may have made fewer, and none with lanes. What was acknowledged stays taken in.
import { setTimeout as sleep } from 'node:timers/promises'
import { ackIn, messagesFrom, operate, streamInfo } from '../nats/api.ts'
import type { Stored } from '../nats/message.ts'
import {
  hasWildcard,
  intakeName,
  intakeQueue,
  intakesMax,
  lanePattern,
  lanesOf,
  publishedSubject,
  shards,
  unlanedPatterns,
} from '../nats/intake.ts'
import { apiFault, isNameBound, isOverload, problems } from '../nats/problems.ts'
import type { Requests } from '../nats/requests.ts'
import { intakeStream, type StreamConfig } from '../nats/stream.ts'
import { differencesIn } from '../nats/wholeness.ts'

interface Layout {
  readonly replicas: number
  readonly isLaned: boolean
}

/** Gives those that are there the subjects and lanes that they are to have; more may follow. */
export async function layOut(
  requests: Requests,
  realm: string,
  count: number,
  { replicas, isLaned }: Layout,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const stream = intakeName(realm, index)
    const info = await streamInfo(requests, stream)
    if (info === null) continue
    const made = intakeStream(realm, index, { replicas, intakes: intakesMax, isLaned })
    const { subjects, subject_transform } = made
    if (differencesIn(laidIn(made), laidIn(info.config)).length === 0) continue
    // Of the other layout, and the sealed log no longer takes anything by them.
    for (const lane of lanesOf(!isLaned)) {
      const queue = `CONSUMER.DELETE.${stream}.${intakeQueue(lane)}`
      await operate(requests, queue, undefined, [problems.queueMissing])
    }
    const wanted = { ...info.config, subjects, subject_transform }
    await operate(requests, `STREAM.UPDATE.${stream}`, wanted)
  }
}

function laidIn({ subjects, subject_transform }: StreamConfig): StreamConfig {
  return { subjects, subject_transform }
}

/** Moves what that intake holds and another is to hold, or is to stand in a lane, or in none. */
export async function moveOver(
  requests: Requests,
  realm: string,
  index: number,
  { isLaned }: Layout,
): Promise<void> {
  const stream = intakeName(realm, index)
  // It takes one after the other: what was on its way as it changed is stored now.
  const last = [realm, 'in', shards[index], 'vlp', 'none', 'none', 'none'].join('.')
  await requests.send(last, '', { 'Nats-Expected-Stream': 'NONE' })
  const misplaced = [
    ...shards
      .filter((_, shard) => shard % intakesMax !== index)
      .map((shard) => `${realm}.in.${shard}.>`),
    ...(isLaned ? unlanedPatterns(realm) : lanesOf(true).map((lane) => lanePattern(realm, lane))),
  ]
  for (const filter of misplaced) {
    let seq = 1
    for (;;) {
      const which = { seq, next_by_subj: filter, batch: movedTogether }
      const found = await messagesFrom(requests, stream, which)
      const end = found.at(-1)
      if (end === undefined) break
      await Promise.all(found.map((one) => publishedAgain(requests, one)))
      seq = end.position + 1
    }
    // With what is no literal subject: it has no lane, so no log takes it.
    if (seq > 1) await operate(requests, `STREAM.PURGE.${stream}`, { filter, seq })
  }
}

const movedTogether = 64
const pauseMs = 100

/** Publishes it as its speaker did; where it is bound already, as by a try before, it stays so. */
async function publishedAgain(requests: Requests, { name, bytes }: Stored): Promise<void> {
  if (hasWildcard(name)) return
  const { subject } = publishedSubject(name)
  for (;;) {
    const { error } = ackIn(await requests.send(subject, bytes))
    if (error === undefined || isNameBound(error)) return
    if (!isOverload(error)) throw apiFault(subject, error)
    await sleep(pauseMs)
  }
}
