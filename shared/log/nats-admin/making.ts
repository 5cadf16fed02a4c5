// Making one stream, which is left as it is where it is there already; a difference is refused.
import { Fault } from '#record/fault'
import type { Place } from '#record/names'
import { operate, streamInfo, type StreamInfo } from '../nats/api.ts'
import { problems } from '../nats/problems.ts'
import type { Requests } from '../nats/requests.ts'
import { isControlStream, streamNames, type StreamConfig } from '../nats/stream.ts'

/** What was made, and what was there already, by its name. */
export interface Made {
  readonly name: string
  readonly isNew: boolean
  /** Of the queue of an intake: whether it stood still, and goes on. */
  readonly isReleased?: true
}

/** Throws a Fault where what is found under that name is not what is wanted. */
export type Demand = (name: string, wanted: StreamConfig, found: StreamConfig) => void

export async function makeStream(
  requests: Requests,
  name: string,
  wanted: StreamConfig,
  demand: Demand,
): Promise<Made> {
  const before = await streamInfo(requests, name)
  const create = `STREAM.CREATE.${name}`
  const isMade = before === null && (await operate(requests, create, wanted, [problems.nameInUse]))
  demand(name, wanted, (await demanded(requests, name)).config)
  return { name, isNew: isMade }
}

export async function demanded(requests: Requests, name: string): Promise<StreamInfo> {
  const info = await streamInfo(requests, name)
  if (info !== null) return info
  throw new Fault('no_log', `there is no stream \`${name}\`: make it by \`warrant nats init\``)
}

/** The log of an era that may end; what all cells share has one for ever. */
export async function demandedEra(requests: Requests, place: Place): Promise<StreamInfo> {
  const info = await demanded(requests, streamNames(place).log)
  if (!isControlStream(place, info.config)) return info
  const message = `\`${place.realm}\` has what all its cells share, in one era: rotate its cells`
  throw new Fault('era_fixed', message)
}
