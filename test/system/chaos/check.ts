// What must hold of a log beside its counts: no stream has lost a fact, and a replay of all of it
// derives every fact of a stage again.
import { threadCallbacks } from '#runtime/callbacks/thread'
import { jetStreamLog } from '#log/jetstream/log'
import { queueInfo, queueNamesOf, streamInfo, streamNamesOf } from '#log/nats/api'
import { NatsLink } from '#log/nats/link'
import { streamNames } from '#log/nats/stream'
import { missingIn } from '#log/nats/wholeness'
import type { Place } from '#record/names'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { asOperator } from '../../support/servers/as-operator.ts'
import { place } from '../../support/scene.ts'

/** Of the log and of what takes in for it; mirrors hold copies. */
const counted = /^(LOG|INTAKE)-/

/** What is missing in the streams, in words. */
export function missingInStreams(url: string): Promise<readonly string[]> {
  return asOperator(url, async (requests) => {
    const missing: string[] = []
    for (const name of (await streamNamesOf(requests)).filter((one) => counted.test(one))) {
      const info = await streamInfo(requests, name)
      const why = info === null ? 'it is gone' : missingIn(info)
      if (why !== null) missing.push(`${name}: ${why}`)
    }
    return missing
  })
}

/** Whether no queue of that era has a job left, out or waiting. */
export function isWorked(url: string, at: Place): Promise<boolean> {
  return asOperator(url, async (requests) => {
    const { log } = streamNames(at)
    for (const name of await queueNamesOf(requests, log)) {
      const queue = await queueInfo(requests, log, name)
      if (queue !== null && queue.num_pending + queue.num_ack_pending > 0) return false
    }
    return true
  })
}

/** What a replay finds, in words; `voidsWanted` facts count for nothing, as they must. */
export async function foundByReplay(url: string, voidsWanted: number): Promise<readonly string[]> {
  const log = await jetStreamLog(await NatsLink.open({ servers: url }), { realm: place.realm })
  const callbacks = threadCallbacks(() => Promise.resolve(null))
  try {
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    const { differences, unchecked, voidCount, open, findings } = report
    const counts = { differences, unchecked, open, voids: voidCount - voidsWanted }
    return Object.entries({ ...counts, ...findings.counts })
      .filter(([, count]) => count !== 0)
      .map(([what, count]) => `${count} ${what}`)
  } finally {
    await log.close()
    await callbacks.close()
  }
}
