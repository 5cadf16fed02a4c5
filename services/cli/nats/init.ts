// Makes a log on a NATS server by an operator's credential, and says what it made.
import { configuration } from '#runtime/wiring/config'
import { makeLog, openOperator, type Made } from '#adapters/nats-admin/operator'
import { erasOf } from '#adapters/nats/eras'
import type { Place } from '#core/kernel/names'
import { findLog, isRemote, natsAccess } from '#runtime/logs/log-url'
import { jobsOf } from '#runtime/engine/era-watch'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'

export interface NatsInitOptions extends GlobalOptions {
  readonly replicas: number
  readonly ackWait: number
}

const replicasKnown = [1, 3, 5]

export async function natsInit(options: NatsInitOptions): Promise<number> {
  const { replicas, ackWait, realm } = options
  if (!replicasKnown.includes(replicas)) throw usage('--replicas is 1, 3 or 5')
  if (ackWait < 1_000) throw usage('--ack-wait is a second or more')
  const place = findLog(options.log, configuration())
  if (!isRemote(place)) throw usage('give the server: --log nats://host:port')
  const operator = await openOperator(natsAccess(place))
  try {
    // What an earlier era is, it stays: only the newest is looked at again.
    const eras = await erasOf(operator.atLog, realm)
    const newest = { realm, era: eras.at(-1) ?? 1 }
    const wanted = { replicas, queues: queuesIn(newest), ackWaitMs: ackWait }
    const made = await makeLog(operator.atLog, newest, wanted, operator.atMirror)
    if (options.json === true) await printJson({ log: place.url, made })
    else await report(made, place.url)
  } finally {
    await operator.close()
  }
  return exitCodes.yes
}

/** One queue a stage. */
function queuesIn(place: Place) {
  return stages.map((stage) => {
    const { queue, names } = jobsOf(stage, place)
    return { name: queue, names }
  })
}

async function report(made: readonly Made[], url: string): Promise<void> {
  const lines = made.map(({ name, isNew }) => `  ${name}${isNew ? '' : '   (was there)'}`)
  await print([
    `The log on ${url}:`,
    ...lines,
    '',
    'Now run the stages: warrant up',
    'and begin it: warrant seed, which prints its identity and its root key for all to pin',
  ])
}
