// Queues of intakes that a server which died leaves standing for ever, and what releases them. Of
// such a queue the server gives once more what the log has, up to as much as may be under way; what
// it gives beyond that it counts as under way and never clears (nats-server 2.15.2). It must never
// lose a message: the log has what is counted, and what waits is in the intake.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '#record/names'
import { operate, queueInfo, streamInfo, type QueueInfo } from '../nats/api.ts'
import { intakeQueue, takenOf, type Lane } from '../nats/intake.ts'
import type { Requests } from '../nats/requests.ts'
import { streamNames } from '../nats/stream.ts'

/** A queue that works looks like one that stands for as long as an acknowledgement takes. */
const settleMs = 3_000
/** So many are asked for at once. */
const atOnceMax = 16

/** Whether as much counts as under way as may be, and the log has all of it. */
export function isStalled(
  { config, delivered, num_ack_pending }: QueueInfo,
  taken: number,
): boolean {
  const { max_ack_pending: most = 0 } = config
  return most > 0 && num_ack_pending >= most && delivered.stream_seq <= taken
}

interface Stalled {
  readonly intake: string
  readonly lane: Lane
  readonly delivered: number
}

/** Releases them, and gives their names: of the intake and, behind a space, of the queue. */
export async function releaseStalled(requests: Requests, place: Place): Promise<readonly string[]> {
  const before = await stalledAt(requests, place)
  if (before.length === 0) return []
  await sleep(settleMs)
  const same = (await stalledAt(requests, place)).filter((now) =>
    before.some((then) => nameOf(then) === nameOf(now) && then.delivered === now.delivered),
  )
  for (const { intake, lane } of same) {
    // Without a position it goes back to what was acknowledged, which the log has.
    await operate(requests, `CONSUMER.RESET.${intake}.${intakeQueue(lane)}`, {})
  }
  return same.map(nameOf)
}

async function stalledAt(requests: Requests, place: Place): Promise<readonly Stalled[]> {
  const info = await streamInfo(requests, streamNames(place).log)
  const taken = info === null ? [] : takenOf(place, info)
  const found: Stalled[] = []
  for (let from = 0; from < taken.length; from += atOnceMax) {
    const some = taken.slice(from, from + atOnceMax).map(async ({ name, lane, seq }) => {
      const queue = await queueInfo(requests, name, intakeQueue(lane))
      if (queue === null || !isStalled(queue, seq)) return
      found.push({ intake: name, lane, delivered: queue.delivered.stream_seq })
    })
    await Promise.all(some)
  }
  return found
}

function nameOf({ intake, lane }: Stalled): string {
  return `${intake} ${intakeQueue(lane)}`
}
