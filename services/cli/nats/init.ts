// Makes a log on a NATS server by an operator's credential, and says what it made.
import { dirname, join } from 'node:path'
import { configuration } from '#runtime/wiring/config'
import {
  makeLog,
  makeMirrors,
  openOperator,
  removeMirrors,
  type Operator,
} from '#adapters/nats-admin/operator'
import type { Made } from '#adapters/nats-admin/making'
import { streamInfo } from '#adapters/nats/api'
import { erasOf } from '#adapters/nats/eras'
import { intakesKnown } from '#adapters/nats/intake'
import { streamNames } from '#adapters/nats/stream'
import type { Place } from '#core/kernel/names'
import { findLog, isRemote, natsAccess, type LogPlace } from '#runtime/logs/log-url'
import { jobsOf } from '#runtime/engine/era-watch'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { shellWord } from '../terminal/hint.ts'
import { print, printJson } from '../terminal/terminal.ts'

export interface NatsInitOptions extends GlobalOptions {
  readonly replicas: number
  /** Milliseconds. */
  readonly ackWait?: number
  readonly intakes: number
  readonly remakeMirrors?: boolean
}

const replicasKnown = [1, 3, 5]
const ackWaitMsMin = 1_000

export async function natsInit(options: NatsInitOptions): Promise<number> {
  const { replicas, ackWait, intakes, realm } = options
  if (!replicasKnown.includes(replicas)) throw usage('--replicas is 1, 3 or 5')
  if (ackWait !== undefined && ackWait < ackWaitMsMin) throw usage('--ack-wait is a second or more')
  if (!intakesKnown.includes(intakes)) throw usage(`--intakes is ${intakesKnown.join(', ')}`)
  const place = findLog(options.log, configuration())
  if (!isRemote(place)) throw usage('give the server: --log nats://host:port')
  const operator = await openOperator(natsAccess(place))
  try {
    const eras = await erasOf(operator.atLog, realm)
    const newest = { realm, era: eras.at(-1) ?? 1 }
    if (options.remakeMirrors === true)
      for (const era of eras) await removeMirrors(operator.mirrors, { realm, era })
    // What an earlier era is, it stays; its mirrors hold nothing of their own.
    const earlier = await mirrorsOf(operator, realm, eras.slice(0, -1))
    const queues = queuesIn(newest)
    const wanted = {
      replicas,
      queues,
      intakes,
      ...(ackWait !== undefined && { ackWaitMs: ackWait }),
    }
    const made = [...earlier, ...(await makeLog(operator.atLog, newest, wanted, operator.mirrors))]
    if (options.json === true) await printJson({ log: place.url, made })
    else await report(made, place)
  } finally {
    await operator.close()
  }
  return exitCodes.yes
}

async function mirrorsOf(
  { atLog, mirrors }: Operator,
  realm: string,
  eras: readonly number[],
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (const era of eras) {
    const place = { realm, era }
    const info = await streamInfo(atLog, streamNames(place).log)
    const replicas = Number(info?.config['num_replicas'] ?? 1)
    made.push(...(await makeMirrors(mirrors, place, { replicas })))
  }
  return made
}

/** One queue a stage. */
function queuesIn(place: Place) {
  return stages.map((stage) => {
    const { queue, names } = jobsOf(stage, place)
    return { name: queue, names }
  })
}

async function report(made: readonly Made[], place: LogPlace): Promise<void> {
  const lines = made.map(({ name, isNew }) => `  ${name}${isNew ? '' : '   (was there)'}`)
  await print([
    `The log on ${place.url}:`,
    ...lines,
    '',
    'Next, as a policy admin, begin it: warrant seed, which prints what all are to pin',
    'and run each stage:',
    ...stepsFor(place).map((step) => `  ${step}`),
  ])
}

/** Where the server has accounts, each stage has a seed of its own, beside the operator's. */
function stepsFor({ url, nats }: LogPlace): readonly string[] {
  const log = `--log ${url}`
  const operatorFile = nats?.user.nkeyFile
  if (operatorFile === undefined) return [`warrant up ${log}`]
  return stages.map(({ name }) => {
    const seed = shellWord(join(dirname(operatorFile), `${name}.nk`))
    return `WARRANT_NATS_NKEY_FILE=${seed} warrant up ${name} ${log}`
  })
}
