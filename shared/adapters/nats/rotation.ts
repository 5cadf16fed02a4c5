// Turns an era on a NATS server by an operator's credential: the stream that is sealed takes nothing
// any more, and the next is made as the one before was.
import { assert } from '#core/fault'
import type { Place } from '#core/names'
import type { Rotation } from '#ports/rotation'
import type { NatsAccess } from './access.ts'
import { queueInfo, queueNamesOf, streamInfo } from './api.ts'
import { makeLog, openOperator, sealLog, type Operator, type Queue } from './operator.ts'
import type { Requests } from './requests.ts'
import { streamNames } from './stream.ts'
import { queueNamesIn } from './wholeness.ts'

const nanosecondsPerMs = 1_000_000

export function natsRotation(access: NatsAccess): Rotation {
  const asOperator = async <T>(work: (operator: Operator) => Promise<T>): Promise<T> => {
    const operator = await openOperator(access)
    try {
      return await work(operator)
    } finally {
      await operator.close()
    }
  }
  return {
    seal: (place) =>
      asOperator(async ({ atLog }) => {
        const { state } = await sealLog(atLog, place)
        return { position: state.last_seq }
      }),
    open: (place, first) => asOperator((operator) => openEra(operator, place, first)),
  }
}

async function openEra(operator: Operator, place: Place, first: number): Promise<void> {
  const { atLog, atMirror } = operator
  const before = { ...place, era: place.era - 1 }
  const info = await streamInfo(atLog, streamNames(before).log)
  assert(info !== null, 'the era before is there')
  const replicas = Number(info.config['num_replicas'])
  const { queues, ackWaitMs } = await queuesOf(atLog, before, place)
  await makeLog(atLog, place, { replicas, queues, ackWaitMs, first }, atMirror)
}

/** The queues of an era as the next has them. */
async function queuesOf(
  requests: Requests,
  before: Place,
  place: Place,
): Promise<{ readonly queues: readonly Queue[]; readonly ackWaitMs: number }> {
  const { log } = streamNames(before)
  const queues: Queue[] = []
  let ackWaitMs = 0
  for (const name of await queueNamesOf(requests, log)) {
    const info = await queueInfo(requests, log, name)
    if (info === null) continue
    ackWaitMs = info.config.ack_wait / nanosecondsPerMs
    queues.push({ name, names: queueNamesIn(info).map((one) => inEra(one, place)) })
  }
  return { queues, ackWaitMs }
}

function inEra(name: string, { realm, era }: Place): string {
  return [realm, String(era), ...name.split('.').slice(2)].join('.')
}
